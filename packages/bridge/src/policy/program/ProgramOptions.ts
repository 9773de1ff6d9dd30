/**
 * Reading the options of a program as the program itself does: which words are options, which of them take a value
 * and where that stands, and which words are left over as operands.
 *
 * Options are listed in one line of text, in the manner of `getopt`: `-abc` are letters without a value, `-n=` has one
 * (in the same word or the next), `-i?` has one only in the same word, and so with long names: `--all`, `--lines=`,
 * `--color?`; behind `==` stands the second of two values. What an option does stands behind it: `-o=write`, `-i?change`, `-r!search`; several with a `+`.
 */
import { plainWord, type ShellWord, unknownWord } from "../shell/ShellWord.ts"

/** What an option means for programs and files. */
export type Role =
  /** Runs a program, or code of a file. */
  | "run"
  /** Its value is a file that is read, or written. */
  | "read"
  | "write"
  /** Its value is a file if it begins with `@`, as do parts of it behind a `=`. */
  | "at"
  /** Its value is a file that names the files to read. */
  | "list"
  /** Its value is the folder in which relative names begin, or the one into which files are written. */
  | "folder"
  | "into"
  /** The operands are written, too; or everything below them is meant. */
  | "change"
  | "search"
  /** It holds the pattern or the script, so the first operand is a file. */
  | "script"
  /** Contents are shown, or only names. */
  | "contents"
  | "names"

interface Option {
  readonly name: string
  readonly arity: "none" | "value" | "attached" | "pair"
  readonly roles: ReadonlyArray<Role>
}

/** The options of one program. */
export interface Options {
  readonly letters: ReadonlyMap<string, Option>
  readonly longs: ReadonlyMap<string, Option>
  /** An option can make it run a program, or write a file. */
  readonly mayRun: boolean
  readonly mayWrite: boolean
}

/** An option that was given. */
export interface GivenOption {
  readonly roles: ReadonlyArray<Role>
  /** Without its dashes. */
  readonly name: string
  /** The word in which it stands. */
  readonly word: ShellWord
  readonly value: ShellWord | undefined
}

/** The words of a program, told apart. */
export interface ReadOptions {
  readonly given: ReadonlyArray<GivenOption>
  readonly operands: ReadonlyArray<ShellWord>
  /** How many of the operands stand before `--`. */
  readonly before: number
  /** An option that is not in the list, and one that may turn out to be any. */
  readonly unlisted: ShellWord | undefined
  readonly unsure: ShellWord | undefined
}

const roles: ReadonlySet<string> = new Set<Role>([
  ...(["run", "read", "write", "at", "list", "folder", "into", "change", "search", "script"] as const),
  ...(["contents", "names"] as const)
])

const isRole = (text: string): text is Role => roles.has(text)

const arities: Readonly<Record<string, Option["arity"]>> = { "=": "value", "?": "attached", "==": "pair" }

/** Reads a line of options. */
export const optionsFrom = (line: string): Options => {
  const letters = new Map<string, Option>()
  const longs = new Map<string, Option>()
  let mayRun = false
  let mayWrite = false
  for (const token of line.split(/\s+/)) {
    const [, dashes, name = "", sign, words = ""] = /^(--?)(-|[^=?!]+)(==|[=?!])?(.*)$/.exec(token) ?? []
    if (dashes === undefined) continue
    const given = words.split("+").filter(isRole)
    const arity = arities[sign ?? "!"] ?? "none"
    if (given.includes("run")) mayRun = true
    if (given.includes("write") || given.includes("change")) mayWrite = true
    if (dashes === "--") longs.set(name, { name, arity, roles: given })
    else for (const letter of name) letters.set(letter, { name: letter, arity, roles: given })
  }
  return { letters, longs, mayRun, mayWrite }
}

