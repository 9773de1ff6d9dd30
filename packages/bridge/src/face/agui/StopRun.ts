/**
 * Stops a turn by the id of its run, the only name that AG-UI's clients have for it.
 */
import type * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import { runIdOf } from "./AguiThread.ts"

/** Stops the turn that a client knows as this run; without an id, whichever is open. */
export const stopRun = (session: Session, runId: string | undefined): Effect.Effect<boolean> =>
  session.stop(runId === runIdOf(session.threadId, session.log.situation()) ? undefined : runId)
