/**
 * What goes wrong below, as refusals of the management API.
 */
import type { NativeFailed, StartFailed } from "../../session/Runtime.ts"
import type { NothingPending, ThreadBusy } from "../../session/Session.ts"
import type { SessionRefused } from "../../session/Sessions.ts"
import { HttpRefusal, type RefusalCode, refuse } from "../http/HttpRefusal.ts"

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

/** A session that cannot be opened. */
export const sessionRefused = ({ code, message }: SessionRefused): HttpRefusal => {
  switch (code) {
    case "SESSION_LIMIT":
    case "BAD_THREAD_ID":
    case "THREAD_EXISTS":
    case "CLOSING":
      return refuse(code, message)
    case "BAD_OPTION":
      return refuse("BAD_INPUT", message)
    default:
      return new HttpRefusal({ code: "FOLDER_REFUSED", message, why: code })
  }
}

/** A run on a thread that has one. */
export const threadBusy = ({ message }: ThreadBusy): HttpRefusal =>
  refuse("THREAD_BUSY", `${message} Wait for its end, or stop it with POST …/interrupt.`)

/** An answer to nothing. */
export const nothingPending = ({ message }: Pick<NothingPending, "message">): HttpRefusal =>
  refuse("NOTHING_PENDING", message)
