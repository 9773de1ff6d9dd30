import { Model } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { type EventLogLimits, makeEventLog } from "../../src/log/EventLog.ts"

const piece = (delta: string): Model.Event => ({ type: "item_grew", lane: null, id: "m", delta })
const start: Model.Event = { type: "item_started", lane: null, id: "m", item: { kind: "text" } }
const pieces = (count: number): ReadonlyArray<Model.Event> =>
  Array.from({ length: count }, (_, index) => piece(String(index)))
const makeLog = (limits: EventLogLimits = {}, before?: Model.Transcript) => makeEventLog(() => 0, limits, before)

describe("a reader", () => {
  it.effect("gets what there is and what comes, in order and without gaps, wherever it begins", () =>
    Effect.gen(function* () {
      const log = makeLog()
      log.append(pieces(700))
      const reader = yield* Effect.forkChild(Stream.runCollect(log.read(3)))
      yield* Effect.yieldNow
      log.append(pieces(5))
      log.close()
      const entries = yield* Fiber.join(reader)
      expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 702 }, (_, index) => index + 3))
    })
  )

  it.effect("that is slow slows nobody, and is told when what it wants is gone", () =>
    Effect.gen(function* () {
      const log = makeLog({ maxEvents: 10 })
      log.append(pieces(25))
      const gap = yield* Effect.flip(Stream.runDrain(log.read(3)))
      expect(gap).toMatchObject({ _tag: "LogGap", wanted: 3, oldest: 15 })
      log.close()
      expect(yield* Stream.runCollect(log.read(15))).toHaveLength(10)
    })
  )

  it.effect("does not disturb another", () =>
    Effect.gen(function* () {
      const log = makeLog()
      const readers = yield* Effect.forEach([0, 0, 2], (from) => Effect.forkChild(Stream.runCollect(log.read(from))))
      for (const event of pieces(6)) log.append([event])
      log.close()
      const read = yield* Effect.forEach(readers, Fiber.join)
      expect(read.map((entries) => entries.length)).toEqual([6, 6, 4])
    })
  )

  it.effect("knows what was open wherever it begins, and the line that an event came from", () =>
    Effect.gen(function* () {
      const log = makeLog()
      log.append([{ type: "turn_started", cause: "agent" }, start], 7)
      log.append([piece("x")])
      log.close()
      const entries = yield* Stream.runCollect(log.read(0))
      expect(entries.map(({ before, line }) => [before.turn !== undefined, before.items.size, line])).toEqual([
        [false, 0, 7],
        [true, 0, 7],
        [true, 1, undefined]
      ])
    })
  )
})

describe("what is kept", () => {
  it.effect("is bounded by characters, too, and what is dropped lives on in the transcript", () =>
    Effect.gen(function* () {
      const log = makeLog({ maxCharacters: 2000 })
      log.append([start])
      for (let index = 0; index < 100; index++) log.append([piece("x".repeat(100))])
      const { seq, transcript } = log.moment()
      expect(seq).toBe(101)
      expect(transcript.entries).toMatchObject([{ id: "m", text: "x".repeat(10_000) }])
      const gap = yield* Effect.flip(Stream.runDrain(log.read(0)))
      expect(gap.oldest).toBeGreaterThan(80)
    })
  )

  it("begins with what was said before, and is bounded when a turn ends", () => {
    const prompt = { id: "u", lane: null, kind: "prompt" as const, content: "Hi" }
    const log = makeLog({ maxHistoryBytes: 100 }, { entries: [prompt], omitted: 0 })
    log.append([start, piece("Hello.")])
    expect(log.moment().transcript.entries.map(({ id }) => id)).toEqual(["u", "m"])
    log.append([{ type: "turn_ended", outcome: { type: "completed" } }])
    expect(log.moment().transcript).toMatchObject({ entries: [{ id: "m" }], omitted: 1 })
  })

  it("is a value: what was taken of it does not change", () => {
    const log = makeLog()
    log.append([start, piece("a")])
    const { transcript } = log.moment()
    log.append([piece("b")])
    expect(transcript.entries).toMatchObject([{ text: "a" }])
    expect(Model.emptyTranscript.entries).toEqual([])
  })
})