/** GNU programs take any beginning of a long name for it, if it is the beginning of no other. */
const longOption = ({ longs }: Options, name: string): Option | undefined => {
  const exact = longs.get(name)
  if (exact !== undefined || name === "") return exact
  const meant = [...longs.values()].filter((option) => option.name.startsWith(name))
  const [first] = meant
  const isOne = meant.every((each) => each.arity === first?.arity && each.roles.join() === first.roles.join())
  return isOne ? first : undefined
}

/** How the words of a program are read. */
export interface Habits {
  /** The first operand ends the options. */
  readonly isLeading?: boolean
  /** The letters of the first word need no dash: `tar xf`. Their values follow in the words behind it. */
  readonly isBundled?: boolean
}

/** Tells the words of a program apart, its name aside. */
export const readOptions = (options: Options, words: ReadonlyArray<ShellWord>, habits: Habits = {}): ReadOptions => {
  const given: Array<GivenOption> = []
  const operands: Array<ShellWord> = []
  let unlisted: ShellWord | undefined
  let unsure: ShellWord | undefined
  let before: number | undefined
  let at = 0

  const give = (option: Option, word: ShellWord, attached: string | undefined): void => {
    const { arity, name } = option
    if (arity === "pair") at++
    if (arity === "pair" || (arity === "value" && attached === undefined)) {
      const value = words[at]
      at++
      if (value?.many === true) unsure ??= value
      given.push({ name, roles: option.roles, word, value })
    } else {
      const value = arity === "none" || attached === undefined ? undefined : plainWord(attached)
      given.push({ name, roles: option.roles, word, value })
    }
  }

  const readLetters = (letters: string, word: ShellWord, isBundle: boolean): void => {
    for (let letter = 0; letter < letters.length; letter++) {
      const option = options.letters.get(letters.charAt(letter))
      if (option === undefined) {
        // It may have no value, and then the letters behind it count.
        unlisted ??= word
        continue
      }
      const rest = isBundle ? "" : letters.slice(letter + 1)
      give(option, word, rest === "" ? undefined : rest)
      if (option.arity !== "none" && !isBundle && (rest !== "" || option.arity === "value")) return
    }
  }

  const readLong = (text: string, word: ShellWord): void => {
    const [name = "", value] = text.slice(2).split(/=(.*)/s)
    const option = longOption(options, name)
    if (option === undefined) unlisted ??= word
    else give(option, word, value)
  }

  while (at < words.length) {
    const word = words[at++]
    if (word === undefined) break
    const text = word.value
    if (before !== undefined) operands.push(word)
    else if (text === "--") before = operands.length
    else if (text === undefined) {
      if (mayBeOption(word)) {
        unsure ??= word
        const part = attachedTo(word, options)
        if (part !== undefined) given.push(part)
      }
      operands.push(word)
    } else if (habits.isBundled === true && at === 1 && !text.startsWith("-")) readLetters(text, word, true)
    else if (text.startsWith("--")) readLong(text, word)
    else if (text.startsWith("-") && text !== "-") readLetters(text.slice(1), word, false)
    else {
      operands.push(word)
      if (habits.isLeading === true) {
        operands.push(...words.slice(at))
        break
      }
    }
  }
  return { given, operands, before: before ?? operands.length, unlisted, unsure }
}

/**
 * A word of which the beginning is known cannot become an option, unless the shell cuts it in pieces. `<(…)` becomes a
 * name below `/dev` or `/tmp`.
 */
const mayBeOption = ({ text }: ShellWord): boolean =>
  !/^[\w./~][^$`{]*$/.test(text) && !/^[\w./~]+"[^"]*"$/.test(text) && !/^[<>]\(/.test(text)

/** `--output=$x` and `-o$x`: the option is known, its value is not. */
const attachedTo = ({ text }: ShellWord, options: Options): GivenOption | undefined => {
  const [, long, letter] = /^--([a-z-]+)=|^-(\w)/.exec(text) ?? []
  const option =
    long !== undefined ? longOption(options, long) : letter !== undefined ? options.letters.get(letter) : undefined
  if (option === undefined || option.arity === "none") return undefined
  const word = unknownWord(text, false)
  return { name: option.name, roles: option.roles, word, value: word }
}
