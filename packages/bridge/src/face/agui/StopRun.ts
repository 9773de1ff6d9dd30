/**
 * Stopping by the name of a run, which only AG-UI's clients know turns by.
 */
import type * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import { runIdOf } from "./AguiThread.ts"

/** Stops the turn that a client knows as this run; any that is open when it names none. */
export const stopRun = (session: Session, runId: string | undefined): Effect.Effect<boolean> =>
  session.stop(runId === runIdOf(session.threadId, session.log.situation()) ? undefined : runId)
