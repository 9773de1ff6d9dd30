/**
 * What a shell text does, by the table of programs: `cat a | grep b` reads `a`. A text of which any part cannot be told
 * is a command, as a whole: half of the truth would look like all of it.
 */
import { type CallAction, given } from "./CallAction.ts"
import { findTests, type Program, type ProgramUse, programFolders, programs, shells } from "./ProgramTable.ts"
import { readShell, type ShellCommand, type ShellRedirection, type ShellWord } from "./ShellWords.ts"

/** How often a shell may be told to run a shell. */
const maxDepth = 3

/** What a shell text does, in order. */
export const shellActions = (text: string): ReadonlyArray<CallAction> => {
  const found = actionsOf(text, 0)
  const command = unwrapShell(text).trim()
  return found === undefined || found.length === 0 ? [{ type: "command", command }] : found
}

/** The text that a shell is told to run: `bash -lc 'ls'` is `ls`. Any other text is itself. */
export const unwrapShell = (text: string): string => {
  let inner = text
  for (let depth = 0; depth < maxDepth; depth++) {
    const commands = readShell(inner)
    const script = commands?.length === 1 && commands[0] !== undefined ? scriptOf(commands[0]) : undefined
    if (script === undefined) return inner
    inner = script
  }
  return inner
}

const scriptOf = ({ redirections, words }: ShellCommand): string | undefined => {
  const [program, ...rest] = words
  if (program === undefined || redirections.length > 0 || !shells.has(nameOf(program) ?? "")) return undefined
  const options = rest.slice(0, -1).map(({ text }) => text)
  const script = rest.at(-1)
  const isScript =
    options.at(-1)?.endsWith("c") === true && options.every((option) => /^-(l|c|lc|e|ec|lec)$/.test(option))
  return isScript && script?.literal === true ? script.text : undefined
}

const actionsOf = (text: string, depth: number): ReadonlyArray<CallAction> | undefined => {
  const commands = depth > maxDepth ? undefined : readShell(text)
  if (commands === undefined) return undefined
  const actions: Array<CallAction> = []
  let folder: string | undefined
  for (const command of commands) {
    const moved = folderOf(command)
    if (moved !== undefined) {
      folder = joined(folder, moved)
      continue
    }
    const script = scriptOf(command)
    const found = script === undefined ? ofCommand(command) : actionsOf(script, depth + 1)
    if (found === undefined) return undefined
    actions.push(...found.map((action) => within(folder, action)))
  }
  return actions
}

/** Where `cd` goes to; undefined for any other command. */
const folderOf = ({ redirections, words: [program, target, ...more] }: ShellCommand): string | undefined =>
  program?.text === "cd" && target?.literal === true && target.text !== "-" && more.length + redirections.length === 0
    ? target.text
    : undefined

const joined = (folder: string | undefined, path: string): string =>
  folder === undefined || path.startsWith("/") ? path : path === "." ? folder : `${folder.replace(/\/+$/, "")}/${path}`

/** An action whose paths are told from where the text began. */
const within = (folder: string | undefined, action: CallAction): CallAction => {
  if (folder === undefined) return action
  switch (action.type) {
    case "read":
    case "write":
    case "edit":
    case "delete":
      return { ...action, path: joined(folder, action.path) }
    case "list":
    case "search":
      return { ...action, path: joined(folder, action.path ?? ".") }
    default:
      return action
  }
}

const ofCommand = (command: ShellCommand): ReadonlyArray<CallAction> | undefined => {
  const files = command.redirections.map(ofRedirection)
  const did = ofProgram(command)
  if (did === undefined || files.includes(undefined)) return undefined
  return [...did, ...files.flatMap((actions) => actions ?? [])]
}

const redirected = { "<": "read", ">": "write", ">>": "edit" } as const

const ofRedirection = ({ operator, target }: ShellRedirection): ReadonlyArray<CallAction> | undefined => {
  if (!target.literal) return undefined
  return target.text.startsWith("/dev/") ? [] : [{ type: redirected[operator], path: target.text }]
}

/** The name of a program; undefined for one that lies somewhere else than programs do. */
const nameOf = ({ literal, text }: ShellWord): string | undefined => {
  if (!literal) return undefined
  const end = text.lastIndexOf("/") + 1
  return end === 0 || programFolders.has(text.slice(0, end)) ? text.slice(end) : undefined
}

type Words = ReadonlyArray<string>

