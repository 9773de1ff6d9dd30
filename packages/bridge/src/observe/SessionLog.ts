/**
 * Logs what sessions do: that they start and end, and which runs they have with which outcome. Nothing of what is
 * said.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SessionObserver } from "./SessionObserver.ts"
import { type TurnNote, TurnReader } from "./TurnReader.ts"

/** Logs what a session does. */
export const sessionLog: SessionObserver = () =>
  Effect.gen(function* () {
    const turns = new TurnReader()
    yield* Effect.log("session started")
    return {
      events: (entries) =>
        Effect.forEach(entries, (entry) => Effect.forEach(turns.read(entry), tell, { discard: true }), {
          discard: true
        }),
      missed: (log, count) => Effect.annotateLogs(Effect.logWarning("observer was too slow"), { log, missed: count }),
      refused: (ticket) => Effect.annotateLogs(Effect.logWarning("run refused"), { run: ticket, code: "THREAD_BUSY" }),
      ended: Effect.gen(function* () {
        yield* Effect.forEach(turns.end(yield* Clock.currentTimeMillis), tell, { discard: true })
        yield* Effect.log("session ended")
      })
    }
  })

const tell = (note: TurnNote): Effect.Effect<void> => {
  switch (note._tag) {
    case "Started":
      return Effect.annotateLogs(Effect.log("run started"), { run: note.runId })
    case "Spoke":
      return Effect.void
    case "Ended": {
      const { at, code, events, outcome, runId, startedAt } = note
      return Effect.log("run ended").pipe(
        Effect.annotateLogs({ run: runId, outcome, ...(code !== undefined && { code }), events, ms: at - startedAt })
      )
    }
  }
}
