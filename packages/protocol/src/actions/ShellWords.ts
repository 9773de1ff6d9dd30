/**
 * Reads shell text as far as it can be read without running it: words, quotes, pipes, lists and redirections.
 *
 * It is for showing what a command does, not for deciding whether it may: what is not plainly there (substitutions,
 * loops, here-documents, a quote that never ends) makes the whole text unreadable, and the caller shows it as it is.
 */

/** A word of a command. */
export interface ShellWord {
  /** Without its quotes. */
  readonly text: string
  /** Whether the shell takes it as it is: it has no variable, no pattern and no `~` that it would put something else for. */
  readonly literal: boolean
  /** Whether any of it was quoted: a quoted word is never a keyword. */
  readonly quoted: boolean
}

/** A file in place of an input or an output. */
export interface ShellRedirection {
  readonly operator: "<" | ">" | ">>"
  readonly target: ShellWord
}

/** What stands before a command: nothing, or how it is joined to the one before. */
export type ShellJoint = "" | "|" | "&&" | "||" | ";" | "&"

/** One program with its words. */
export interface ShellCommand {
  readonly joint: ShellJoint
  readonly words: ReadonlyArray<ShellWord>
  readonly redirections: ReadonlyArray<ShellRedirection>
}

/** Words that begin something other than a program, where a program's name is expected. */
const keywords: ReadonlySet<string> = new Set(
  "if then else elif fi for while until do done case esac select function time coproc { } ! [[".split(" ")
)

/** Longest first. A newline is a `;`. */
const joints: ReadonlyArray<readonly [string, ShellJoint]> = [
  ["&&", "&&"],
  ["||", "||"],
  ["|&", "|"],
  ["|", "|"],
  [";", ";"],
  ["\n", ";"],
  ["&", "&"]
]

/** Longest first; null: the shell does something with it that is not read here. */
const redirects: ReadonlyArray<readonly [string, ShellRedirection["operator"] | "copy" | null]> = [
  ["&>>", ">>"],
  ["&>", ">"],
  ["<<", null],
  ["<>", null],
  ["<(", null],
  [">(", null],
  ["<&", "copy"],
  [">&", "copy"],
  [">>", ">>"],
  [">|", ">"],
  ["<", "<"],
  [">", ">"]
]

/** Thrown and caught here alone. */
class Unreadable extends Error {}

