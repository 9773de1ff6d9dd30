/** Who is cut off: a reader that accepts nothing for a while, and nobody who reads slowly. */
import { EventEmitter } from "node:events"
import type { ServerResponse } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { writeFrames } from "../../../src/face/http/StreamWriter.ts"

/** A connection that takes what it is given when it is told to. */
class HeldResponse extends EventEmitter {
  readonly taken: Array<Uint8Array> = []
  readonly socket = {}
  destroyed = false
  writableEnded = false
  #held: (() => void) | undefined
  writeHead(): void {}
  flushHeaders(): void {}
  write(piece: string | Uint8Array, done: () => void): void {
    this.#held = () => {
      this.taken.push(Buffer.from(piece as Uint8Array))
      done()
    }
  }
  /** Takes what was written last. False when nothing was. */
  accept(): boolean {
    const held = this.#held
    this.#held = undefined
    held?.()
    return held !== undefined
  }
  end(): void {
    this.writableEnded = true
  }
  destroy(): void {
    this.destroyed = true
  }
}

// Of three, two and four bytes, and two units: wherever it is cut, some character is there.
const long = `data: ${"漢ü😀".repeat(300_000)}\n\n`

/** Lets the event loop go round. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))

const second = Effect.andThen(TestClock.adjust("1 second"), turn)

const seconds = (count: number) => Effect.forEach(Array.from({ length: count }), () => second, { discard: true })

/** Writes one long frame to a held connection. */
const written = (response: HeldResponse, stallLimit: Duration.Input = "10 seconds") =>
  Effect.forkChild(writeFrames(response as unknown as ServerResponse, Stream.make(long), {}, { stallLimit }))

describe("a reader", () => {
  it.effect("that takes a long frame bit by bit has all of it, however long that takes", () =>
    Effect.gen(function* () {
      const response = new HeldResponse()
      const fiber = yield* written(response)
      do yield* seconds(9)
      while (response.accept())
      expect(yield* Fiber.join(fiber)).toBe("complete")
      expect(response.taken.length).toBeGreaterThan(10)
      expect(Buffer.concat(response.taken).toString("utf8")).toBe(long)
      expect(response.writableEnded).toBe(true)
    })
  )

  it.effect("has frames in their order, those that come in pieces included, with nothing in between", () =>
    Effect.gen(function* () {
      const response = new HeldResponse()
      const frames = Stream.make("data: 1\n\n", "data: 2\n\n", ["data: ", "3", "\n\n"], "data: 4\n\n", ["data: 5\n\n"])
      const fiber = yield* Effect.forkChild(writeFrames(response as unknown as ServerResponse, frames))
      // Longer than the silence after which a sign of life is sent.
      do yield* seconds(4)
      while (response.accept())
      expect(yield* Fiber.join(fiber)).toBe("complete")
      const sent = Buffer.concat(response.taken).toString("utf8").replaceAll(": keep-alive\n\n", "")
      expect(sent).toBe("data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\ndata: 5\n\n")
      expect(response.taken.map(String)).toContain("3")
    })
  )

  it.effect("that stops in the middle of a frame is cut off", () =>
    Effect.gen(function* () {
      const response = new HeldResponse()
      const fiber = yield* written(response)
      yield* seconds(9)
      response.accept()
      yield* seconds(10)
      expect(response.destroyed).toBe(false)
      yield* second
      expect(yield* Fiber.join(fiber)).toBe("slow")
      expect(response.destroyed).toBe(true)
      expect(response.writableEnded).toBe(false)
    })
  )

  it.live("is not to blame for a time in which the bridge itself stood still", () =>
    Effect.gen(function* () {
      const response = new HeldResponse()
      const fiber = yield* written(response, "200 millis")
      yield* turn
      for (let pause = 0; pause < 3; pause++) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)
        yield* turn
      }
      expect(response.destroyed).toBe(false)
      while (response.accept()) yield* turn
      expect(yield* Fiber.join(fiber)).toBe("complete")
    })
  )

  it.effect("that has half of a frame when the server stops sees its connection break, and no end", () =>
    Effect.gen(function* () {
      const response = new HeldResponse()
      const fiber = yield* written(response)
      yield* TestClock.adjust("1 second")
      response.accept()
      yield* Fiber.interrupt(fiber)
      expect([response.destroyed, response.writableEnded]).toEqual([true, false])
    })
  )
})
