/**
 * What a command of `agentwire` is: data for the help and the parser, and one function.
 */
import { type ParseArgsConfig, parseArgs } from "node:util"
import type { Console } from "./Console.ts"
import { UsageFailure } from "./Failure.ts"
import { didYouMean } from "./Nearest.ts"
import { escapeControls } from "./Paint.ts"

/** Fine, found something, could not do it. */
export type ExitCode = 0 | 1 | 2

/** One option, as the help shows it and as `parseArgs` wants it. */
export interface Option {
  readonly type: "boolean" | "string"
  readonly short?: string
  /** May be given more than once; its values are then in {@link Input.lists}. */
  readonly multiple?: boolean
  /** How the help names the value of a string option; where words can be listed, they are: `agent|host`. */
  readonly value?: string
  /** Left out of the help: for agentwire's own use. */
  readonly hidden?: boolean
  readonly summary: string
}

/** One command. */
export interface Command {
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  /** What stands behind the name in the usage line. */
  readonly usage: string
  /** Paragraphs for the command's own help. */
  readonly details: string
  readonly options: Readonly<Record<string, Option>>
  /** What its first argument may be, where that can be listed. */
  readonly choices?: ReadonlyArray<string>
  readonly run: (input: Input, console: Console) => Promise<ExitCode>
}

/** One row of the list of commands. */
export interface CommandRow {
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** Commands by name. */
export type CommandTable = Readonly<Record<string, CommandRow>>

/** The command line, parsed. */
export interface Input {
  readonly positionals: ReadonlyArray<string>
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  /** The values of the options that may be given more than once. */
  readonly lists: Readonly<Record<string, ReadonlyArray<string>>>
}

/** The options every command has. */
export const commonOptions: Readonly<Record<string, Option>> = {
  help: { type: "boolean", short: "h", summary: "show this help" },
  debug: { type: "boolean", summary: "show the stack trace of an error" }
}

/** Parses a command's arguments. Throws a {@link UsageFailure} that says what was wrong. */
export const parse = (command: Command, args: ReadonlyArray<string>): Input => {
  const options: NonNullable<ParseArgsConfig["options"]> = {}
  for (const [name, { multiple = false, short, type }] of Object.entries({ ...command.options, ...commonOptions })) {
    options[name] = short === undefined ? { type, multiple } : { type, multiple, short }
  }
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    const single: Record<string, string | boolean | undefined> = {}
    const lists: Record<string, ReadonlyArray<string>> = {}
    for (const [name, value] of Object.entries(values)) {
      if (Array.isArray(value)) lists[name] = value.map(String)
      else single[name] = value
    }
    return { positionals, values: single, lists }
  } catch (error) {
    throw new UsageFailure(error instanceof Error ? wordsOn(error, command) : String(error))
  }
}

/** What Node says of a command line names the option, and continues with advice that confuses more than it helps. */
const wordsOn = (error: Error, { name, options }: Command): string => {
  const [, flag = "", long] = /'(-[^ ,']*)(?:, --([^ ']*))?/.exec(error.message) ?? []
  const typed = long ?? flag.replace(/^-+/, "")
  const code = "code" in error ? error.code : undefined
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const known = Object.entries({ ...options, ...commonOptions }).filter(([, { hidden }]) => hidden !== true)
    return `${name} has no option ${flag}.${didYouMean(
      typed,
      known.map(([option]) => option),
      "--"
    )}`
  }
  const option = Object.hasOwn(options, typed) ? options[typed] : undefined
  if (code !== "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") return error.message
  return option?.type === "string"
    ? `--${typed} needs a value: ${option.value ?? "TEXT"}.${/ambiguous/.test(error.message) ? ` One that begins with a dash is given as --${typed}=-….` : ""}`
    : `--${typed} takes no value.`
}

/** The help of one command. */
export const commandHelp = (command: Command): string =>
  [
    `agentwire ${command.name}: ${command.summary}`,
    `Usage: agentwire ${command.name} ${command.usage}`,
    command.details,
    `Options:\n${optionTable({ ...command.options, ...commonOptions })}`
  ].join("\n\n")

/** Options, one a line, aligned. */
export const optionTable = (options: Readonly<Record<string, Option>>): string =>
  columns(
    Object.entries(options)
      .filter(([, { hidden }]) => hidden !== true)
      .map(([name, { short, summary, value }]) => [
        `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
        summary
      ]),
    widestOption
  )

/** What is longer stands on a line of its own, so that the summaries do not move to the edge of the screen. */
const widestOption = 36

/** Rows of two, each on its own lines, indented, the second column aligned; behind what is wider than `most` it is on the next line. */
export const columns = (rows: ReadonlyArray<readonly [string, string]>, most = Number.POSITIVE_INFINITY): string => {
  const cells = rows.map(([left, right]) => [escapeControls(left), escapeControls(right)] as const)
  const width = cells.reduce((widest, [{ length }]) => (length <= most ? Math.max(widest, length) : widest), 0)
  return cells
    .map(([left, right]) =>
      left.length > width ? `  ${left}\n  ${" ".repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`
    )
    .join("\n")
}
