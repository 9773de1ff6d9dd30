import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { Duplex } from "node:stream"
import { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { EventAnswer } from "../../../src/face/agui/EventAnswer.ts"
import { writeEvents } from "../../../src/face/agui/EventWriter.ts"
import { makeBoundedLog } from "../../../src/log/BoundedLog.ts"
import { eventsIn } from "../../Serving.ts"

/** A connection that takes what the test lets it take. */
class Pipe extends Duplex {
  text = ""
  reads = true
  private waiting: (() => void) | undefined
  override _read(): void {}
  override _write(chunk: Buffer, _: string, done: () => void): void {
    const take = () => {
      this.text += chunk.toString("latin1")
      done()
    }
    if (this.reads) take()
    else this.waiting = take
  }
  goOn(): void {
    this.reads = true
    this.waiting?.()
  }
}

const open = () => {
  const pipe = new Pipe()
  const request = new IncomingMessage(new Socket())
  request.httpVersionMajor = 1
  request.httpVersionMinor = 0
  const response = new ServerResponse(request)
  response.assignSocket(pipe as unknown as Socket)
  return { pipe, response, body: () => pipe.text.split("\r\n\r\n").slice(1).join("\r\n\r\n") }
}

const started: Agui.AguiEvent = { type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion: "1.0" }
const finished: Agui.AguiEvent = { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "cancelled" } }
const delta = (text: string): Agui.AguiEvent => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: text })

/** Events as they come, of which some are kept. */
const makeLog = ({ maxEntries = 1000 } = {}) => {
  const log = makeBoundedLog<{ readonly seq: number; readonly event: Agui.AguiEvent }>({
    maxEntries,
    maxCharacters: 1_000_000
  })
  return {
    ...log,
    append: (...events: ReadonlyArray<Agui.AguiEvent>): void => {
      for (const event of events) log.add((seq) => ({ seq, event }), 1)
      log.wake()
    }
  }
}

const writer = Agui.initialWriter({ threadId: "t" })

const answerOf = (log: ReturnType<typeof makeLog>, over: Partial<EventAnswer> = {}) => {
  const delivered: Array<number> = []
  const answer: EventAnswer = {
    _tag: "Events",
    dialect: "1.0",
    events: Stream.map(log.read(0), ({ event, seq }) => ({
      events: [event],
      place: { writer, seq: seq + 1, last: undefined }
    })),
    endsRun: true,
    onDelivered: ({ place }) => Effect.sync(() => void delivered.push(place?.seq ?? -1)),
    onReaderGone: Effect.void,
    ...over
  }
  return { answer, delivered }
}

/** Lets everything happen that needs no time. */
const settle = Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))

describe("an answer", () => {
  it.effect("is framed with LF, in the dialect of its reader", () =>
    Effect.gen(function* () {
      const log = makeLog()
      log.append(started, finished)
      log.close()
      for (const [dialect, frames] of [
        ["1.0", [started, finished]],
        [
          "0.0",
          [
            { type: "RUN_STARTED", threadId: "t", runId: "r" },
            { type: "RUN_FINISHED", threadId: "t", runId: "r" }
          ]
        ]
      ] as const) {
        const { body, pipe, response } = open()
        expect(yield* writeEvents(response, answerOf(log, { dialect }).answer)).toBe("complete")
        yield* settle
        expect(pipe.text).toMatch(/^HTTP\/1\.1 200 /)
        expect(pipe.text).toContain("content-type: text/event-stream\r\n")
        expect(pipe.text).toContain("cache-control: no-cache, no-transform\r\n")
        expect(body()).toBe(frames.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""))
      }
    })
  )
  it.effect("that stops short of the run's end says so", () =>
    Effect.gen(function* () {
      const log = makeLog()
      log.append(started, delta("x"))
      log.close()
      const { body, response } = open()
      expect(yield* writeEvents(response, answerOf(log).answer)).toBe("complete")
      yield* settle
      expect(eventsIn({ body: body() }).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "SESSION_CLOSED" })
    })
  )
  it.effect("may be empty where there is no run", () =>
    Effect.gen(function* () {
      const log = makeLog()
      log.close()
      const { body, response } = open()
      expect(yield* writeEvents(response, answerOf(log, { endsRun: false }).answer)).toBe("complete")
      yield* settle
      expect(body()).toBe("")
    })
  )
  it.effect("that is interrupted ends with an error", () =>
    Effect.gen(function* () {
      const log = makeLog()
      log.append(started)
      const { body, response } = open()
      const fiber = yield* Effect.forkChild(writeEvents(response, answerOf(log).answer), { startImmediately: true })
      yield* settle
      yield* Fiber.interrupt(fiber)
      yield* settle
      expect(eventsIn({ body: body() })).toMatchObject([
        { type: "RUN_STARTED" },
        { type: "RUN_ERROR", code: "SERVER_CLOSED" }
      ])
      expect(response.writableEnded).toBe(true)
    })
  )
})

