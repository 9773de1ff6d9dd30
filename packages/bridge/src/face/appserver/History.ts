/**
 * What was said in a thread as turns, and pages of them.
 */
import * as AppServer from "@agentwire/protocol/appserver"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Session } from "../../session/Session.ts"
import { refuse } from "./Refusals.ts"
import { wireIdOf } from "./ThreadIds.ts"
import type { WireTurn } from "./ThreadView.ts"

/** All turns of a thread, the oldest first: what somebody who had followed it from its beginning would have been told. */
export const turnsOf = (session: Session): Effect.Effect<ReadonlyArray<WireTurn>, Refusal> => {
  const { cwd, log } = session
  const history = new AppServer.ThreadHistory({ threadId: wireIdOf(session.threadId), cwd })
  return Effect.andThen(
    log.settled,
    Effect.suspend(() =>
      Stream.runForEachArray(log.read(0).pipe(Stream.take(log.next())), (entries) =>
        Effect.sync(() => {
          for (const entry of entries) history.apply(entry)
        })
      )
    )
  ).pipe(
    Effect.mapError((failed) => refuse(failed.message)),
    Effect.map(() => history.turns())
  )
}

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
