/**
 * What was said in a thread as turns, and pages of them.
 */
import * as AppServer from "@agentwire/protocol/appserver"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Session } from "../../session/Session.ts"
import { eventsOf } from "./PastEvents.ts"
import { refuse } from "./Refusals.ts"
import { wireIdOf } from "./ThreadIds.ts"
import type { WireTurn } from "./ThreadView.ts"

/**
 * All turns of a thread, the oldest first: what somebody who had followed it from its beginning would have been told. What a
 * fork, or a conversation that was begun elsewhere, has from before is in no event: it is told by what was said.
 */
export const turnsOf = (session: Session): Effect.Effect<ReadonlyArray<WireTurn>, Refusal> => {
  const { createdAt, cwd, log } = session
  const threadId = wireIdOf(session.threadId)
  const history = new AppServer.ThreadHistory({ threadId, cwd })
  const told = new Set<string>()
  const reading = Effect.suspend(() =>
    Stream.runForEachArray(log.read(0).pipe(Stream.take(log.next())), (entries) =>
      Effect.sync(() => {
        for (const entry of entries) {
          if (entry.event.type === "item_started") told.add(entry.event.id)
          history.apply(entry)
        }
      })
    )
  )
  return Effect.gen(function* () {
    yield* log.settled
    yield* reading
    const { situation, transcript } = yield* log.moment({ maxBytes: Number.MAX_SAFE_INTEGER })
    const from = situation.turns - history.cursor.turns
    const named = new Map(
      Array.from({ length: history.cursor.turns }, (_, index) => [
        AppServer.turnIdOf(threadId, index + 1),
        AppServer.turnIdOf(threadId, index + 1 + from)
      ])
    )
    const earlier = transcript.entries.filter(({ id }) => !told.has(id))
    return [
      ...AppServer.turnsOf(eventsOf(earlier, createdAt), { threadId, cwd }).map((turn) =>
        withId(turn, AppServer.stableUuid(threadId, "before", turn.id))
      ),
      ...history.turns().map((turn) => withId(turn, named.get(turn.id) ?? turn.id))
    ]
  }).pipe(Effect.mapError((failed) => refuse(failed.message)))
}

const withId = (turn: WireTurn, id: string): WireTurn => ({
  ...turn,
  id,
  ...(turn.rootTurnId === turn.id && { rootTurnId: id })
})

/** A turn with less of it. */
export const viewOf = (turn: WireTurn, view: string | null | undefined): WireTurn => {
  if (view === "full") return { ...turn, itemsView: "full" }
  if (view === "notLoaded") return { ...turn, items: [], itemsView: "notLoaded" }
  const last = turn.items.findLast(({ type }) => type === "agentMessage")
  return { ...turn, items: last === undefined ? [] : [last], itemsView: "summary" }
}

/** A page of a list. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly nextCursor: string | null
  readonly backwardsCursor: string | null
}

/** Which page is wanted. */
export interface PageQuery {
  readonly cursor?: string | null | undefined
  readonly limit?: number | null | undefined
  readonly sortDirection?: string | null | undefined
}

const defaultLimit = 50

/**
 * A page of things that have ids. A cursor is the id that a page begins with; a backwards cursor is that of the first of
 * the page, which the page in the other direction begins with again.
 */
export const pageOf = <A>(
  all: ReadonlyArray<A>,
  idOf: (each: A) => string,
  { cursor, limit, sortDirection }: PageQuery,
  byDefault: "asc" | "desc"
): Effect.Effect<Page<A>, Refusal> =>
  Effect.suspend(() => {
    const ordered = (sortDirection ?? byDefault) === "asc" ? all : [...all].reverse()
    const from = typeof cursor === "string" ? ordered.findIndex((each) => idOf(each) === cursor) : 0
    if (from < 0) return refuse("Invalid request: the cursor is not one of this list", "BAD_CURSOR")
    const to = from + Math.max(1, Math.min(limit ?? defaultLimit, 1000))
    const data = ordered.slice(from, to)
    const [first, next] = [data[0], ordered[to]]
    return Effect.succeed({
      data,
      nextCursor: next === undefined ? null : idOf(next),
      backwardsCursor: first === undefined ? null : idOf(first)
    })
  })
