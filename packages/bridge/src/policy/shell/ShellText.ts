/**
 * What a shell text runs: every simple command in it, wherever it is, the files that redirections open, and
 * whatever makes the list uncertain.
 *
 * The text is parsed as bash, and the tree is held against the text (`ShellGrammar.ts`). A doubt is not an error: it says
 * that nobody may call this text understood.
 */
import { basename } from "node:path"
import { type Command, forEachChild, type HereDocBody, parse, type Redirection, type SyntaxNode } from "unbash"
import { readArguments } from "../program/FileArguments.ts"
import { findActions } from "../program/FindCommand.ts"
import {
  builtins,
  deafPrograms,
  folderChangers,
  isHarmlessVariable,
  opaquePrograms,
  shellModes,
  shellOptions,
  shells
} from "../program/Programs.ts"
import { unwrapCommand, type Wrapper, wrappers } from "../program/Wrappers.ts"
import { areBodies, quieted } from "./HereDocs.ts"
import { bashOnly, doubtAbout } from "./ShellDoubts.ts"
import { unaccounted } from "./ShellGrammar.ts"
import { marksOf, maxLength, maxMarks } from "./ShellWeight.ts"
import { type ShellWord, wordOf } from "./ShellWord.ts"

/** One simple command. */
export interface ShellCommand {
  /** The program and its arguments. */
  readonly words: ReadonlyArray<ShellWord>
  /** No rule has to allow it, as others in the list decide: it only runs one of them, or is the script of a shell. */
  readonly isWrapper: boolean
}

/** A file that a redirection opens. */
export interface ShellFile {
  readonly access: "read" | "write"
  readonly path: string
}

/** What a text runs. */
export interface ShellReading {
  readonly commands: ReadonlyArray<ShellCommand>
  readonly files: ReadonlyArray<ShellFile>
  /** Why this may not be all. */
  readonly doubts: ReadonlyArray<string>
}

/** How much of a text a doubt cites. */
const maxShown = 80

/** How deep texts may nest (`bash -c "bash -c …"`). */
const maxDepth = 8

