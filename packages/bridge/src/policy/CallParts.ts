/**
 * A tool call taken apart into what rules are compared with: the commands of a shell text, the files that it opens by
 * redirections and by arguments, the files of a patch, or the whole call.
 */
import { basename, resolve } from "node:path"
import { type Folders, foldersOf } from "./CommandFolder.ts"
import { changedPaths } from "./Patch.ts"
import { globFolder, shellGlob } from "./PathPattern.ts"
import type { ToolUse } from "./Policy.ts"
import { isReader, readArguments } from "./program/FileArguments.ts"
import { anyFile, type OpenedFile, reading } from "./program/OpenedFile.ts"
import { wrappers } from "./program/Wrappers.ts"
import { type Disk, type Place, placeFrom } from "./RealPath.ts"
import { readShellText, type ShellCommand, type ShellFile } from "./shell/ShellText.ts"
import { plainWord, type ShellWord } from "./shell/ShellWord.ts"
import type { PathField, ToolInputs } from "./ToolInputs.ts"

/** Where a part of a call reads or writes. */
export interface PartPlace {
  /** The first is meant, the others are possible. */
  readonly places: readonly [Place, ...ReadonlyArray<Place>]
  readonly isSearch: boolean
  /** Names below the place that the shell will look up. */
  readonly globs?: ReadonlyArray<string>
}

/** A part of a call. */
export interface CallPart {
  readonly what: string
  readonly tool: string
  readonly input: ToolUse["input"]
  readonly command?: ShellCommand
  /** The command runs nothing that its words name. */
  readonly isReader?: boolean
  readonly at?: PartPlace
  /** A file is opened, and nobody knows which. */
  readonly isPlaceUnknown?: true
  /** An argument of the command that stands before it: no rule has to allow it. */
  readonly isArgument?: true
  /** The other tool, for an argument of a program that is not known here: perhaps a file, read or written. */
  readonly orTool?: string
  /** A command that is allowed by the name of this option allows this, too. */
  readonly allowedBy?: { readonly option: string; readonly command: ShellCommand; readonly tool: string }
}

/** The parts of a call, and what about it is not understood. */
export interface TakenApart {
  readonly parts: ReadonlyArray<CallPart>
  readonly doubts: ReadonlyArray<string>
}

/** An entry that a table has itself. */
export const own = <A>(table: Readonly<Record<string, A>>, key: string): A | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** Takes a call apart. Arguments matter only where rules about files refuse or ask. */
export const callParts = async (
  use: ToolUse,
  tools: ToolInputs,
  disk: Disk,
  hasFileRules: boolean
): Promise<TakenApart> => {
  const shellField = own(tools.shells, use.toolName)
  if (shellField !== undefined) return shellParts(use, shellField, tools, disk, hasFileRules)
  const pathField = own(tools.paths, use.toolName)
  const whole: CallPart = { what: use.toolName, tool: use.toolName, input: use.input }
  if (pathField === undefined) return { parts: [whole], doubts: [] }
  const paths = pathsOf(use, pathField)
  if (paths === undefined)
    return { parts: [{ ...whole, isPlaceUnknown: true }], doubts: [`${use.toolName} without ${pathField.field}`] }
  const taken = await Promise.all(
    paths.map(async (path): Promise<TakenApart> => {
      const place = await placeFrom(use.cwd, path, disk)
      const at: PartPlace = { places: [place], isSearch: pathField.isSearch === true }
      return { parts: [{ ...whole, what: `${use.toolName} ${path}`, at }], doubts: placeDoubts(path, place) }
    })
  )
  return together(taken)
}

const together = (taken: ReadonlyArray<TakenApart>): TakenApart => ({
  parts: taken.flatMap(({ parts }) => parts),
  doubts: taken.flatMap(({ doubts }) => doubts)
})

const placeDoubts = (path: string, { real }: Place): ReadonlyArray<string> =>
  real === undefined ? [`where ${JSON.stringify(path)} leads cannot be determined`] : []

const pathsOf = (
  { input }: ToolUse,
  { field, glob, isOptional, isPatch }: PathField
): ReadonlyArray<string> | undefined => {
  if (isPatch === true) return changedPaths(input[field])
  const value = input[field] ?? (isOptional === true ? "." : undefined)
  const pattern = glob === undefined ? undefined : input[glob]
  if (typeof value !== "string") return undefined
  if (typeof pattern !== "string") return [value]
  const start = globFolder(pattern)
  return [start.startsWith("/") ? start : start === "" ? value : `${value}/${start}`]
}

// --- shell texts -------------------------------------------------------------------------------

