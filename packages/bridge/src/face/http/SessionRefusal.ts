/**
 * Why a session cannot be had, or its agent does not do what it is asked, as a refusal.
 */
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { NativeFailed, StartFailed } from "../../session/Runtime.ts"
import type { SessionRefused } from "../../session/Sessions.ts"
import type { SettingFailed } from "../../session/Settings.ts"
import type { Unreachable } from "../../session/Unreachable.ts"
import { HttpRefusal, type RefusalCode, refuse } from "./HttpRefusal.ts"

/** A session that cannot be opened. */
export const sessionRefused = ({ code, message }: Pick<SessionRefused, "code" | "message">): HttpRefusal => {
  switch (code) {
    case "SESSION_LIMIT":
    case "BAD_THREAD_ID":
    case "THREAD_EXISTS":
    case "THREAD_ELSEWHERE":
    case "CLOSING":
    case "BAD_CURSOR":
    case "SESSION_NOT_FOUND":
    case "MESSAGE_NOT_FOUND":
    case "BRANCH_NOT_FOUND":
    case "BRANCH_UNAVAILABLE":
    case "AGENT_UNSUPPORTED":
    case "RUNTIME_TOO_OLD":
      return refuse(code, message)
    case "BAD_OPTION":
      return refuse("BAD_INPUT", message)
    default: {
      const family = families.find(({ prefix }) => code.startsWith(prefix))
      return new HttpRefusal({ code: family?.code ?? "STORE_FAILED", message, why: code })
    }
  }
}

/** What codes that begin so are about. */
const families: ReadonlyArray<{ readonly prefix: string; readonly code: RefusalCode }> = [
  { prefix: "CWD_", code: "FOLDER_REFUSED" },
  { prefix: "TRANSCRIPT_", code: "TRANSCRIPT_FAILED" },
  { prefix: "RUNTIME_", code: "RUNTIME_UNREACHABLE" },
  { prefix: "LINK_", code: "RUNTIME_UNREACHABLE" }
]

/** A session whose thread cannot be written any more. */
export const logFailed = (failed: LogFailed): HttpRefusal => sessionRefused(failed)

/** The process that has the sessions cannot be reached. */
export const unreachable = (failed: Unreachable): HttpRefusal => sessionRefused(failed)

const ofAgent: Readonly<Record<string, RefusalCode>> = {
  UNSUPPORTED: "AGENT_UNSUPPORTED",
  TIMEOUT: "AGENT_TIMEOUT",
  REFUSED: "AGENT_REFUSED",
  BAD_ANSWER: "AGENT_BAD_ANSWER",
  GONE: "AGENT_NOT_RUNNING",
  CHECKPOINTING_OFF: "CHECKPOINTING_OFF"
}

const advice = "Start it with POST …/start, or send a message."

/** A request to the agent itself that failed, or a setting that it does not have. */
export const nativeFailed = ({ code, message }: Pick<NativeFailed, "code" | "message">): HttpRefusal => {
  const refusal = ofAgent[code] ?? "AGENT_BAD_ANSWER"
  return refuse(refusal, refusal === "AGENT_NOT_RUNNING" ? `${message} ${advice}` : message)
}

/** An agent that could not be started. */
export const startFailed = ({ code, message }: StartFailed): HttpRefusal =>
  new HttpRefusal({ code: "START_FAILED", message, why: code })

/** An agent that nothing can be sent to. */
export const notRunning = ({ message }: StartFailed): HttpRefusal => refuse("AGENT_NOT_RUNNING", `${message} ${advice}`)

/** Settings that the agent does not have. */
export const settingFailed = (failed: SettingFailed | StartFailed): HttpRefusal =>
  failed._tag === "SettingFailed" ? nativeFailed(failed) : startFailed(failed)