describe("a long conversation", () => {
  const messages = Array.from(
    { length: 30 },
    (_, at): Agui.Message => ({
      id: `m${at}`,
      role: "user",
      content: String(at).repeat(10_000)
    })
  )
  const snapshot: Agui.AguiEvent = { type: "MESSAGES_SNAPSHOT", messages }

  it.effect("is written in pieces, as its reader takes them, and nothing comes between", () =>
    Effect.gen(function* () {
      const log = makeLog()
      const { body, pipe, response } = open()
      const fiber = yield* Effect.forkChild(writeEvents(response, answerOf(log).answer), { startImmediately: true })
      log.append(started)
      yield* settle
      pipe.reads = false
      log.append(snapshot, finished)
      log.close()
      yield* settle
      expect(response.writableLength).toBeLessThan(100_000)
      for (let n = 0; n < 3; n++) {
        yield* TestClock.adjust("16 seconds")
        yield* settle
      }
      pipe.goOn()
      expect(yield* Fiber.join(fiber)).toBe("complete")
      yield* settle
      expect(eventsIn({ body: body() })).toEqual([started, snapshot, finished])
    })
  )
  it.effect("lets others have their turn between its pieces, however fast its reader is", () =>
    Effect.gen(function* () {
      const log = makeLog()
      log.append(started, snapshot, finished)
      log.close()
      const { body, response } = open()
      let turns = 0
      const turn = () => {
        turns++
        immediate = setImmediate(turn)
      }
      let immediate = setImmediate(turn)
      expect(yield* writeEvents(response, answerOf(log).answer)).toBe("complete")
      clearImmediate(immediate)
      expect(eventsIn({ body: body() })).toEqual([started, snapshot, finished])
      expect(turns).toBeGreaterThanOrEqual(JSON.stringify(snapshot).length / 100_000)
    })
  )
  it.effect("that is interrupted is cut off, and is no event", () =>
    Effect.gen(function* () {
      const log = makeLog()
      log.append(started)
      const { body, pipe, response } = open()
      const fiber = yield* Effect.forkChild(writeEvents(response, answerOf(log).answer), { startImmediately: true })
      yield* settle
      pipe.reads = false
      log.append(snapshot)
      yield* settle
      yield* Fiber.interrupt(fiber)
      pipe.goOn()
      yield* settle
      expect(body()).not.toContain("RUN_ERROR")
      expect(response.destroyed).toBe(true)
    })
  )
})

describe("silence", () => {
  it.effect("is filled with comments, at its interval and only then", () =>
    Effect.gen(function* () {
      const log = makeLog()
      log.append(started)
      const { body, response } = open()
      const fiber = yield* Effect.forkChild(writeEvents(response, answerOf(log).answer), { startImmediately: true })
      const comments = () => body().split(": keep-alive\n\n").length - 1
      yield* settle
      yield* TestClock.adjust("14 seconds")
      yield* settle
      expect(comments()).toBe(0)
      log.append(delta("x"))
      yield* settle
      yield* TestClock.adjust("14 seconds")
      yield* settle
      expect(comments()).toBe(0)
      yield* TestClock.adjust("1 second")
      yield* settle
      expect(comments()).toBe(1)
      yield* TestClock.adjust("15 seconds")
      yield* settle
      expect(comments()).toBe(2)
      log.append(finished)
      log.close()
      expect(yield* Fiber.join(fiber)).toBe("complete")
    })
  )
})

describe("a reader", () => {
  it.effect("that leaves is noticed", () =>
    Effect.gen(function* () {
      const log = makeLog()
      log.append(started)
      const { pipe, response } = open()
      const fiber = yield* Effect.forkChild(writeEvents(response, answerOf(log).answer), { startImmediately: true })
      yield* settle
      response.emit("close")
      pipe.destroy()
      expect(yield* Fiber.join(fiber)).toBe("gone")
    })
  )
  it.effect("has had only what its connection took", () =>
    Effect.gen(function* () {
      const log = makeLog()
      const { pipe, response } = open()
      const { answer, delivered } = answerOf(log)
      const fiber = yield* Effect.forkChild(writeEvents(response, answer), { startImmediately: true })
      log.append(started)
      yield* settle
      expect(delivered).toEqual([1])
      pipe.reads = false
      log.append(delta("a"), delta("b"))
      yield* settle
      log.append(finished)
      yield* settle
      expect(delivered).toEqual([1])
      pipe.goOn()
      yield* settle
      expect(delivered).toEqual([1, 3, 4])
      yield* Fiber.interrupt(fiber)
    })
  )
  it.effect("that falls behind the log is cut off", () =>
    Effect.gen(function* () {
      const log = makeLog({ maxEntries: 10 })
      const { pipe, response } = open()
      const fiber = yield* Effect.forkChild(writeEvents(response, answerOf(log).answer), { startImmediately: true })
      pipe.reads = false
      log.append(started)
      yield* settle
      for (let i = 0; i < 20; i++) log.append(delta("x"))
      pipe.goOn()
      expect(yield* Fiber.join(fiber)).toBe("slow")
      expect(response.destroyed).toBe(true)
    })
  )
  it.effect("that takes nothing is cut off in the end", () =>
    Effect.gen(function* () {
      const log = makeLog()
      const { pipe, response } = open()
      const fiber = yield* Effect.forkChild(writeEvents(response, answerOf(log).answer), { startImmediately: true })
      pipe.reads = false
      log.append(started)
      yield* settle
      for (let step = 0; step < 10; step++) {
        yield* TestClock.adjust("6 seconds")
        yield* settle
      }
      // Nor do comments pile up before it.
      expect(response.writableLength).toBeLessThan(200)
      yield* TestClock.adjust("6 seconds")
      expect(yield* Fiber.join(fiber)).toBe("slow")
      expect(response.destroyed).toBe(true)
    })
  )
})
