/** What is taken of a log arrives as it is there, in any parts. */
import type { Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { takeEvents, takeLines } from "../../src/link/Cursors.ts"
import { EventsJson } from "../../src/link/Values.ts"
import { makeWireLog } from "../../src/log/WireLog.ts"
import { readChunkValue } from "../../src/store/EventChunk.ts"
import { conversation } from "../Conversation.ts"
import { testLog } from "../TestLog.ts"

const decode = Schema.decodeUnknownSync(EventsJson)

describe("takeEvents", () => {
  it("gives every event with its time and its line, wherever it is cut", () =>
    fc.assert(
      fc.asyncProperty(conversation, fc.integer({ min: 1, max: 50 }), async (events, limit) => {
        const log = testLog()
        for (const [n, event] of events.entries()) log.append([event], n % 3 === 0 ? n : undefined)
        await Effect.runPromise(log.settled)
        const whole = await Effect.runPromise(Stream.runCollect(Stream.take(log.read(0), events.length)))
        const read: Array<unknown> = []
        for (let from = 0; from < events.length; ) {
          const taken = decode(
            JSON.parse(JSON.stringify(await Effect.runPromise(takeEvents(log, { from, limit }, "1 second"))))
          )
          const found = Result.getOrThrow(readChunkValue(taken.chunk, from))
          const lines = new Map(taken.lines)
          read.push(...found.map(({ at, event, seq }, index) => ({ seq, at, event, line: lines.get(index) })))
          from += found.length
        }
        expect(read).toEqual(whole.map(({ at, event, line, seq }) => ({ seq, at, event, line })))
      }),
      { numRuns: 25, seed: 7 }
    ))

  it("waits, says when nothing came, and when no more will", async () => {
    const log = testLog()
    expect(await Effect.runPromise(takeEvents(log, { from: 0 }, "5 millis"))).toEqual({ chunk: [], lines: [] })
    const waiting = Effect.runPromise(takeEvents(log, { from: 0, situation: true }, "1 minute"))
    const event: Model.Event = { type: "turn_started", cause: "prompt" }
    log.append([event])
    expect(await waiting).toMatchObject({ chunk: [expect.anything(), event], situation: { turns: 0 } })
    await Effect.runPromise(log.close)
    expect(await Effect.runPromise(takeEvents(log, { from: 1 }, "1 minute"))).toMatchObject({ ended: true })
  })
})

describe("takeLines", () => {
  it("gives lines as they are, and says when no more will come", async () => {
    const wire = makeWireLog()
    wire.note({ at: 1, from: "agent", message: { type: "a" }, events: 0 })
    const { lines } = await Effect.runPromise(takeLines(wire, 0, "1 second"))
    expect(lines).toEqual([{ seq: 0, at: 1, from: "agent", line: '{"type":"a"}', events: 0 }])
    wire.close()
    expect(await Effect.runPromise(takeLines(wire, 1, "1 second"))).toEqual({ lines: [], ended: true })
  })
})
