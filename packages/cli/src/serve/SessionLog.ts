/**
 * Tells the log what sessions do: that they start and end, and which runs they have with which outcome.
 *
 * A session's own event log is read beside its clients, so runs that the agent begins by itself are told, too.
 */
import { type LogEntry, type Session, Sessions } from "@agentwire/bridge"
import type { Agui } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

/** The same sessions, and what they do is logged. */
export const layerLoggedSessions: Layer.Layer<Sessions, never, Sessions> = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const inner = yield* Sessions
    const scope = yield* Effect.scope
    const known = new WeakMap<Session, Session>()

    const logged = (session: Session): Effect.Effect<Session> =>
      Effect.gen(function* () {
        const before = known.get(session)
        if (before !== undefined) return before
        const watched = withRefusals(session)
        known.set(session, watched)
        yield* Effect.forkIn(watch(session), scope)
        return watched
      })

    return {
      ...inner,
      open: (threadId) => Effect.flatMap(inner.open(threadId), logged),
      find: (threadId) =>
        Effect.flatMap(inner.find(threadId), (session) =>
          session === undefined ? Effect.succeed(undefined) : logged(session)
        )
    }
  })
)

const withRefusals = (session: Session): Session => ({
  ...session,
  run: (input) =>
    Effect.tapError(session.run(input), () =>
      Effect.logWarning("run refused").pipe(
        Effect.annotateLogs({ thread: session.threadId, run: input.runId, code: "THREAD_BUSY" })
      )
    )
})

const watch = (session: Session): Effect.Effect<void> =>
  Effect.suspend(() => {
    const open = new Set<string>()
    return Effect.log("session started").pipe(
      Effect.andThen(readFrom(session, 0, open)),
      Effect.ensuring(
        Effect.suspend(() =>
          Effect.forEach(open, (run) => ended(run, { outcome: "cut" }), { discard: true }).pipe(
            Effect.andThen(Effect.log("session ended"))
          )
        )
      ),
      Effect.annotateLogs({ thread: session.threadId })
    )
  })

/** Reads on from the oldest there is when the session was faster. */
const readFrom = (session: Session, from: number, open: Set<string>): Effect.Effect<void> =>
  Stream.runForEach(session.log.read(from), (entry) => note(entry, open)).pipe(
    Effect.catchTag("LogGap", ({ oldest }) => readFrom(session, oldest, open))
  )

const note = ({ event }: LogEntry, open: Set<string>): Effect.Effect<void> => {
  switch (event.type) {
    case "RUN_STARTED":
      open.add(event.runId)
      return Effect.annotateLogs(Effect.log("run started"), { run: event.runId })
    case "RUN_FINISHED":
      open.delete(event.runId)
      return ended(event.runId, outcomeOf(event))
    case "RUN_ERROR": {
      // It does not say of which run it is; there is one at a time.
      const [run] = open
      open.clear()
      return ended(run, { outcome: "error", ...(event.code !== undefined && { code: event.code }) })
    }
    default:
      return Effect.void
  }
}

const ended = (run: string | undefined, facts: Readonly<Record<string, unknown>>): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.log("run ended"), { ...(run !== undefined && { run }), ...facts })

const outcomeOf = ({
  outcome
}: Extract<Agui.AguiEvent, { type: "RUN_FINISHED" }>): Readonly<Record<string, unknown>> => ({
  outcome: outcome?.type ?? "success"
})
