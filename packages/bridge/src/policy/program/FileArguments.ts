/**
 * The files that a command opens by its arguments, and what about its arguments is not understood: options that run
 * programs, and options that nobody here has heard of. The tables are in `ProgramTable.ts` and `GitTable.ts`.
 */
import { basename } from "node:path"
import { patchPaths } from "../Patch.ts"
import { plainWord, type ShellWord } from "../shell/ShellWord.ts"
import { gitFiles } from "./GitArguments.ts"
import {
  type ArgumentReading,
  anyFile,
  below,
  everythingHere,
  type OpenedFile,
  optionDoubts,
  optionFiles,
  reading,
  writing,
  writingBy
} from "./OpenedFile.ts"
import { type GivenOption, type Options, optionsFrom, type ReadOptions, readOptions } from "./ProgramOptions.ts"
import { type Operands, type ProgramRow, programTable } from "./ProgramTable.ts"
import { isPlainAwk, isPlainSed } from "./ScriptDoubts.ts"

const optionLines = new Map<string, Options>()

/** The options of a line, read once. */
const optionsOf = (line: string): Options => {
  const known = optionLines.get(line)
  if (known !== undefined) return known
  const read = optionsFrom(line)
  optionLines.set(line, read)
  return read
}

const nothing: ArgumentReading = { files: [], doubts: [], isKnown: true }

/** Whether a program is known to read or to tell, and so to run nothing that its operands name. */
export const isReader = (name: string): boolean =>
  Object.hasOwn(programTable, name) && programTable[name]?.isWriter !== true

/** Reads the arguments of a program. */
export const readArguments = (name: string, words: ReadonlyArray<ShellWord>): ArgumentReading => {
  if (name === "git") return gitFiles(words.slice(1), optionsOf)
  const row = Object.hasOwn(programTable, name) ? programTable[name] : undefined
  if (row === undefined) return { files: [], doubts: [], isKnown: false }
  if (row.isHarmless === true || (words.length === 1 && (row.operands === "none" || row.operands === "read")))
    return nothing
  const options = optionsOf(row.options)
  const read = readOptions(options, words.slice(1), {
    isBundled: row.operands === "tar",
    isLeading: row.operands === "awk" || row.operands === "words"
  })
  const { files, doubts } = operandReaders[row.operands](contextOf(row, words, read))
  return {
    files: [...files, ...optionFiles(read.given, row.isWriter === true)].filter(isFile),
    doubts: [...optionDoubts(name, options, read, row.isWriter === true), ...(doubts ?? [])],
    isKnown: true
  }
}