/** The commands of a shell text, in order; undefined when it cannot be read. */
export const readShell = (text: string): ReadonlyArray<ShellCommand> | undefined => {
  try {
    return new Reader(text).commands()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** A word as a shell reads it back: quoted where it must be. */
export const quoteShellWord = (word: string): string =>
  /^[\w@%+:,./-]+$/.test(word) && !keywords.has(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

class Reader {
  #at = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  commands(): ReadonlyArray<ShellCommand> {
    const commands: Array<ShellCommand> = []
    let joint: ShellJoint = ""
    for (;;) {
      const command = this.#command(joint)
      const next = this.#joint()
      const isEmpty = command.words.length === 0 && command.redirections.length === 0
      if (!isEmpty) commands.push(command)
      // An empty line is nothing; a pipe from nowhere or to nowhere is an error.
      else if ((joint !== "" && joint !== ";" && joint !== "&") || (next !== undefined && next !== ";" && next !== ""))
        throw new Unreadable()
      if (next === undefined) return commands
      joint = isEmpty && commands.length === 0 ? "" : next
      // A line may end after a pipe.
      if (joint === "|" || joint === "&&" || joint === "||") this.#skip(/[\s]/)
    }
  }

  #command(joint: ShellJoint): ShellCommand {
    const words: Array<ShellWord> = []
    const redirections: Array<ShellRedirection> = []
    for (;;) {
      this.#blank()
      if (this.#redirection(redirections)) continue
      const word = this.#word()
      if (word === undefined) return { joint, words, redirections }
      if (words.length === 0 && !word.quoted && (keywords.has(word.text) || /^\w+\+?=/.test(word.text)))
        throw new Unreadable()
      words.push(word)
    }
  }

  #joint(): ShellJoint | undefined {
    if (this.#at >= this.#text.length) return undefined
    const found = joints.find(([sign]) => this.#text.startsWith(sign, this.#at))
    // A parenthesis, or the second half of `;;`.
    if (found === undefined || this.#text.startsWith(";;", this.#at)) throw new Unreadable()
    this.#at += found[0].length
    return found[1]
  }

  #skip(what: RegExp): void {
    while (this.#at < this.#text.length && what.test(this.#text.charAt(this.#at))) this.#at++
  }

  /** Passes over blanks, continued lines and comments. */
  #blank(): void {
    for (;;) {
      this.#skip(/[ \t\r]/)
      if (this.#text.startsWith("\\\n", this.#at)) this.#at += 2
      else if (this.#text.charAt(this.#at) === "#") this.#skip(/[^\n]/)
      else return
    }
  }

  #redirection(into: Array<ShellRedirection>): boolean {
    const number = /^\d*/.exec(this.#text.slice(this.#at, this.#at + 8))?.[0] ?? ""
    const start = this.#at + number.length
    const found = redirects.find(([sign]) => this.#text.startsWith(sign, start))
    if (found === undefined) return false
    const [sign, operator] = found
    if (operator === null || (number !== "" && sign.startsWith("&"))) throw new Unreadable()
    this.#at = start + sign.length
    this.#blank()
    const target = this.#word()
    if (target === undefined) throw new Unreadable()
    if (operator !== "copy") into.push({ operator, target })
    // `>& file` is both outputs to a file.
    else if (!/^(\d+-?|-)$/.test(target.text)) into.push({ operator: ">", target })
    return true
  }

  #word(): ShellWord | undefined {
    let text = ""
    let literal = true
    let quoted = false
    const start = this.#at
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text.charAt(this.#at)
      if (/[\s|&;<>()]/.test(sign)) break
      if (sign === "'") {
        quoted = true
        text += this.#until("'")
      } else if (sign === '"') {
        quoted = true
        const inner = this.#doubleQuoted()
        text += inner.text
        literal &&= inner.literal
      } else if (sign === "\\") {
        const next = this.#text.charAt(++this.#at)
        if (next === "") throw new Unreadable()
        quoted = true
        if (next !== "\n") text += next
      } else {
        if (sign === "`") throw new Unreadable()
        if (sign === "$") literal = this.#variable() && literal
        if (/[*?[{]/.test(sign) || (sign === "~" && this.#at === start)) literal = false
        text += sign
      }
    }
    return this.#at === start ? undefined : { text, literal, quoted }
  }

  /** What stands between here and the next such sign. Ends on that sign. */
  #until(sign: string): string {
    const end = this.#text.indexOf(sign, this.#at + 1)
    if (end === -1) throw new Unreadable()
    const text = this.#text.slice(this.#at + 1, end)
    this.#at = end
    return text
  }

  /** Ends on the closing quote. */
  #doubleQuoted(): { readonly text: string; readonly literal: boolean } {
    let text = ""
    let literal = true
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text.charAt(this.#at)
      if (sign === '"') return { text, literal }
      if (sign === "`") throw new Unreadable()
      if (sign === "$") literal = this.#variable(true) && literal
      if (sign === "\\" && /["\\$`\n]/.test(this.#text.charAt(this.#at + 1))) {
        const next = this.#text.charAt(++this.#at)
        if (next !== "\n") text += next
      } else text += sign
    }
    throw new Unreadable()
  }

  /** Whether a dollar sign is just that; a command in place of a word cannot be read. */
  #variable(inQuotes = false): boolean {
    const next = this.#text.charAt(this.#at + 1)
    if (next === "(" || next === "{" || (!inQuotes && /['"]/.test(next))) throw new Unreadable()
    // A name may begin on the next line.
    return !/[\w@*#?$!-]/.test(next) && !this.#text.startsWith("\\\n", this.#at + 1)
  }
}
