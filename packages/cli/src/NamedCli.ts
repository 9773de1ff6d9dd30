/** The CLI that `--cli` names, for commands that do not use Effect. */
import type { FoundCli, LaunchFailed } from "@agentwire/bridge/claude"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Failure } from "./Failure.ts"
import type { RuntimeKind } from "./runtime/Runtimes.ts"

type Find = (path: string, env: { readonly PATH: string }) => Effect.Effect<FoundCli, LaunchFailed>

/** How the program of each runtime is found. The bridge is big, and most commands do without it. */
const finders: Readonly<Record<RuntimeKind, () => Promise<Find>>> = {
  claude: async () => {
    const { findCli } = await import("@agentwire/bridge/claude")
    return (cliPath, env) => findCli({ cliPath, env })
  },
  codex: async () => {
    const { findCodex } = await import("@agentwire/bridge/codex")
    return (codexPath, env) => findCodex({ codexPath, env })
  }
}

/** Finds the CLI with a path or a name in the PATH. Throws a {@link Failure} when there is none that runs. */
export const namedCli = async (path: string, runtime: RuntimeKind): Promise<FoundCli> => {
  const find = await finders[runtime]()
  const found = await Effect.runPromise(Effect.result(find(path, { PATH: process.env["PATH"] ?? "" })))
  if (Result.isFailure(found)) throw new Failure(found.failure.message)
  return found.success
}
