/**
 * A file that a command opens by its arguments: what is known of it, and what the options of a program say about such
 * files whatever the program is.
 */

import { plainWord, type ShellWord, unknownWord } from "../shell/ShellWord.ts"
import type { GivenOption, Options, ReadOptions } from "./ProgramOptions.ts"

/** A file that a command opens. */
export interface OpenedFile {
  readonly access: "read" | "write"
  /** Its name. */
  readonly word: ShellWord
  /** Everything below it is meant, too. */
  readonly isSearch?: true
  /** The program itself takes `*` in the name for any characters. */
  readonly isPattern?: true
  /** The folder in which the name begins, seen from where the command runs. */
  readonly folder?: ShellWord
  /** The name begins at the root of a repository, which may be any folder above. */
  readonly isFromRoot?: true
  /**
   * A program that is known to read writes here. Whoever allows the program does not allow this, unless by the name of
   * the option.
   */
  readonly unexpected?: { readonly option: string | undefined }
}

/** What the arguments of a command say. */
export interface ArgumentReading {
  readonly files: ReadonlyArray<OpenedFile>
  readonly doubts: ReadonlyArray<string>
  /** The program is in the tables. */
  readonly isKnown: boolean
}

/** Why the options of a program are not understood. */
export const optionDoubts = (
  name: string,
  options: Options,
  { given, unlisted, unsure }: ReadOptions,
  isWriter: boolean
): ReadonlyArray<string> => {
  const runs = given.find(({ roles }) => roles.includes("run"))
  const isRisky = options.mayRun || (options.mayWrite && !isWriter)
  return [
    ...(runs === undefined ? [] : [`${name} may run another program: ${runs.word.text}`]),
    ...(unsure === undefined || !isRisky ? [] : [`${name} may run another program, or write a file: ${unsure.text}`]),
    ...(unlisted === undefined || isWriter ? [] : [`an option of ${name} that is not known here: ${unlisted.text}`])
  ]
}

/** The files that options name. */
export const optionFiles = (given: ReadonlyArray<GivenOption>, isWriter: boolean): ReadonlyArray<OpenedFile> =>
  given.flatMap((option): ReadonlyArray<OpenedFile> => {
    const { roles, value, word } = option
    if (value === undefined) return []
    return roles.flatMap((role): ReadonlyArray<OpenedFile> => {
      if (role === "read") return [reading(value)]
      if (role === "list") return [reading(value), reading(anyFile)]
      if (role === "write") return [isWriter ? writing(value) : writingBy(value, word)]
      return role === "at" ? fileBehindAt(option) : []
    })
  })

/** `@file`, `name=@file`, `name@file`; a cookie without a `=` is a file, too. */
const fileBehindAt = ({ name, value }: GivenOption): ReadonlyArray<OpenedFile> => {
  if (value?.value === undefined) return [reading(anyFile)]
  const [, path] = /[@<]([^;,]*)/.exec(value.value) ?? []
  if (path !== undefined) return [reading(plainWord(path))]
  return (name === "b" || name === "cookie") && !value.value.includes("=") ? [reading(value)] : []
}

/** A file that may be any. */
export const anyFile: ShellWord = unknownWord("…", true)

/** Here, and everything below. */
export const everythingHere: ShellWord = plainWord(".")

/** A file that is read. */
export const reading = (word: ShellWord): OpenedFile => ({ access: "read", word })
/** A file that is written. */
export const writing = (word: ShellWord): OpenedFile => ({ access: "write", word })
/** A file, or everything below it. */
export const below = (file: OpenedFile): OpenedFile => ({ ...file, isSearch: true })

/** A file that a program which reads otherwise writes because of an option. */
export const writingBy = (word: ShellWord, option: ShellWord | undefined): OpenedFile => ({
  access: "write",
  word,
  unexpected: { option: option?.value }
})
