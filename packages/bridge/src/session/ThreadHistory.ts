/**
 * What was said in a thread, a page at a time. Nothing is started for it, and the thread need not be open here: another
 * bridge may have it.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { HistoryPage, PageQuery } from "../log/EventLog.ts"
import { pageCursor, positionOf } from "../log/PageCursor.ts"
import { readStoredHistory } from "../log/StoredThreadTail.ts"
import type { Store } from "../store/Store.ts"
import type { Session } from "./Session.ts"
import { refused, SessionRefused } from "./SessionRefused.ts"

/** Which messages of a thread are wanted. */
export interface HistoryQuery {
  /** What the page after this one said. Without it, the newest messages are given. */
  readonly before?: string | undefined
  /** About how many messages at most: one comes with the results of its calls. Default 100. */
  readonly limit?: number | undefined
}

/** Messages of a thread, as the entries that they are made of. */
export interface ThreadHistory {
  readonly entries: ReadonlyArray<Model.TranscriptEntry>
  /** What to ask for the page before this one with; undefined when there is none. */
  readonly before: string | undefined
  /** How many messages the thread has. Only the newest page says so. */
  readonly total: number | undefined
}

const defaultLimit = 100

/** How large a page is, unless one message is larger. */
const maxBytes = 8_000_000

/** Reads pages of threads. `openHere`: the session of a thread that is open here. */
export const makeHistories =
  (store: Store["Service"], openHere: (threadId: string) => Effect.Effect<Session | undefined>) =>
  (
    threadId: string,
    { before, limit = defaultLimit }: HistoryQuery
  ): Effect.Effect<ThreadHistory | undefined, SessionRefused> =>
    Effect.gen(function* () {
      const session = yield* openHere(threadId)
      const createdAt = session?.createdAt ?? (yield* store.thread(threadId))?.createdAt
      if (createdAt === undefined) return undefined
      const position = before === undefined ? undefined : positionOf(createdAt, before)
      if (before !== undefined && position === undefined) return yield* badCursor
      const query: PageQuery = { before: position, maxMessages: limit, maxBytes, atLeastOne: true }
      const page: HistoryPage = yield* session === undefined
        ? readStoredHistory(store, threadId, query)
        : session.log.page(query)
      return {
        entries: page.entries,
        before: page.before === undefined ? undefined : pageCursor(createdAt, page.before),
        total: page.total
      }
    }).pipe(Effect.mapError(refused))

const badCursor = new SessionRefused({
  code: "BAD_CURSOR",
  message: "`before` is not what a page of this thread said. Ask without it for the newest page."
})
