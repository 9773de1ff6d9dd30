/**
 * Why a session cannot be had, as a refusal.
 */
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { SessionRefused } from "../../session/Sessions.ts"
import { HttpRefusal, refuse } from "./HttpRefusal.ts"

/** A session that cannot be opened. */
export const sessionRefused = ({ code, message }: Pick<SessionRefused, "code" | "message">): HttpRefusal => {
  switch (code) {
    case "SESSION_LIMIT":
    case "BAD_THREAD_ID":
    case "THREAD_EXISTS":
    case "THREAD_ELSEWHERE":
    case "CLOSING":
      return refuse(code, message)
    case "BAD_OPTION":
      return refuse("BAD_INPUT", message)
    default:
      return new HttpRefusal({ code: code.startsWith("CWD_") ? "FOLDER_REFUSED" : "STORE_FAILED", message, why: code })
  }
}

/** A session whose thread cannot be written any more. */
export const logFailed = ({ code, message }: LogFailed): HttpRefusal =>
  new HttpRefusal({ code: "STORE_FAILED", message, why: code })
