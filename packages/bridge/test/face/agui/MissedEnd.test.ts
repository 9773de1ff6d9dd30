/** Who is told how the bridge before has ended. */
import type { Agui } from "@agentwire/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { missedEnd } from "../../../src/face/agui/MissedEnd.ts"
import { bridgeEnded } from "../../../src/log/CutTurns.ts"
import type { EventLog } from "../../../src/log/EventLog.ts"
import { wholeText } from "../../FakeSessions.ts"
import { openLog, testStore } from "../../TestLog.ts"

const message = (id: string): Agui.Message => ({ id, role: "assistant", content: "" })

const turn = (log: EventLog, id: string, isEnded: boolean): Effect.Effect<void> => {
  log.append([
    { type: "turn_started", cause: "prompt", ticket: `r-${id}` },
    { type: "item_started", lane: null, id: `m-${id}`, item: { kind: "prompt", content: id } },
    ...wholeText(id, id),
    ...(isEnded ? [{ type: "turn_ended" as const, outcome: { type: "completed" as const } }] : [])
  ])
  return Effect.orDie(log.settled)
}

it.effect("who was there before, and has had nothing since, also when others were answered meanwhile", () =>
  Effect.gen(function* () {
    const store = testStore()
    yield* turn(yield* openLog(store), "before", false)
    const log = yield* openLog(store)
    const { code, message: words } = bridgeEnded
    expect(yield* missedEnd(log, [message("before")])).toEqual({ code, message: words })
    yield* turn(log, "since", true)
    expect(log.situation().failure).toBeUndefined()
    expect(yield* missedEnd(log, [message("before")])).toEqual({ code, message: words })
    expect(yield* missedEnd(log, [message("before"), message("since")])).toBeUndefined()
    expect(yield* missedEnd(log, [message("stranger")])).toBeUndefined()
    expect(yield* missedEnd(log, [])).toBeUndefined()
  })
)

it.effect("also after a further restart, when others were answered between, and of the newest cut", () =>
  Effect.gen(function* () {
    const store = testStore()
    const { code, message: words } = bridgeEnded
    yield* turn(yield* openLog(store), "before", false)
    const between = yield* openLog(store)
    yield* turn(between, "since", true)
    const again = yield* openLog(store)
    expect(yield* missedEnd(again, [message("before")])).toEqual({ code, message: words })
    expect(yield* missedEnd(again, [message("before"), message("since")])).toBeUndefined()
    yield* turn(again, "cut", false)
    const last = yield* openLog(store)
    expect(yield* missedEnd(last, [message("before"), message("since")])).toEqual({ code, message: words })
    expect(yield* missedEnd(yield* openLog(store), [message("cut")])).toEqual({ code, message: words })
  })
)

it.effect("nobody where nothing was cut", () =>
  Effect.gen(function* () {
    const store = testStore()
    yield* turn(yield* openLog(store), "before", true)
    expect(yield* missedEnd(yield* openLog(store), [message("before")])).toBeUndefined()
  })
)
