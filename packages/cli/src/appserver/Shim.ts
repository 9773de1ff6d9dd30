/** A `codex` for clients that start one: `codex app-server` is agentwire's, all else the real one's. */
import { join, resolve } from "node:path"
import { findProgram } from "@agentwire/bridge/program"
import type { Input } from "../Command.ts"
import { ownCommand, writeExecutable } from "../Executable.ts"

/** What is for the writing of the shim, and not for what it starts. */
const own = new Set(["shim", "listen", "stdio", "as-codex", "real-codex", "json", "debug", "help"])

/** Options that name files: a client starts the shim in a folder of its own. */
const paths = new Set(["cli", "policy", "data", "import", "record", "replay"])

/** The options of a command line, to be written on another. */
const optionsOf = ({ lists, values }: Input): ReadonlyArray<string> => [
  ...Object.entries(values).flatMap(([name, value]) => {
    if (own.has(name) || value === undefined || value === false) return []
    if (value === true) return [`--${name}`]
    return [`--${name}=${paths.has(name) ? resolve(value) : value}`]
  }),
  ...Object.entries(lists).flatMap(([name, each]) => each.map((value) => `--${name}=${value}`))
]

/** Writes the shim, and gives its path. */
export const writeCodexShim = (folder: string, input: Input): string => {
  const real = findProgram("codex", { without: resolve(folder) })
  return writeExecutable(
    join(folder, "codex"),
    "codex app-server with another agent behind it; all other commands are the real codex's",
    [
      ...ownCommand(),
      "app-server",
      "--as-codex",
      ...optionsOf(input),
      ...cliOf(input),
      ...(real === undefined ? [] : [`--real-codex=${real}`]),
      "--"
    ]
  )
}

/** The agent's program as it is found now: a client may start the shim without a PATH. */
const cliOf = ({ values }: Input): ReadonlyArray<string> => {
  if (["cli", "replay", "demo"].some((name) => values[name] !== undefined)) return []
  const name = values["runtime"] === "codex" ? "codex" : "claude"
  const found = findProgram(name)
  return found === undefined ? [] : [`--cli=${found}`]
}
