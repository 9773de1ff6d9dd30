import type { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { makeEventLog } from "../../src/log/EventLog.ts"

const piece = (delta: string): Agui.AguiEvent => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta })
const start: Agui.AguiEvent = { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" }
const pieces = (count: number): ReadonlyArray<Agui.AguiEvent> =>
  Array.from({ length: count }, (_, index) => piece(String(index)))

describe("a reader", () => {
  it.effect("gets what there is and what comes, in order and without gaps, wherever it begins", () =>
    Effect.gen(function* () {
      const log = yield* makeEventLog()
      yield* log.append(pieces(700))
      const reader = yield* Effect.forkChild(Stream.runCollect(log.read(3)))
      yield* Effect.yieldNow
      yield* log.append(pieces(5))
      yield* log.close
      const entries = yield* Fiber.join(reader)
      expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 702 }, (_, index) => index + 3))
    })
  )

  it.effect("that is slow slows nobody, and is told when what it wants is gone", () =>
    Effect.gen(function* () {
      const log = yield* makeEventLog({ maxEvents: 10 })
      yield* log.append(pieces(25))
      const gap = yield* Effect.flip(Stream.runDrain(log.read(3)))
      expect(gap).toMatchObject({ _tag: "LogGap", wanted: 3, oldest: 15 })
      yield* log.close
      expect(yield* Stream.runCollect(log.read(15))).toHaveLength(10)
    })
  )

  it.effect("does not disturb another", () =>
    Effect.gen(function* () {
      const log = yield* makeEventLog()
      const readers = yield* Effect.forEach([0, 0, 2], (from) => Effect.forkChild(Stream.runCollect(log.read(from))))
      yield* Effect.forEach(pieces(6), (event) => log.append([event]), { discard: true })
      yield* log.close
      const read = yield* Effect.forEach(readers, Fiber.join)
      expect(read.map((entries) => entries.length)).toEqual([6, 6, 4])
    })
  )
})

describe("what is kept", () => {
  it.effect("is bounded by characters, too, and what is dropped lives on in the conversation", () =>
    Effect.gen(function* () {
      const log = yield* makeEventLog({ maxCharacters: 2000 })
      yield* log.append([start])
      for (let index = 0; index < 100; index++) yield* log.append([piece("x".repeat(100))])
      const { history, seq } = yield* log.history
      expect(seq).toBe(101)
      expect(history.messages).toMatchObject([{ id: "m", content: "x".repeat(10_000) }])
      const gap = yield* Effect.flip(Stream.runDrain(log.read(0)))
      expect(gap.oldest).toBeGreaterThan(80)
    })
  )

  it.effect("begins with the conversation from before", () =>
    Effect.gen(function* () {
      const before = { messages: [{ id: "u", role: "user" as const, content: "Hi" }], state: {} }
      const log = yield* makeEventLog({}, before)
      yield* log.append([start, piece("Hello.")])
      expect((yield* log.history).history.messages.map(({ id }) => id)).toEqual(["u", "m"])
    })
  )
})
