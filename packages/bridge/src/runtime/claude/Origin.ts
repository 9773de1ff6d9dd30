/**
 * Where the next process of a conversation begins: at the end of a session of the CLI, or after an earlier line of one,
 * in a copy of it, so that the session itself keeps what followed (docs/wire/claude-code.md §10).
 */
import * as Claude from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import type { LaunchRequest } from "./Agent.ts"

/** Where a process begins. Empty: with a new session. */
export type Origin = Pick<LaunchRequest, "resume" | "at" | "fork">

/** The end of a session. */
export const endOf = (sessionId: string | undefined): Origin => (sessionId === undefined ? {} : { resume: sessionId })

/** A point that the conversation goes back to; undefined when no point of this CLI has that name. */
export const originAt = (anchor: string | null): Origin | undefined => {
  if (anchor === null) return {}
  const point = Claude.readAnchor(anchor)
  return point && { resume: point.sessionId, at: point.uuid, fork: true }
}

/** The CLI's words for a session that it has nothing of. */
const noSession = /No conversation found with session ID/

/**
 * Whether a CLI says that it has nothing of the session it is to continue: it was killed before it had written anything
 * down (docs/wire/claude-code.md §5.46, §9). All but 2.0.45 say so in a line, that one as it ends.
 */
export const isNoSession = (words: string | undefined): boolean => words !== undefined && noSession.test(words)

/** Why a CLI does not begin where it should, in its own words: the only line that it writes then. */
export const refusalIn = (decoded: Claude.Decoded): string | undefined => {
  if (decoded._tag !== "Known" || decoded.name !== "result/error_during_execution") return undefined
  const errors: unknown = isRecord(decoded.message) ? decoded.message["errors"] : undefined
  return Array.isArray(errors) ? errors.filter((each) => typeof each === "string").join(" ") : ""
}
