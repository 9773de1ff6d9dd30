/** A look sees one moment, as long as it is open, and there are only so many. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { makeLooks } from "../../src/link/Looks.ts"
import { bareSession } from "../BareSession.ts"
import { wholeText } from "../FakeSessions.ts"
import { testLog } from "../TestLog.ts"

describe("Looks", () => {
  it.effect("see what was said when they were opened, until they are closed", () =>
    Effect.gen(function* () {
      const log = testLog()
      const looks = yield* makeLooks()
      log.append([{ type: "turn_started", cause: "prompt" }, ...wholeText("a", "One.")])
      const { look, seq } = yield* looks.open(bareSession("t", log))
      log.append(wholeText("b", "Two."))
      yield* log.settled
      const view = yield* looks.at({ look })
      expect([seq, yield* view.count()]).toEqual([4, 1])
      expect((yield* view.page()).entries.map(({ entry }) => entry.id)).toEqual(["a"])
      looks.close(look)
      yield* Effect.yieldNow
      expect(yield* Effect.flip(looks.at({ look }))).toMatchObject({ _tag: "LookGone" })
    }).pipe(Effect.scoped)
  )

  it.effect("end after a while, and are refused when there are too many", () =>
    Effect.gen(function* () {
      const looks = yield* makeLooks("1 minute")
      const session = bareSession("t", testLog())
      for (let n = 0; n < 256; n++) yield* looks.open(session)
      expect(yield* Effect.flip(looks.open(session))).toMatchObject({ code: "LINK_BUSY" })
      yield* TestClock.adjust("2 minutes")
      const { look } = yield* looks.open(session)
      expect(yield* Effect.flip(looks.at({ look: 1 }))).toMatchObject({ _tag: "LookGone" })
      yield* looks.at({ look })
    }).pipe(Effect.scoped)
  )
})
