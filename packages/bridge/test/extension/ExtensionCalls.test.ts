/** What is asked is answered, or fails: in time, or when the extension is gone. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { ExtensionCalls } from "../../src/extension/ExtensionCalls.ts"
import type { ToExtension } from "../../src/extension/ExtensionPort.ts"

const calls = () => {
  const sent: Array<ToExtension> = []
  return { sent, calls: new ExtensionCalls((message) => sent.push(message)) }
}

describe("ExtensionCalls", () => {
  it.effect("gives each its own answer, and answers that nobody waits for to nobody", () =>
    Effect.gen(function* () {
      const { calls: asking, sent } = calls()
      const [one, two] = [
        yield* Effect.forkChild(asking.ask("method", { n: 1 }, 1000), { startImmediately: true }),
        yield* Effect.forkChild(Effect.flip(asking.ask("health", null, 1000)), { startImmediately: true })
      ]
      expect(sent.map((message) => message.tag === "ask" && [message.id, message.name, message.value])).toEqual([
        [1, "method", '{"n":1}'],
        [2, "health", "null"]
      ])
      asking.answered({ tag: "answer", id: 2, ok: false, value: "No." })
      asking.answered({ tag: "answer", id: 1, ok: true, value: "[1]" })
      asking.answered({ tag: "answer", id: 7, ok: true, value: "1" })
      expect(yield* Fiber.join(one)).toEqual([1])
      expect(yield* Fiber.join(two)).toMatchObject({ code: "EXTENSION_FAILED", message: "No." })
      expect(asking.size).toBe(0)
    })
  )

  it.effect("fails when time is up, and when the extension is gone", () =>
    Effect.gen(function* () {
      const { calls: asking } = calls()
      const late = yield* Effect.forkChild(Effect.flip(asking.ask("method", 1, 1000)), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(late)).toMatchObject({ code: "EXTENSION_TIMEOUT" })
      const left = yield* Effect.forkChild(Effect.flip(asking.ask("method", 1, 1000)), { startImmediately: true })
      asking.gone("It has ended.")
      expect(yield* Fiber.join(left)).toMatchObject({ code: "EXTENSION_UNAVAILABLE", message: "It has ended." })
    })
  )
})