/** The words of one command as a text that means just them. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  const isWords = Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string")
  return isWords ? value.map(quoted).join(" ") : undefined
}

const folderOf = ({ cwd, input, toolName }: ToolUse, tools: ToolInputs): string | undefined => {
  const field = own(tools.folders ?? {}, toolName)
  const folder = field === undefined ? undefined : input[field]
  if (folder === undefined || folder === null) return cwd
  return typeof folder === "string" ? resolve(cwd, folder) : undefined
}

/** More commands than this are not looked at. */
const maxCommands = 500

const shellParts = async (
  use: ToolUse,
  field: string,
  tools: ToolInputs,
  disk: Disk,
  hasFileRules: boolean
): Promise<TakenApart> => {
  const { input, toolName } = use
  const text = textOf(input[field])
  const cwd = folderOf(use, tools)
  const whole: CallPart = { what: toolName, tool: toolName, input }
  if (text === undefined || cwd === undefined)
    return { parts: [whole], doubts: [`${toolName} without ${text === undefined ? field : "a folder"}`] }
  const { commands, doubts, files } = readShellText(text)
  const folders = foldersOf(cwd, text, commands)
  const judged = commands.slice(0, maxCommands)
  const given = distinct(judged.flatMap((command, at) => argumentsOf(command, folders[at], hasFileRules)))
  const opened = await Promise.all([
    ...files.slice(0, maxCommands).map((file) => redirected(cwd, file, tools, disk)),
    ...given.map((argument) => argumentPart(argument, toolName, tools, disk))
  ])
  const all = together([
    {
      parts: judged.map((command) => ({
        ...whole,
        what: whatOf(command),
        command,
        isReader: isReader(nameOf(command))
      })),
      doubts: [
        ...doubts,
        ...(judged.length === commands.length && files.length <= maxCommands ? [] : ["too many commands"]),
        // Bash drops it at the end of a file, and keeps it at the end of `-c`.
        ...(/(^|[^\\])(\\\\)*\\$/.test(text) ? ["a backslash at the end"] : [])
      ]
    },
    ...opened
  ])
  // A text that runs nothing is a call all the same.
  return all.parts.length === 0 ? { ...all, parts: [whole] } : all
}

const nameOf = ({ words: [program] }: ShellCommand): string => basename(program?.value ?? "").toLowerCase()

const whatOf = ({ words }: ShellCommand): string => words.map(({ text }) => text).join(" ")

/** A redirection is judged like a call of the tool that reads or writes files. */
const redirected = async (
  cwd: string,
  { access, path }: ShellFile,
  { files, paths }: ToolInputs,
  disk: Disk
): Promise<TakenApart> => {
  const place = await placeFrom(cwd, path, disk)
  const part = { ...filePart(access, path, { files, paths }), at: { places: [place], isSearch: false } as const }
  return { parts: [part], doubts: placeDoubts(path, place) }
}

const filePart = (
  access: ShellFile["access"],
  path: string,
  { files, paths }: Pick<ToolInputs, "files" | "paths">
): CallPart => {
  const tool = files[access]
  const field = own(paths, tool)?.field
  return { what: `${access} ${path}`, tool, input: field === undefined ? {} : { [field]: path } }
}

// --- arguments ---------------------------------------------------------------------------------

/** A file among the arguments of a command. */
interface Argument {
  readonly file: OpenedFile
  readonly command: ShellCommand
  readonly folders: Folders
  readonly isMention?: true
}

/** More files than this are any. */
const maxArguments = 128

/** Each file once; where there are too many of them, the rest as one that may be any. */
const distinct = (all: ReadonlyArray<Argument>): ReadonlyArray<Argument> => {
  const known = new Map<string, Argument>()
  const rest = new Map<string, Argument>()
  for (const { command, file, folders, isMention } of all) {
    const { access, folder, isFromRoot, isSearch, unexpected, word } = file
    const kind = `${access} ${isSearch} ${isFromRoot} ${isMention} ${unexpected?.option} ${folder?.text}`
    const key = `${word.value ?? word.text}\0${kind}\0${folders?.join("\0")}`
    if (known.size < maxArguments) {
      if (!known.has(key)) known.set(key, { command, file, folders, ...(isMention === true ? { isMention } : {}) })
    } else if (!known.has(key)) {
      const other = { access, word: anyFile, ...(unexpected === undefined ? {} : { unexpected }) }
      rest.set(`${access} ${unexpected === undefined}`, { command, file: other, folders })
    }
  }
  return [...known.values(), ...rest.values()]
}

