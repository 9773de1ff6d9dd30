/**
 * Why a session, or what is known of one, cannot be had.
 */
import * as Schema from "effect/Schema"

/** There is no room for another session, the thread may not be opened, or there is no such thing. */
export class SessionRefused extends Schema.TaggedError<SessionRefused>()("SessionRefused", {
  /**
   * Stable: `SESSION_LIMIT`, `BAD_THREAD_ID`, `THREAD_EXISTS`, `THREAD_ELSEWHERE`, `BAD_OPTION`, `CLOSING` (the
   * bridge ends), `BAD_CURSOR` (of another list), `SESSION_NOT_FOUND`, `MESSAGE_NOT_FOUND`, `BRANCH_NOT_FOUND`,
   * `BRANCH_UNAVAILABLE`, `AGENT_UNSUPPORTED`, and those of `WorkingFolderRefused`, `StoreFailed` and `TranscriptFailed`.
   */
  code: Schema.String,
  message: Schema.String
}) {}

/** Any failure that says what is wrong, as a refusal. */
export const refused = ({ code, message }: Pick<SessionRefused, "code" | "message">): SessionRefused =>
  new SessionRefused({ code, message })
