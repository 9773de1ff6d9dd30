/**
 * The events of a session for a program that reads along: from a number on, or from the conversation so far.
 */
import type * as Agui from "@agentwire/protocol/agui"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { aguiFeed } from "../face/agui/AguiFeed.ts"
import { runIdOf, writeOptions } from "../face/agui/AguiThread.ts"
import { joinOpenTurn, snapshots } from "../face/agui/Join.ts"
import type { LogFailed, ReadFailed } from "../log/BoundedLog.ts"
import type { Session } from "../session/Session.ts"
import type { SessionEvent } from "./Listeners.ts"

/**
 * The events of a session until it is closed. Without a number, or where what was wanted is not kept any more, the
 * conversation comes first, as `MESSAGES_SNAPSHOT`, with the start of the run that is open.
 */
export const eventFeed = (session: Session, from: number | undefined): Stream.Stream<SessionEvent, LogFailed> => {
  const { log, threadId } = session
  const follow = (at: number): Stream.Stream<SessionEvent, ReadFailed> =>
    Stream.flatMap(aguiFeed(session, at), ({ events, seq }) =>
      Stream.fromIterable(events.map((event) => ({ threadId, seq, event })))
    )
  const anew: Stream.Stream<SessionEvent, LogFailed> = Stream.unwrap(
    Effect.gen(function* () {
      const moment = yield* log.moment()
      const runId = runIdOf(threadId, moment.situation)
      const nothing = { messages: [] }
      const events: ReadonlyArray<Agui.AguiEvent> =
        runId === undefined
          ? yield* snapshots(moment, nothing)
          : (yield* joinOpenTurn(writeOptions(threadId, "event"), moment, runId, nothing))[1]
      const said = events.map((event) => ({ threadId, seq: moment.seq - 1, event }))
      // What is gone now was removed with its thread.
      const rest = Stream.catchTag(follow(moment.seq), "LogGap", () => Stream.empty)
      return Stream.concat(Stream.fromIterable(said), rest)
    })
  )
  return Stream.suspend(() =>
    from === undefined || from > log.next() ? anew : Stream.catchTag(follow(Math.max(0, from)), "LogGap", () => anew)
  )
}

/** Ends a stream when a signal says so. */
export const endOnAbort =
  (signal: AbortSignal | undefined) =>
  <A, E>(stream: Stream.Stream<A, E>): Stream.Stream<A, E> =>
    signal === undefined ? stream : Stream.interruptWhen(stream, aborted(signal))

const aborted = (signal: AbortSignal): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const done = () => resume(Effect.void)
    if (signal.aborted) return done()
    signal.addEventListener("abort", done, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", done))
  })
