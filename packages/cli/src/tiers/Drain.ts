/** The end of a runtime: turns may end, up to a limit. */
import { type SessionStatus, Sessions } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"

/** What a session does whose turn is open, or about to be. */
const busy: ReadonlySet<SessionStatus> = new Set<SessionStatus>(["starting", "active"])

const turns = (count: number): string => (count === 1 ? "1 turn" : `${count} turns`)

/** Waits until no turn is open, at most so many seconds, and says what it waits for, and what is cut. */
export const drain = (seconds: number, say: (words: string) => void): Effect.Effect<void, never, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const open = Effect.map(sessions.statuses, (all) => all.filter((status) => busy.has(status)).length)
    const first = yield* open
    if (first === 0 || seconds === 0) {
      if (first > 0) say(`${turns(first)} ${first === 1 ? "is" : "are"} open and ended now.`)
      return
    }
    say(`${turns(first)} may end, for ${seconds} s at most. No new work is taken. Once more to end at once.`)
    const quiet = Effect.gen(function* () {
      while ((yield* open) > 0) yield* Effect.sleep(100)
      return true
    })
    const isQuiet = yield* Effect.timeoutOrElse(quiet, {
      duration: seconds * 1000,
      orElse: () => Effect.succeed(false)
    })
    const left = yield* open
    say(
      isQuiet
        ? "All turns have ended."
        : `${turns(left)} did not end within ${seconds} s: ${left === 1 ? "it is" : "they are"} ended now.`
    )
  })
