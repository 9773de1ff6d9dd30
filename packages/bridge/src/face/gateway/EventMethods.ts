/**
 * What `subscribe` and `unsubscribe` do.
 */
import { isPattern, type ResultOf } from "@agentwire/protocol/gateway"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SessionStatus } from "../../session/Session.ts"
import { Sessions } from "../../session/Sessions.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { sessionRefused } from "../http/SessionRefusal.ts"
import type { Handlers } from "./Call.ts"
import { sessionOf } from "./Finding.ts"

const defaultMaxPatterns = 1000

const patternsIn = (events: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, HttpRefusal> => {
  const place = events.findIndex((event) => !isPattern(event))
  return place < 0
    ? Effect.succeed(events)
    : Effect.fail(
        refuse(
          "BAD_INPUT",
          `events.${place} is no pattern: the name of an event, the beginning of names with \`.*\`, or \`*\`.`
        )
      )
}

/** What a session is doing whose agent is there: it may say something. */
const isAwake: ReadonlySet<SessionStatus> = new Set<SessionStatus>(["starting", "connected", "active", "idle"])

/** Opens what is at work without anybody having asked for it here: it may have been before this gateway was. */
const wakeAll: Effect.Effect<void, HttpRefusal, Sessions> = Effect.gen(function* () {
  const sessions = yield* Sessions
  for (let before: string | undefined, isFirst = true; isFirst || before !== undefined; isFirst = false) {
    const page = yield* Effect.mapError(sessions.page({ before, limit: 1000 }), sessionRefused)
    // One that cannot be opened, because another bridge has it, is no reason not to hear of the others.
    for (const { status, threadId } of page.sessions)
      if (isAwake.has(status)) yield* Effect.ignore(sessions.find(threadId))
    before = page.before
  }
})

type Named = NonNullable<ResultOf<"subscribe">["sessions"]>

/** What `subscribe` and `unsubscribe` do. */
export const eventHandlers: Pick<Handlers, "subscribe" | "unsubscribe"> = {
  subscribe: ({ after = {}, events, sessionIds }, { client, shared }) =>
    Effect.gen(function* () {
      const { feeds, options } = shared
      const patterns = yield* patternsIn(events)
      const { maxPatterns = defaultMaxPatterns } = options.limits ?? {}
      if (client.interests.size + patterns.length > maxPatterns)
        return yield* refuse("TOO_MANY_VALUES", `A connection has at most ${maxPatterns} patterns.`)
      const named: Record<string, Named[string]> = {}
      // Those that somebody comes back to go on where they were; nothing of them may be told before.
      const sessions = new Map<string, Effect.Success<ReturnType<typeof sessionOf>>>()
      for (const id of sessionIds ?? []) sessions.set(id, yield* sessionOf(id))
      for (const id of Object.keys(after)) {
        // One that is gone, or has no place now, is told by its absence: who comes back wants the others all the same.
        const session = yield* Effect.option(sessionOf(id))
        if (Option.isSome(session)) sessions.set(id, session.value)
      }
      for (const pattern of patterns) client.interests.add(pattern, sessionIds)
      for (const [id, session] of sessions) {
        const position = after[id]
        const isWanted = client.interests.wantsSession(session.threadId)
        const resumed = isWanted && position !== undefined && (yield* feeds.resume(client, session, position))
        named[id] = { epoch: session.createdAt, next: session.log.next(), resumed }
      }
      if (client.interests.wantsAllSessions()) yield* wakeAll
      yield* feeds.changed(client)
      return { subscribed: events, ...(sessions.size > 0 && { sessions: named }) }
    }),
  unsubscribe: ({ events }, { client, shared }) =>
    Effect.gen(function* () {
      for (const pattern of yield* patternsIn(events)) client.interests.remove(pattern)
      yield* shared.feeds.changed(client)
      return { unsubscribed: events }
    })
}
