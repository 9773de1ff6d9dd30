/**
 * What goes wrong below, as refusals of the management API.
 */
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { BranchFailed } from "../../session/Branching.ts"
import type { NothingPending, SteerRefused, ThreadBusy } from "../../session/Session.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { logFailed, sessionRefused, startFailed } from "../http/SessionRefusal.ts"

/** A message that is not taken. */
export const messageRefused = (refused: ThreadBusy | LogFailed): HttpRefusal =>
  refused._tag === "LogFailed"
    ? logFailed(refused)
    : refuse("THREAD_BUSY", `${refused.message} Wait for its end, or stop it with POST …/interrupt.`)

/** Words that go into no turn. */
export const steerRefused = (refused: SteerRefused | LogFailed): HttpRefusal => {
  if (refused._tag === "LogFailed") return logFailed(refused)
  const { code, message } = refused
  return code === "STEER_UNSUPPORTED"
    ? refuse("AGENT_UNSUPPORTED", message)
    : refuse(code, `${message} Send it with POST …/messages.`)
}

/** A conversation that does not go back. */
export const branchRefused = (failed: ThreadBusy | BranchFailed): HttpRefusal => {
  switch (failed._tag) {
    case "ThreadBusy":
      return refuse("THREAD_BUSY", `${failed.message} Wait until it is there.`)
    case "LogFailed":
      return logFailed(failed)
    case "SessionRefused":
      return sessionRefused(failed)
    case "StartFailed":
      return failed.code === "BRANCH_UNAVAILABLE" ? refuse(failed.code, failed.message) : startFailed(failed)
  }
}

/** An answer that is not taken. */
export const answerRefused = (refused: NothingPending | LogFailed): HttpRefusal =>
  refused._tag === "LogFailed" ? logFailed(refused) : nothingPending(refused.message)

/** An answer to nothing. */
export const nothingPending = (message: string): HttpRefusal => refuse("NOTHING_PENDING", message)
