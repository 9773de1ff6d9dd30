/**
 * The requests of Codex's own protocol that may be made through a session, and what of them the session knows better than
 * whoever asks: the thread and the turn.
 *
 * What runs programs, touches files or changes the person's configuration and login is not among them: no policy would
 * be asked. Nor is what begins a thread: a session has one. Nor `thread/revert`: Codex would forget what the session goes on
 * showing, and a session goes back by itself, with both.
 */
import type { ClientMethod } from "@agentwire/protocol/codex"

const allowed: ReadonlyArray<ClientMethod> = [
  "turn/steer",
  "turn/interrupt",
  "turn/settings/update",
  "review/start",
  "thread/name/set",
  "thread/compact/start",
  "thread/fork",
  "thread/archive",
  "thread/unarchive",
  "thread/read",
  "thread/list",
  "thread/loaded/list",
  "thread/turns/list",
  "thread/items/list",
  "thread/settings/update",
  "thread/goal/set",
  "thread/goal/get",
  "thread/goal/clear",
  "thread/backgroundTerminals/list",
  "thread/backgroundTerminals/clean",
  "thread/backgroundTerminals/terminate",
  "model/list",
  "skills/list",
  "hooks/list",
  "collaborationMode/list",
  "permissionProfile/list",
  "experimentalFeature/list",
  "mcpServerStatus/list",
  "account/rateLimits/read"
]

const natives: ReadonlySet<string> = new Set(allowed)

/** Whether a request may be made through a session. */
export const isNative = (method: string): boolean => natives.has(method)

/** What a session is at. */
export interface NativePlace {
  readonly threadId: string | undefined
  readonly turnId: string | undefined
}

/** The params of a request: what is not said is the session's thread, and the turn in progress. */
export const nativeParams = (
  method: string,
  body: Readonly<Record<string, unknown>>,
  { threadId, turnId }: NativePlace
): Readonly<Record<string, unknown>> => ({
  ...(ofThread.test(method) && threadId !== undefined && { threadId }),
  ...(method === "turn/steer" && turnId !== undefined && { expectedTurnId: turnId }),
  ...(ofTurn.has(method) && turnId !== undefined && { turnId }),
  ...body
})

const ofThread = /^(?:turn|review)\/|^thread\/(?!list|loaded)/

const ofTurn: ReadonlySet<string> = new Set(["turn/interrupt", "turn/settings/update"])
