/** The files that a command of git shows or opens by its arguments. */

import { plainWord, type ShellWord } from "../shell/ShellWord.ts"
import { type GitOperands, gitOptions, gitQueries, gitTable } from "./GitTable.ts"
import {
  type ArgumentReading,
  everythingHere,
  type OpenedFile,
  optionDoubts,
  optionFiles,
  reading
} from "./OpenedFile.ts"
import { type GivenOption, type Options, type ReadOptions, readOptions } from "./ProgramOptions.ts"

/** Reads the words behind `git`. */
export const gitFiles = (words: ReadonlyArray<ShellWord>, optionsOf: (line: string) => Options): ArgumentReading => {
  const outer = readOptions(optionsOf(gitOptions), words, { isLeading: true })
  const doubts = optionDoubts("git", optionsOf(gitOptions), outer, false)
  const [command, ...rest] = outer.operands
  const row =
    command?.value !== undefined && Object.hasOwn(gitTable, command.value) ? gitTable[command.value] : undefined
  if (command?.value === undefined || row === undefined) return { files: [], doubts, isKnown: command === undefined }
  const name = `git ${command.value}`
  const isWriter = row.isWriter === true
  const options = optionsOf(row.options)
  const inner = readOptions(options, rest)
  const folders = outer.given.filter(({ roles }) => roles.includes("folder"))
  const folder = folders.length > 1 ? { text: "…", value: undefined, many: false } : folders[0]?.value
  const opened = [...operandFiles(row.operands, inner), ...optionFiles(inner.given, isWriter)]
  return {
    files: folder === undefined ? opened : opened.map((file) => ({ ...file, folder })),
    doubts: [
      ...doubts,
      ...optionDoubts(name, options, inner, isWriter),
      ...(row.operands === "run" && gitQueries[command.value]?.has(rest[0]?.value ?? "") !== true
        ? [`what ${name} runs is not followed`]
        : []),
      ...inner.given.filter(checksSignatures).map(({ word }) => `${name} may run another program: ${word.text}`),
      ...inner.operands
        .filter(({ value }) => value?.startsWith("ext::") === true)
        .map(({ text }) => `git may run another program: ${text}`)
    ],
    isKnown: true
  }
}

/** `%G?` and the like run a program that checks signatures. */
const checksSignatures = ({ name, value }: GivenOption): boolean =>
  (name === "format" || name === "pretty") &&
  (value?.value === undefined ? value !== undefined : value.value.includes("%G"))

const operandFiles = (kind: GitOperands, read: ReadOptions): ReadonlyArray<OpenedFile> => {
  const has = (role: GivenOption["roles"][number]): boolean => read.given.some(({ roles }) => roles.includes(role))
  switch (kind) {
    case "none":
    case "run":
      return []
    case "read":
      return read.operands.map((word) => ({ ...reading(word), isPattern: true }))
    case "write":
      return read.operands.map((word) => ({ access: "write", word, isPattern: true }))
    case "history":
      return has("contents") || read.unsure !== undefined ? shown(read) : []
    case "contents":
      if (has("search")) return read.operands.map((word) => ({ ...reading(word), isSearch: true }))
      return has("names") && !has("contents") && read.unsure === undefined ? [] : shown(read)
    case "pattern":
      if (has("script") || read.operands[0]?.many === true) return shown(read)
      return shown({ ...read, operands: read.operands.slice(1), before: Math.max(0, read.before - 1) })
  }
}

/** All there is, in the repository that this folder is in. */
const everything: OpenedFile = { ...reading(everythingHere), isSearch: true, isFromRoot: true }

/** The files of which versions and paths show the contents. */
const shown = ({ before, given, operands }: ReadOptions): ReadonlyArray<OpenedFile> => {
  const versions = operands.slice(0, before)
  const paths = operands.slice(before)
  const traced = given.flatMap(({ name, value }) => (name === "L" && value !== undefined ? [value] : []))
  const files = [
    ...traced.map(({ many, text, value }) =>
      reading({ text, many, value: value === undefined ? undefined : value.slice(value.lastIndexOf(":") + 1) })
    ),
    ...versions.map(
      (word): OpenedFile => ({ ...reading(inVersion(word)), isSearch: true, isPattern: true, isFromRoot: true })
    ),
    ...paths.map((word): OpenedFile => ({ ...reading(withoutMagic(word)), isSearch: true, isPattern: true }))
  ]
  // A number may be that of a file's contents, which paths do not narrow.
  const isNarrow = versions.every(({ value }) => value !== undefined && !/^[0-9a-f]{4,}$/i.test(value))
  const isFile = versions.length > 0 && versions.every(({ value }) => value?.includes(":") === true)
  return isFile || (paths.length > 0 && isNarrow) || traced.length > 0 ? files : [...files, everything]
}

/** `HEAD:path`, `:path` and `:0:path` are contents of a path; anything else with a `:` in front may be all. */
const inVersion = (word: ShellWord): ShellWord => {
  if (word.value === undefined || !word.value.includes(":")) return word
  if (/^:[/(!^]/.test(word.value)) return { ...word, value: undefined }
  return plainWord(word.value.replace(/^:[0-3]:|^[^:]*:/, "") || ".")
}

const withoutMagic = (word: ShellWord): ShellWord =>
  word.value?.startsWith(":") === true ? { ...word, value: undefined } : word
