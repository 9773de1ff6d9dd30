/** What a check of `agentwire doctor` is. */
import type { FoundCli } from "@agentwire/bridge/claude"
import * as Effect from "effect/Effect"
import type { Finding } from "../Finding.ts"
import type { Surroundings } from "../Surroundings.ts"

/** One check. */
export interface Check {
  /** Stable, for programs. */
  readonly name: string
  /** For people. */
  readonly title: string
  readonly inspect: (surroundings: Surroundings) => Effect.Effect<Finding>
}

/** A look at the CLI; skipped where there is none. That there is none is for the check `cli` to say. */
export const withCli =
  (look: (cli: FoundCli, surroundings: Surroundings) => Effect.Effect<Finding>): Check["inspect"] =>
  (surroundings) =>
    Effect.matchEffect(surroundings.findCli, {
      onFailure: () => Effect.succeed<Finding>({ status: "skipped", found: "There is no CLI to look at." }),
      onSuccess: (cli) => look(cli, surroundings)
    })

/** The file of a CLI: its script, where node is the program. */
export const fileOf = ({ args, program }: FoundCli): string => args[0] ?? program

/** The same as it can be typed in a shell. */
export const typedFile = (cli: FoundCli): string => {
  const file = fileOf(cli)
  return /^[\w@%+=:,./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`
}
