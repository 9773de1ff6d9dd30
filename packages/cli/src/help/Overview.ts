/** What `agentwire` says of itself when it is not told what to do. */
import { type CommandTable, columns, commonOptions, optionTable } from "../Command.ts"
import { topics } from "./Topics.ts"

/** The commands, the topics and the options. */
export const overview = (commands: CommandTable): string =>
  [
    "agentwire: the wire between coding agents and user interfaces",
    "Usage: agentwire COMMAND [OPTIONS]",
    `Commands:\n${columns(summaries(commands))}`,
    `Topics:\n${columns(summaries(topics))}`,
    `Options:\n${optionTable({ ...commonOptions, version: { type: "boolean", short: "V", summary: "show the version" } })}`,
    "`agentwire help COMMAND|TOPIC` says more. Exit codes: 0 fine, 1 found something, 2 could not do it."
  ].join("\n\n")

const summaries = (table: Readonly<Record<string, { readonly summary: string }>>) =>
  Object.entries(table).map(([name, { summary }]) => [name, summary] as const)
