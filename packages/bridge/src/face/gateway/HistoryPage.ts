/**
 * A page of what was said, counted from the newest message, or from what the page before said.
 */
import { messagesOf, type ParamsOf, type ResultOf } from "@agentwire/protocol/gateway"
import * as Effect from "effect/Effect"
import { Sessions } from "../../session/Sessions.ts"
import type { ThreadHistory } from "../../session/ThreadHistory.ts"
import type { HttpRefusal } from "../http/HttpRefusal.ts"
import { sessionRefused } from "../http/SessionRefusal.ts"
import { removed } from "./Finding.ts"

/** How many messages a page has, unless it is said. */
const defaultLimit = 50

/** How many messages are skipped at once. */
const mostSkipped = 1000

type Page = Omit<ResultOf<"session.history">, "usage">

/** A page of what was said in a session. */
export const readHistory = (
  threadId: string,
  { before, branch, limit = defaultLimit, offset = 0 }: ParamsOf<"session.history">
): Effect.Effect<Page, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const read = (query: { readonly before?: string | undefined; readonly limit: number }) =>
      Effect.flatMap(
        Effect.mapError(sessions.history(threadId, { ...query, branch }), sessionRefused),
        (page): Effect.Effect<ThreadHistory, HttpRefusal> =>
          page === undefined ? Effect.fail(removed) : Effect.succeed(page)
      )
    let [at, total, skipped] = [before, undefined as number | undefined, 0]
    while (skipped < offset) {
      const page = yield* read({ before: at, limit: Math.min(mostSkipped, offset - skipped) })
      total ??= page.total
      skipped += messagesOf(page.entries).length
      at = page.before
      if (at === undefined) return { messages: [], ...(total !== undefined && { total }), hasMore: false, offset }
    }
    const page = yield* read({ before: at, limit })
    total ??= page.total
    return {
      messages: messagesOf(page.entries),
      ...(total !== undefined && { total }),
      hasMore: page.before !== undefined,
      // A page ends with a whole message: more may have been left out than was asked for.
      offset: skipped,
      ...(page.before !== undefined && { before: page.before })
    }
  })
