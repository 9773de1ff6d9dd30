/** The end of a runtime waits for turns, says so, and does not wait for ever. */
import { type SessionStatus, Sessions } from "@agentwire/bridge/session"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { drain } from "../../src/tiers/Drain.ts"

const draining = (statuses: () => ReadonlyArray<SessionStatus>, seconds: number, said: Array<string>) =>
  drain(seconds, (words) => said.push(words)).pipe(
    Effect.provideService(Sessions, { statuses: Effect.sync(statuses) } as Sessions["Service"])
  )

describe("drain", () => {
  it.effect("ends at once where no turn is open", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      yield* draining(() => ["idle", "disconnected"], 30, said)
      expect(said).toEqual([])
    })
  )

  it.effect("waits until the last turn has ended", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      let statuses: ReadonlyArray<SessionStatus> = ["active", "starting", "idle"]
      const ending = yield* Effect.forkChild(
        draining(() => statuses, 30, said),
        { startImmediately: true }
      )
      yield* TestClock.adjust("10 seconds")
      expect(said).toEqual(["2 turns may end, for 30 s at most. No new work is taken. Once more to end at once."])
      expect(ending.pollUnsafe()).toBeUndefined()
      statuses = ["idle", "idle", "idle"]
      yield* TestClock.adjust("1 second")
      expect(ending.pollUnsafe()).toBeDefined()
      expect(said.at(-1)).toBe("All turns have ended.")
    })
  )

  it.effect("says what it ends when time is up, or there is none", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const ending = yield* Effect.forkChild(
        draining(() => ["active"], 5, said),
        { startImmediately: true }
      )
      yield* TestClock.adjust("6 seconds")
      expect(ending.pollUnsafe()).toBeDefined()
      expect(said.at(-1)).toBe("1 turn did not end within 5 s: it is ended now.")
      yield* draining(() => ["active", "active"], 0, said)
      expect(said.at(-1)).toBe("2 turns are open and ended now.")
    })
  )
})
