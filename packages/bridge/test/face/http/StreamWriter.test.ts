/** Who is cut off: a reader that accepts nothing for a while, and nobody who reads slowly. */
import { EventEmitter } from "node:events"
import type { ServerResponse } from "node:http"
import { describe, expect, it } from "@effect/vitest"
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

const long = `data: ${"ü".repeat(1_000_000)}\n\n`

/** Writes one long frame to a held connection. */
const written = (response: HeldResponse) =>
  Effect.forkChild(
    writeFrames(response as unknown as ServerResponse, Stream.make(long), {}, { stallLimit: "10 seconds" })
  )

describe("a reader", () => {
  it.effect("that takes a long frame bit by bit has all of it, however long that takes", () =>
    Effect.gen(function* () {
      const response = new HeldResponse()
      const fiber = yield* written(response)
      do yield* TestClock.adjust("9 seconds")
      while (response.accept())
      expect(yield* Fiber.join(fiber)).toBe("complete")
      expect(response.taken.length).toBeGreaterThan(10)
      expect(Buffer.concat(response.taken).toString("utf8")).toBe(long)
      expect(response.writableEnded).toBe(true)
    })
  )

  it.effect("that stops in the middle of a frame is cut off", () =>
    Effect.gen(function* () {
      const response = new HeldResponse()
      const fiber = yield* written(response)
      yield* TestClock.adjust("9 seconds")
      response.accept()
      yield* TestClock.adjust("9 seconds")
      expect(response.destroyed).toBe(false)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(fiber)).toBe("slow")
      expect(response.destroyed).toBe(true)
      expect(response.writableEnded).toBe(false)
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
