/**
 * What goes wrong below, as refusals of the management API.
 */
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { BranchFailed } from "../../session/Branching.ts"
import type { NativeFailed, StartFailed } from "../../session/Runtime.ts"
import type { NothingPending, SteerRefused, ThreadBusy } from "../../session/Session.ts"
import { HttpRefusal, type RefusalCode, refuse } from "../http/HttpRefusal.ts"
import { logFailed, sessionRefused } from "../http/SessionRefusal.ts"

const ofNative: Readonly<Record<string, RefusalCode>> = {
  UNSUPPORTED: "AGENT_UNSUPPORTED",
  TIMEOUT: "AGENT_TIMEOUT",
  REFUSED: "AGENT_REFUSED",
  BAD_ANSWER: "AGENT_BAD_ANSWER",
  GONE: "AGENT_NOT_RUNNING",
  CHECKPOINTING_OFF: "CHECKPOINTING_OFF"
}

const advice = "Start it with POST …/start, or send a message."

/** A request to the agent itself that failed. */
export const nativeFailed = ({ code, message }: Pick<NativeFailed, "code" | "message">): HttpRefusal => {
  const refusal = ofNative[code] ?? "AGENT_BAD_ANSWER"
  return refuse(refusal, refusal === "AGENT_NOT_RUNNING" ? `${message} ${advice}` : message)
}

/** An agent that could not be started. */
export const startFailed = ({ code, message }: StartFailed): HttpRefusal =>
  new HttpRefusal({ code: "START_FAILED", message, why: code })

/** An agent that nothing can be sent to. */
export const notRunning = ({ message }: StartFailed): HttpRefusal => refuse("AGENT_NOT_RUNNING", `${message} ${advice}`)

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
