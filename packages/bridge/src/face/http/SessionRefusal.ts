/**
 * Why a session cannot be had, as a refusal.
 */
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { SessionRefused } from "../../session/Sessions.ts"
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
  { prefix: "TRANSCRIPT_", code: "TRANSCRIPT_FAILED" }
]

/** A session whose thread cannot be written any more. */
export const logFailed = ({ code, message }: LogFailed): HttpRefusal =>
  new HttpRefusal({ code: "STORE_FAILED", message, why: code })