/** `-` is what is piped in or out, and `<(…)` is made of commands that are judged themselves. */
const isFile = ({ word: { text, value } }: OpenedFile): boolean =>
  value !== "-" &&
  value !== "" &&
  !/^[<>]\(/.test(text) &&
  !/^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/.test(value ?? "")

// --- operands ----------------------------------------------------------------------------------

interface Context {
  readonly words: ReadonlyArray<ShellWord>
  readonly operands: ReadonlyArray<ShellWord>
  readonly isWriter: boolean
  /** The option with a role. */
  readonly with: (role: GivenOption["roles"][number]) => GivenOption | undefined
  readonly given: ReadonlyArray<GivenOption>
}

interface Found {
  readonly files: ReadonlyArray<OpenedFile>
  readonly doubts?: ReadonlyArray<string>
}

const contextOf = (row: ProgramRow, words: ReadonlyArray<ShellWord>, { given, operands }: ReadOptions): Context => ({
  words,
  operands,
  given,
  isWriter: row.isWriter === true,
  with: (role) => given.find(({ roles }) => roles.includes(role))
})

/** What is read: also written where an option says so. */
const readAll = (context: Context, operands: ReadonlyArray<ShellWord>): ReadonlyArray<OpenedFile> => {
  const isSearch = context.with("search") !== undefined
  const changes = context.with("change")
  return [
    ...operands.map((word) => (isSearch ? below(reading(word)) : reading(word))),
    ...(changes === undefined ? [] : operands.map((word) => writingBy(word, changes.word)))
  ]
}

/** The operands behind the pattern; all, where a word that may be several makes it unclear which is the first. */
const behindPattern = ({ operands, with: option }: Context): ReadonlyArray<ShellWord> =>
  option("script") !== undefined || operands[0]?.many === true ? operands : operands.slice(1)

const searched = (context: Context, isAlways: boolean): ReadonlyArray<OpenedFile> => {
  const operands = behindPattern(context)
  if (!isAlways && context.with("search") === undefined) return readAll(context, operands)
  return (operands.length === 0 ? [everythingHere] : operands).map((word) => below(reading(word)))
}

/** Scripts in the words: those of options, or else the first operand. */
const scripted =
  (program: string, isPlain: (script: string) => boolean) =>
  (context: Context): Found => {
    const given = context.given.flatMap(({ roles, value }) => (roles.includes("script") ? [value] : []))
    const scripts = given.length > 0 ? given : context.operands.slice(0, 1)
    const isClear = scripts.every((script) => script?.value !== undefined && isPlain(script.value))
    return {
      files: readAll(context, behindPattern(context)),
      doubts: isClear ? [] : [`the script of ${program} may run a program or open a file`]
    }
  }

/** Into a folder or a file: both count, as does everything below where folders are copied or names are not known. */
const copied = (context: Context, isMove: boolean): Found => {
  const { operands } = context
  const into = context.with("into")?.value
  const isOnly = into === undefined && operands.length === 1
  const sources = into === undefined && !isOnly ? operands.slice(0, -1) : operands
  const target = into ?? (isOnly ? everythingHere : operands.at(-1))
  const isSearch = context.with("search") !== undefined
  const isUnclear = isSearch || sources.some(({ value }) => value === undefined)
  const from = sources.map((word) => (isSearch ? below(reading(word)) : reading(word)))
  if (target === undefined) return { files: from }
  const inside = sources.flatMap(({ value }) =>
    value === undefined || target.value === undefined ? [] : [writing(plainWord(`${target.value}/${basename(value)}`))]
  )
  return {
    files: [
      ...from,
      ...(isMove ? sources.map(writing) : []),
      isUnclear ? below(writing(target)) : writing(target),
      ...inside
    ]
  }
}

const tarred = (context: Context): Found => {
  const folder = context.given.filter(({ roles }) => roles.includes("folder"))
  const from = folder.length > 1 ? anyFile : folder[0]?.value
  const placed = (file: OpenedFile): OpenedFile => (from === undefined ? file : { ...file, folder: from })
  const archive = context.given.find(({ name }) => name === "f" || name === "file")
  const isRemote = archive?.value?.value?.includes(":") === true
  const doubts = isRemote ? [`tar may run another program: ${archive.word.text}`] : []
  const isExtract = context.given.some(({ name }) => name === "x" || name === "extract" || name === "get")
  if (isExtract) return { files: [placed(below(writing(everythingHere)))], doubts }
  if (context.with("contents") === undefined) return { files: [], doubts }
  return {
    files: [
      ...context.operands.map((word) => placed(below(reading(word)))),
      ...(context.with("change") === undefined ? [] : context.operands.map((word) => placed(below(writing(word))))),
      ...(archive?.value === undefined ? [] : [writing(archive.value)])
    ],
    doubts
  }
}

/** `file:` addresses are files. */
const addressed = (context: Context): Found => {
  const words = [...context.operands, ...context.given.flatMap(({ name, value }) => (name === "url" ? [value] : []))]
  const changes = context.with("change")
  const local = words.flatMap((word): ReadonlyArray<OpenedFile> => {
    if (word?.value === undefined) return [reading(anyFile)]
    const [, path] = /^file:(?:\/\/[^/]*)?(.*)$/is.exec(word.value) ?? []
    return path === undefined ? [] : [reading(/[%{}[\]]/.test(path) ? anyFile : plainWord(path))]
  })
  return { files: [...local, ...(changes === undefined ? [] : [below(writingBy(everythingHere, changes.word))])] }
}

const operandReaders: Readonly<Record<Operands, (context: Context) => Found>> = {
  none: () => ({ files: [] }),
  read: (context) => ({ files: readAll(context, context.operands) }),
  write: (context) => ({
    files: context.operands.map((word) => (context.with("search") === undefined ? writing(word) : below(writing(word))))
  }),
  replace: (context) => ({
    files: [
      ...context.operands.map(reading),
      ...(context.with("names") === undefined ? context.operands.map(writing) : [])
    ]
  }),
  pager: (context) => ({
    files: readAll(context, context.operands),
    doubts: context.operands
      .filter(({ value }) => value === undefined || value.startsWith("+"))
      .map(({ text }) => `a pager may run another program: ${text}`)
  }),
  pattern: (context) => ({ files: searched(context, false) }),
  tree: (context) => ({ files: searched(context, true) }),
  sed: scripted("sed", isPlainSed),
  awk: scripted("awk", isPlainAwk),
  copy: (context) => copied(context, false),
  move: (context) => copied(context, true),
  inOut: ({ isWriter, operands: [from, to, ...more] }) => {
    const isUnclear = from?.many === true || to?.many === true || more.length > 0
    return {
      files: [from, to].flatMap((word, at) =>
        word === undefined ? [] : at === 0 ? [reading(word)] : [isWriter ? writing(word) : writingBy(word, undefined)]
      ),
      doubts: isUnclear && !isWriter ? ["the second operand is written, and it is not clear which that is"] : []
    }
  },
  mode: (context) => ({
    files: behindPattern(context).map((word) =>
      context.with("search") === undefined ? writing(word) : below(writing(word))
    )
  }),
  archive: (context) => {
    const [archive, ...others] = context.operands
    return { files: [...(archive === undefined ? [] : [writing(archive)]), ...readAll(context, others)] }
  },
  extract: (context) => {
    const target = (context.with("into") ?? context.with("folder"))?.value ?? everythingHere
    const written = context.with("names") === undefined ? [below(writing(target))] : []
    return { files: [...context.operands.map(reading), ...written] }
  },
  patched: (context) => {
    const [file, ...patches] = context.operands
    const folder = context.with("folder")?.value ?? everythingHere
    return {
      files: [
        ...patches.map(reading),
        ...(file === undefined ? [below(writing(folder))] : [reading(file), writing(file)])
      ]
    }
  },
  tar: tarred,
  assignments: ({ operands }) => ({
    files: operands.flatMap(({ text, value }) => {
      const [, key, path] = /^(if|of)=(.*)$/s.exec(value ?? text) ?? []
      const word = value === undefined ? anyFile : plainWord(path ?? "")
      return key === undefined && value !== undefined ? [] : key === "of" ? [writing(word)] : [reading(word)]
    })
  }),
  addresses: addressed,
  words: () => ({ files: [] }),
  find: ({ words }) => ({
    files: words.flatMap(({ value }, at) => (value === "-files0-from" ? [reading(words[at + 1] ?? anyFile)] : []))
  }),
  patch: ({ operands: [text] }) => {
    const paths = text?.value === undefined ? undefined : patchPaths(text.value)
    return paths === undefined
      ? { files: [], doubts: ["a patch that is not understood"] }
      : { files: paths.map((path) => writing(plainWord(path))) }
  }
}