/** Programs whose words mean more than a table says. */
const special: Readonly<Record<string, (words: Words, isPiped: boolean) => ReadonlyArray<CallAction> | undefined>> = {
  find: (words) => {
    const first = words.findIndex((word) => /^[-!(]/.test(word))
    const folders = first === -1 ? words : words.slice(0, first)
    let pattern: string | undefined
    for (let at = folders.length; at < words.length; at++) {
      const word = words[at] ?? ""
      if (findTests.names.has(word)) {
        at++
        pattern ??= words[at]
      } else if (findTests.valued.has(word)) at++
      else if (!findTests.plain.has(word)) return undefined
    }
    return listed(folders, pattern)
  },
  sed: (words) => {
    const [option, script = "", ...files] = words
    if (option === "-n" && /^(\d+|\$)(,(\d+|\$))?p$/.test(script) && files.every(isOperand))
      return files.map((path) => ({ type: "read", path }))
    // Everything but substitutions may write elsewhere, or run programs.
    return option === "-i" && /^s([/|#,:]).*\1[gi\d]*$/.test(script) && files.length > 0 && files.every(isOperand)
      ? files.map((path) => ({ type: "edit", path }))
      : undefined
  },
  git: ([command, ...words], isPiped) => {
    if (command === "grep") return byTable(programs.get("grep"), ["-r", ...words], isPiped)
    return command === "ls-files" && words.every(isOperand) ? listed(words, undefined) : undefined
  }
}

const isOperand = (word: string): boolean => !word.startsWith("-")

const listed = (folders: Words, pattern: string | undefined): ReadonlyArray<CallAction> =>
  (folders.length === 0 ? [undefined] : folders).map((path) => ({ type: "list", ...given({ path, pattern }) }))

const ofProgram = ({ joint, words }: ShellCommand): ReadonlyArray<CallAction> | undefined => {
  const [program, ...rest] = words
  if (program === undefined) return []
  const name = nameOf(program)
  if (name === undefined) return undefined
  const known = programs.get(name)
  // What is echoed may be anything.
  if (known?.use === "nothing") return []
  if (!rest.every(({ literal }) => literal)) return undefined
  const texts = rest.map(({ text }) => text)
  const own = Object.hasOwn(special, name) ? special[name] : undefined
  return own === undefined ? byTable(known, texts, joint === "|") : own(texts, joint === "|")
}

const byTable = (
  program: Program | undefined,
  words: Words,
  isPiped: boolean
): ReadonlyArray<CallAction> | undefined => {
  if (program === undefined) return undefined
  const { operands, options } = sorted(program, words)
  if (program.unless?.some((name) => options.has(name))) return undefined
  const use = Object.entries(program.instead ?? {}).find(([name]) => options.has(name))?.[1] ?? program.use
  return uses[use](program, operands, options, isPiped)
}

type Use = (
  program: Program,
  operands: Words,
  options: ReadonlyMap<string, string>,
  isPiped: boolean
) => ReadonlyArray<CallAction> | undefined

const uses: Readonly<Record<ProgramUse, Use>> = {
  // A dash is what it is given.
  read: ({ most }, operands) =>
    most !== undefined && operands.length > most
      ? undefined
      : operands.filter((path) => path !== "-").map((path) => ({ type: "read", path })),
  search: (program, operands, options, isPiped) => {
    const named = program.pattern?.find((name) => options.has(name))
    const pattern = named === undefined ? operands[0] : options.get(named)
    const places = named === undefined ? operands.slice(1) : operands
    if (pattern === undefined) return undefined
    if (places.length > 0) return places.map((path) => ({ type: "search", pattern, path }))
    // Without a place it looks through what it is given, or through the folder it is in.
    const goesThrough =
      program.recursive === "always" ? !isPiped : program.recursive?.some((name) => options.has(name)) === true
    return goesThrough ? [{ type: "search", pattern }] : []
  },
  list: (_, operands) => listed(operands, undefined),
  names: (_, [pattern, ...folders]) => listed(folders, pattern),
  nothing: () => []
}

/** Words as options, each with its value where it has one, and the others. */
const sorted = (
  { letters = "", names = [] }: Program,
  words: Words
): { readonly operands: Words; readonly options: ReadonlyMap<string, string> } => {
  const operands: Array<string> = []
  const options = new Map<string, string>()
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    if (word === "--") {
      operands.push(...words.slice(at + 1))
      break
    }
    if (word.startsWith("--")) {
      const [name = "", ...value] = word.slice(2).split("=")
      const takesNext = value.length === 0 && names.includes(name)
      options.set(name, takesNext ? (words[++at] ?? "") : value.join("="))
    } else if (word.startsWith("-") && word !== "-") {
      for (let place = 1; place < word.length; place++) {
        const letter = word.charAt(place)
        const takesNext = letters.includes(letter)
        const rest = word.slice(place + 1)
        options.set(letter, takesNext ? rest || (words[++at] ?? "") : "")
        if (takesNext) break
      }
    } else operands.push(word)
  }
  return { operands, options }
}
