import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { makeWireLog } from "../../src/log/WireLog.ts"

it.effect("has lines as they can be read again, with who said them and the events before them", () =>
  Effect.gen(function* () {
    const wire = makeWireLog()
    expect(wire.note({ at: 1, from: "host", message: { type: "user", text: "ü\n" }, events: 0 })).toBe(0)
    expect(wire.note({ at: 2, from: "agent", message: "{broken", events: 2 })).toBe(1)
    wire.close()
    const lines = yield* Stream.runCollect(wire.read(yield* wire.oldest))
    expect(lines.map(({ events, from, seq }) => [seq, from, events])).toEqual([
      [0, "host", 0],
      [1, "agent", 2]
    ])
    expect(JSON.parse(lines[0]?.line ?? "")).toEqual({ type: "user", text: "ü\n" })
    expect(lines[1]?.line).toBe("{broken")
    expect(lines.every(({ line }) => !line.includes("\n"))).toBe(true)
  })
)

it.effect("forgets the oldest lines", () =>
  Effect.gen(function* () {
    const wire = makeWireLog({ maxLines: 3 })
    for (let i = 0; i < 10; i++) wire.note({ at: i, from: "agent", message: { i }, events: i })
    expect([yield* wire.oldest, yield* wire.next]).toEqual([7, 10])
  })
)

it.effect("takes the word of whoever notes a line for its size, and measures it otherwise", () =>
  Effect.gen(function* () {
    const kept = (message: unknown, size?: number) =>
      Effect.gen(function* () {
        const wire = makeWireLog({ maxCharacters: 100 })
        for (let i = 0; i < 10; i++) wire.note({ at: i, from: "agent", message, events: i, size })
        return (yield* wire.next) - (yield* wire.oldest)
      })
    expect(yield* kept("x".repeat(20))).toBe(5)
    expect(yield* kept({ key: "x".repeat(10) })).toBe(5)
    expect(yield* kept("x".repeat(20), 50)).toBe(2)
  })
)
