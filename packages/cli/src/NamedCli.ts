/** The Claude Code CLI that `--cli` names, for commands that do not use Effect. */
import type { FoundCli } from "@agentwire/bridge/claude"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Failure } from "./Failure.ts"

/** Finds the CLI with a path or a name in the PATH. Throws a {@link Failure} when there is none that runs. */
export const namedCli = async (cliPath: string): Promise<FoundCli> => {
  // The bridge is big, and most commands do without it.
  const { findCli } = await import("@agentwire/bridge/claude")
  const env = { PATH: process.env["PATH"] ?? "" }
  const found = await Effect.runPromise(Effect.result(findCli({ cliPath, env })))
  if (Result.isFailure(found)) throw new Failure(found.failure.message)
  return found.success
}