const argumentsOf = (command: ShellCommand, folders: Folders, hasFileRules: boolean): ReadonlyArray<Argument> => {
  const [program, ...words] = command.words
  if (program?.value === undefined) return []
  const name = nameOf(command)
  const { files, isKnown } = readArguments(name, command.words)
  // What runs another command is not judged by that one's words: they are listed beside it.
  if (isKnown || Object.hasOwn(wrappers, name))
    return files
      .filter((file) => hasFileRules || file.unexpected !== undefined)
      .map((file) => ({ file, command, folders }))
  if (!hasFileRules) return []
  const pieces = new Set(words.flatMap(({ value }) => piecesOf(value ?? "")))
  return [...pieces].map((path) => ({ file: reading(plainWord(path)), command, folders, isMention: true }))
}

/** What may be a path in a word of any program: the word, and what stands behind a `=`, a `@`, a quote and the like. */
const piecesOf = (word: string): ReadonlyArray<string> => [
  word,
  ...word.split(/[\s'"`=:@,;()<>]+/).filter((piece) => piece !== "" && piece !== word && piece.length < maxPiece),
  ...(/^-\w./.test(word) ? [word.slice(2)] : [])
]

const maxPiece = 4096

const argumentPart = async (
  argument: Argument,
  toolName: string,
  tools: ToolInputs,
  disk: Disk
): Promise<TakenApart> => {
  const { command, file, isMention } = argument
  const { access, unexpected, word } = file
  const part: CallPart = {
    ...filePart(access, word.value ?? word.text, tools),
    ...(isMention === true ? { what: `open ${word.text}`, orTool: tools.files.write } : {}),
    ...(unexpected === undefined
      ? { isArgument: true }
      : unexpected.option === undefined
        ? {}
        : { allowedBy: { option: unexpected.option, command, tool: toolName } })
  }
  const at = await placeOf(argument, disk)
  if (at !== undefined) return { parts: [{ ...part, at }], doubts: [] }
  return {
    parts: [{ ...part, isPlaceUnknown: true }],
    doubts: unexpected === undefined ? [] : [`a file is written that is not known yet: ${word.text}`]
  }
}

/** Where an argument leads; undefined: nobody can tell. */
const placeOf = async ({ file, folders, isMention }: Argument, disk: Disk): Promise<PartPlace | undefined> => {
  const path = pathOf(file)
  const from = await startsOf(file, folders, disk)
  if (path === undefined || from === undefined) return undefined
  const [start, globs] = path
  // What only may be a path is not looked up: there may be thousands of them.
  const places = await Promise.all(
    from.map((folder) =>
      isMention === true ? { written: resolve(folder, start), real: [] } : placeFrom(folder, start, disk)
    )
  )
  const [first, ...others] = places
  if (first === undefined) return undefined
  const isSearch = file.isSearch === true && !(await isOneFile(places, disk))
  return { places: [first, ...others], isSearch, ...(globs.length === 0 ? {} : { globs }) }
}

const isOneFile = async (places: ReadonlyArray<Place>, disk: Disk): Promise<boolean> => {
  const [only, ...others] = places.flatMap(({ real }) => real ?? [])
  return only !== undefined && others.length === 0 && (await disk.isFile(only))
}

/** A name as the folder that is known of it, and the globs below. */
const pathOf = ({ isPattern, word }: OpenedFile): readonly [string, ReadonlyArray<string>] | undefined => {
  if (word.value !== undefined) return isPattern === true ? shellGlob(word.value) : [word.value, []]
  return isPlainGlob(word) ? shellGlob(word.text) : undefined
}

/** A word that is unknown only because the shell will look which files there are. */
const isPlainGlob = ({ text }: ShellWord): boolean => /[*?[]/.test(text) && !/[$`'"\\{}()!~|&;<>…]/.test(text)

/** The folders in which a name may begin: that of `git -C`, and the root of the repository where git begins there. */
const startsOf = async ({ folder, isFromRoot, word }: OpenedFile, folders: Folders, disk: Disk): Promise<Folders> => {
  if (word.value?.startsWith("/") === true) return ["/"]
  if (folders === undefined || (folder !== undefined && folder.value === undefined)) return undefined
  const inside = folder?.value
  const starts =
    inside === undefined ? folders : inside.startsWith("/") ? [inside] : folders.map((each) => `${each}/${inside}`)
  if (isFromRoot !== true) return starts
  const roots = await Promise.all(starts.map((start) => disk.repositoryOf(resolve(start))))
  return [...new Set([...starts, ...roots.filter((root) => root !== undefined)])]
}
