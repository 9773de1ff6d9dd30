/** The commands of `agentwire`. Each loads only when it is asked for: `--help` must be quick. */
import type { Command } from "../Command.ts"

/** One row of the list of commands. */
export interface CommandRow {
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** All commands by name, in the order the help lists them. */
export const commands: Readonly<Record<string, CommandRow>> = {
  decode: {
    summary: "say what is in a recorded session: messages, unknown types, drift, invalid lines",
    load: async () => (await import("./decode.ts")).decode
  }
}
