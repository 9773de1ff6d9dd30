/** What a shell can complete of the command line, read off the tables of the commands. */
import { type Command, commonOptions, type Option } from "./Command.ts"

/** What comes behind an option. */
export type ValueKind =
  /** Nothing. */
  | { readonly _tag: "None" }
  | { readonly _tag: "Choice"; readonly choices: ReadonlyArray<string> }
  | { readonly _tag: "File" }
  | { readonly _tag: "Folder" }
  /** Nobody but the person knows. */
  | { readonly _tag: "Free" }

/** An option of a command. */
export interface OptionWord {
  readonly name: string
  readonly short: string | undefined
  readonly summary: string
  readonly multiple: boolean
  readonly value: ValueKind
}

/** A command and what may follow it. */
export interface CommandWords {
  readonly name: string
  readonly summary: string
  /** What its first argument may be; undefined: files. Behind it there may be files. */
  readonly choices: ReadonlyArray<string> | undefined
  readonly options: ReadonlyArray<OptionWord>
}

/** What can be completed behind a command. Options of agentwire's own are left out. */
export const wordsOf = ({ choices, name, options, summary }: Command): CommandWords => ({
  name,
  summary,
  choices,
  options: Object.entries({ ...options, ...commonOptions })
    .filter(([, { hidden }]) => hidden !== true)
    .map(([name, option]) => ({
      name,
      short: option.short,
      summary: option.summary,
      multiple: option.multiple === true,
      value: kindOf(option)
    }))
})

/** The help names a value by what it is, in capitals, or by the words that it may be. */
const kindOf = ({ type, value = "" }: Option): ValueKind => {
  if (type === "boolean") return { _tag: "None" }
  const choices = value.split("|").filter((each) => !/[A-Z]/.test(each))
  if (value.includes("|") && choices.length > 0) return { _tag: "Choice", choices }
  if (/DIR|FOLDER/.test(value)) return { _tag: "Folder" }
  return /FILE|PATH|TAPE/.test(value) ? { _tag: "File" } : { _tag: "Free" }
}