/** Reads a shell text. */
export const readShellText = (text: string): ShellReading => {
  const commands: Array<ShellCommand> = []
  const files: Array<ShellFile> = []
  const doubts = new Set<string>()
  let moves = false
  let marksLeft = maxMarks
  const doubt = (why: string): void => {
    doubts.add(why)
  }

  const readText = (source: string, { depth, isBash }: Place): void => {
    const { bodies, text } = marksOf(source) === undefined ? quieted(source) : { bodies: [], text: source }
    marksLeft -= marksOf(text) ?? maxMarks + 1
    if (depth > maxDepth || source.length > maxLength || marksLeft < 0) {
      doubt("too long, or too deep")
      return
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what shells and terminals do with these differs.
    if (/[\0-\x08\x0b-\x1f\x7f]/.test(source)) doubt("a control character")
    try {
      const script = parse(text)
      const left = areBodies(bodies, script) ? unaccounted(text, script) : text
      if (left !== undefined) doubt(`cannot be parsed for certain: ${left.slice(0, maxShown)}`)
      const isQuiet = new Set(bodies.map(({ pos }) => pos))
      const bodyOf = (body: HereDocBody): string =>
        isQuiet.has(body.pos) ? source.slice(body.pos, body.end) : body.text
      visit(script, { depth, isBash, bodyOf })
    } catch (error) {
      doubt(`the parser failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  const visit = (node: SyntaxNode, at: Level): void => {
    switch (node.type) {
      case "Script":
        for (const { message } of node.errors ?? []) doubt(`cannot be parsed: ${message}`)
        break
      case "Command":
        if (node.name !== undefined) run([node.name, ...node.args].map(wordOf), stdinOf(node, at), at)
        break
      case "Redirect":
        redirect(node)
        break
    }
    for (const why of [doubtAbout(node), at.isBash ? undefined : bashOnly(node)]) if (why !== undefined) doubt(why)
    forEachChild(node, (child) => visit(child, at))
  }

  const redirect = (node: Extract<Redirection, { readonly type: "Redirect" }>): void => {
    const { descriptor, operator, target } = node
    if (descriptor?.type === "FileDescriptorVariable") doubt(`{${descriptor.name}} is set by a redirection`)
    if (target?.parts?.length === 1 && target.parts[0]?.type === "ProcessSubstitution") return
    const value = target === undefined ? undefined : wordOf(target).value
    if (value === undefined) doubt(`${operator} with a file that is not known yet: ${target?.text ?? ""}`)
    else if (operator.endsWith("&")) {
      // Bash expands the file behind `>&` twice, and ends the word of `>&-x` earlier than the parser does.
      if (!/^(\d+-?|-)$/.test(target?.text ?? "")) doubt(`${operator} with a file`)
    } else {
      if (operator.startsWith("<")) open("read", value)
      if (operator.includes(">")) open("write", value)
    }
  }

  const open = (access: ShellFile["access"], path: string): void => {
    if (/^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/.test(path)) return
    if (/^\/dev\/(tcp|udp)\//.test(path)) doubt(`a connection: ${path}`)
    files.push({ access, path })
  }

  const assign = (name: string): void => {
    if (!isHarmlessVariable(name)) doubt(`the variable ${name} may change what runs`)
  }

  const run = (words: ReadonlyArray<ShellWord>, stdin: Stdin, at: Level): void => {
    const [program, ...args] = words
    if (program?.value === undefined || at.depth > maxDepth) {
      commands.push({ words, isWrapper: false })
      doubt(`a command that is not known yet: ${program?.text ?? ""}`)
      return
    }
    const name = nameOf(program.value)
    const inner = innerOf(name, words, stdin, at)
    commands.push({ words, isWrapper: inner.isWrapper })
    if (name.startsWith("=")) doubt(`zsh takes ${name} for another program`)
    if (opaquePrograms.has(name)) doubt(`what ${name} does to other commands is not followed`)
    if (folderChangers.has(name)) moves = true
    if (Object.hasOwn(builtins, name) && builtins[name]?.(args) === false) doubt(`${name} may evaluate its arguments`)
    for (const why of readArguments(name, words).doubts) doubt(why)
    inner.read()
  }

  const innerOf = (name: string, words: ReadonlyArray<ShellWord>, stdin: Stdin, at: Level): Inner => {
    if (name === "find") return find(words, at)
    if (shells.has(name)) return shell(name, words, stdin, at)
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
    return wrapper === undefined ? nothing : wrap(name, wrapper, words, stdin, at)
  }

  const find = (words: ReadonlyArray<ShellWord>, at: Level): Inner => {
    const { commands: found, unknown, writes } = findActions(words)
    if (unknown !== undefined) doubt(`find may run a command: ${unknown.text}`)
    for (const { text: written, value } of writes)
      value === undefined ? doubt(`find writes a file that is not known yet: ${written}`) : open("write", value)
    return {
      isWrapper: false,
      read: () => {
        for (const command of found) run(command, "unknown", below(at))
      }
    }
  }

  const wrap = (name: string, wrapper: Wrapper, words: ReadonlyArray<ShellWord>, stdin: Stdin, at: Level): Inner => {
    const found = unwrapCommand(wrapper, words)
    if ("notUnderstood" in found) return unsure(`${name} with ${found.notUnderstood} is not understood`)
    found.assigned.forEach(assign)
    if (found.inner.length === 0)
      return wrapper.isShell === true ? unsure(`${name} without a command may start a shell`) : nothing
    const isWrapper = wrapper.isGate !== true
    if (wrapper.isText !== true)
      return { isWrapper, read: () => run(found.inner, wrapper.adds === undefined ? stdin : "unknown", below(at)) }
    const values = found.inner.map(({ value }) => value)
    return values.every((value) => value !== undefined)
      ? {
          isWrapper,
          read: () => readText(values.join(" "), name === "eval" ? below(at) : { depth: at.depth + 1, isBash: false })
        }
      : unsure(`${name} runs a text that is not known yet`)
  }

  const shell = (name: string, words: ReadonlyArray<ShellWord>, stdin: Stdin, at: Level): Inner => {
    const found = unwrapCommand(shellOptions, words)
    if ("notUnderstood" in found) return unsure(`a shell with ${found.notUnderstood} is not understood`)
    const mode = found.options.find(({ name: option, value }) => /^[oO]$/.test(option) && !shellModes.has(value))
    if (mode !== undefined) return unsure(`a shell with ${mode.value} is not understood`)
    const [first] = found.inner
    // `+e` is an option, too, and `-` ends them; what is not known may be one; and /dev/stdin is not the script's file.
    if (first !== undefined && /^$|^[-+]|^\/(dev|proc)\//.test(first.value ?? ""))
      return unsure(`a shell with ${first.text}`)
    const hasText = found.letters.includes("c")
    if (!hasText && first !== undefined && !found.letters.includes("s"))
      return { isWrapper: false, read: () => void commands.push({ words: found.inner, isWrapper: true }) }
    const source = hasText ? first?.value : stdin === "unknown" ? undefined : stdin.text
    if (source === undefined) return unsure("a shell runs a text that is not known yet")
    const read = (): void => {
      const before = commands.length
      readText(source, { depth: at.depth + 1, isBash: name.endsWith("bash") })
      // Its own commands read from the same place, line by line, and the shell goes on behind what they took.
      const hears = commands.slice(before).find(({ words: [program] }) => !deafPrograms.has(program?.value ?? ""))
      if (!hasText && hears !== undefined && /\n./.test(source))
        doubt(`${hears.words[0]?.text ?? ""} may read a part of the text that the shell runs`)
    }
    return { isWrapper: true, read }
  }

  const unsure = (why: string): Inner => {
    doubt(why)
    return nothing
  }

  readText(text, { depth: 0, isBash: true })
  if (moves) {
    const programs = commands.flatMap(({ words: [program] }) => (program?.value?.includes("/") ? [program.value] : []))
    for (const path of [...files.map((file) => file.path), ...programs])
      if (!path.startsWith("/")) doubt(`the folder may be another one for ${path}`)
  }
  return { commands, files, doubts: [...doubts] }
}

/** Where a text stands. */
interface Place {
  /** How many others it is in. */
  readonly depth: number
  /** Bash runs it; else some other shell does. */
  readonly isBash: boolean
}

/** Where a command stands. */
interface Level extends Place {
  /** The whole body of a here-document, which the parser may not have been given. */
  readonly bodyOf: (body: HereDocBody) => string
}

const below = (at: Level): Level => ({ ...at, depth: at.depth + 1 })

/** The command within a command. */
interface Inner {
  /** The outer one does nothing of its own. */
  readonly isWrapper: boolean
  readonly read: () => void
}

const nothing: Inner = { isWrapper: false, read: () => undefined }

/** What a command reads, when that stands in the text itself. */
type Stdin = { readonly text: string } | "unknown"

const stdinOf = (node: Command, { bodyOf }: Level): Stdin => {
  const [first, ...more] = node.redirects.filter(isStdin)
  if (first === undefined || more.length > 0) return "unknown"
  if (first.type === "HereString") {
    const value = first.target === undefined ? undefined : wordOf(first.target).value
    return value === undefined ? "unknown" : { text: value }
  }
  if (first.type !== "HereDoc") return "unknown"
  const { body, delimiter, operator } = first
  const text = bodyOf(body)
  if (delimiter?.quoted !== true && /[\\$`]/.test(text)) return "unknown"
  return { text: operator === "<<-" ? text.replace(/^\t+/gm, "") : text }
}

const isStdin = ({ descriptor, operator }: Redirection): boolean =>
  operator.startsWith("<") &&
  (descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0))

/** The name a program is known by. On some systems the case of its letters does not matter. */
const nameOf = (program: string): string => basename(program).toLowerCase()
