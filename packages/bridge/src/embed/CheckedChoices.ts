/**
 * What is chosen for a session, checked before there is one: options that fit, and folders below the roots.
 */
import * as Effect from "effect/Effect"
import type { WorkingFolders } from "../process/WorkingFolder.ts"
import { decodeAgentOptions } from "../session/AgentOptions.ts"
import type { Runtime } from "../session/Runtime.ts"
import { kindProblem } from "../session/Runtimes.ts"
import { type SessionChoices, SessionRefused } from "../session/Sessions.ts"

/** The choices with the real paths of their folders, or why they may not be had. */
export const checkChoices = (
  folders: WorkingFolders,
  choices: SessionChoices,
  runtime: Pick<Runtime["Service"], "kind" | "kinds">
): Effect.Effect<SessionChoices, SessionRefused> =>
  Effect.gen(function* () {
    const { addDirs, ...agent } = yield* Effect.fromResult(decodeAgentOptions(choices.agent ?? {}))
    const problem = kindProblem(runtime, agent.runtime)
    if (problem !== undefined) return yield* Effect.fail(problem)
    const cwd = choices.cwd === undefined ? undefined : yield* folders.resolve(choices.cwd)
    const further = addDirs === undefined ? undefined : yield* Effect.forEach(addDirs, folders.resolve)
    return {
      ...choices,
      ...(cwd !== undefined && { cwd }),
      agent: { ...agent, ...(further !== undefined && { addDirs: further }) }
    }
  }).pipe(Effect.mapError(({ code, message }) => new SessionRefused({ code, message })))
