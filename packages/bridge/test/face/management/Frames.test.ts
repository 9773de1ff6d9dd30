/**
 * The streams of a session: whoever comes back goes on where it was.
 */
import { Agui, type Model } from "@agentwire/protocol"
import { SseReader } from "@agentwire/protocol/wire"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { writeOptions } from "../../../src/face/agui/AguiThread.ts"
import { eventEpoch, idOf, lineEpoch, type Start, startOf } from "../../../src/face/http/Cursor.ts"
import type { Frame } from "../../../src/face/http/StreamWriter.ts"
import { eventFrames, wireFrames } from "../../../src/face/management/Frames.ts"
import type { EventLogLimits } from "../../../src/log/EventLog.ts"
import { makeWireLog, type WireLogLimits } from "../../../src/log/WireLog.ts"
import type { Session } from "../../../src/session/Session.ts"
import { bareSession } from "../../BareSession.ts"
import { conversation } from "../../Conversation.ts"
import { testLog } from "../../TestLog.ts"

interface Limits {
  readonly log?: EventLogLimits
  readonly wire?: WireLogLimits
}

const sessionWith = ({ log, wire }: Limits = {}): Session => ({
  ...bareSession("t", testLog(log)),
  createdAt: 1_762_000_000_000,
  openedAt: 1_763_000_000_000,
  wire: makeWireLog(wire)
})

/** The events of AG-UI that a reader gets who was there from the start. */
const written = (events: ReadonlyArray<Model.Event>): ReadonlyArray<Agui.AguiEvent> => {
  let writer = Agui.initialWriter(writeOptions("t", "event"))
  return events.flatMap((event) => {
    const [next, sent] = Agui.write(writer, event)
    writer = next
    return sent
  })
}

const read = (text: string) =>
  new SseReader()
    .push(new TextEncoder().encode(text))
    .map(({ data, event, id }) => ({ event, id, data: JSON.parse(data) as unknown }))

const textOf = (frame: Frame): string => (typeof frame === "string" ? frame : [...frame].join(""))

/** A reader that is cut off after so many frames. */
const some = (frames: Stream.Stream<Frame>, count: number) =>
  Effect.map(Stream.runCollect(Stream.take(frames, count)), (found) => read(found.map(textOf).join("")))

/** At most so many of the frames that there are now. */
const atMost = (frames: Stream.Stream<Frame>, count: number) =>
  Effect.gen(function* () {
    const texts: Array<string> = []
    const reading = Stream.runForEach(frames, (frame) => Effect.sync(() => void texts.push(textOf(frame))))
    yield* Effect.raceFirst(
      reading,
      Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))
    )
    return read(texts.slice(0, count).join(""))
  })

const changed: Model.EventOf<"session_changed"> = {
  type: "session_changed",
  info: {
    sessionId: "s",
    version: "1",
    model: "m",
    cwd: "/",
    mode: "default",
    tools: [],
    mcpServers: [],
    slashCommands: [],
    agents: [],
    skills: [],
    outputStyle: "default"
  }
}

const at = (session: Session, id: string | undefined): Start =>
  Effect.runSync(
    startOf(eventEpoch(session), id === undefined ? {} : { "last-event-id": id }, id === undefined ? 0 : undefined)
  )

/** How a log grows, and how much a reader takes before it is cut off, by turns. */
const turns = fc.array(fc.record({ grow: fc.nat(6), take: fc.nat(7) }), { maxLength: 30 })

describe("the events of a session", () => {
  it("are the log, whole and once, wherever the reader was cut off", () =>
    fc.assert(
      fc.asyncProperty(conversation, turns, (events, turns) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const session = sessionWith()
            const left = [...events]
            const got: Array<unknown> = []
            let last: string | undefined
            for (const { grow, take } of [...turns, { grow: left.length, take: 0 }]) {
              session.log.append(left.splice(0, grow))
              const there = written(events.slice(0, session.log.next())).length - got.length
              for (const frame of yield* some(eventFrames(session, at(session, last)), Math.min(take, there))) {
                got.push(frame.data)
                last = frame.id
              }
            }
            yield* session.log.close
            const rest = read((yield* Stream.runCollect(eventFrames(session, at(session, last)))).join(""))
            assert.strictEqual(rest.pop()?.event, "closed")
            assert.deepStrictEqual(
              [...got, ...rest.map(({ data }) => data)],
              JSON.parse(JSON.stringify(written(events)))
            )
          })
        )
      ),
      { numRuns: 60 }
    ))

  it("give the conversation, whatever the log has forgotten meanwhile", () =>
    fc.assert(
      fc.asyncProperty(conversation, turns, (events, turns) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const session = sessionWith({ log: { maxEvents: 5 } })
            const left = [...events]
            let history = Agui.emptyHistory
            let last: string | undefined
            const take = (frames: ReturnType<typeof read>): void => {
              for (const { data, event, id } of frames) {
                last = id
                if (event === "snapshot") history = data as Agui.History
                else if (event === "message") history = Agui.applyEvent(history, data as Agui.AguiEvent)
              }
            }
            for (const { grow, take: count } of [...turns, { grow: left.length, take: 0 }]) {
              session.log.append(left.splice(0, grow))
              take(yield* atMost(eventFrames(session, at(session, last)), count))
            }
            yield* session.log.close
            take(read((yield* Stream.runCollect(eventFrames(session, at(session, last)))).join("")))
            const { transcript } = yield* session.log.moment()
            assert.deepStrictEqual(
              { messages: history.messages, state: history.state },
              JSON.parse(
                JSON.stringify({ messages: Agui.messagesOf(transcript), state: Agui.stateOf(transcript.session) })
              )
            )
          })
        )
      ),
      { numRuns: 60 }
    ))

  it.effect("begin with the conversation for who has nothing, and who comes from another thread of the name", () =>
    Effect.gen(function* () {
      const session = sessionWith()
      session.log.append([changed])
      const [epoch, before] = [eventEpoch(session), eventEpoch(session) - 1]
      const starts = [
        yield* startOf(epoch, {}, undefined),
        yield* startOf(epoch, { "last-event-id": idOf(before, 0) }, undefined),
        yield* startOf(epoch, { "last-event-id": "99" }, undefined),
        yield* startOf(epoch, {}, 2)
      ]
      for (const start of starts) {
        const [frame] = yield* some(eventFrames(session, start), 1)
        assert.deepStrictEqual(frame, {
          event: "snapshot",
          id: idOf(epoch, 0),
          data: { messages: [], state: Agui.stateOf(changed.info), next: 1 }
        })
      }
    })
  )

  it.effect("go on after a snapshot with what came since", () =>
    Effect.gen(function* () {
      const session = sessionWith()
      const { log } = session
      log.append([{ type: "turn_started", cause: "agent" }])
      const then = yield* log.moment()
      log.append([changed])
      const late: Session = { ...session, log: { ...log, moment: () => Effect.succeed(then) } }
      const frames = yield* some(eventFrames(late, { _tag: "Fresh" }), 2)
      assert.deepStrictEqual(
        frames.map(({ event, id }) => [event, id]),
        [
          ["snapshot", idOf(eventEpoch(session), 0)],
          ["message", idOf(eventEpoch(session), 1)]
        ]
      )
    })
  )

  it.effect("that one entry becomes have numbers of their own, the last of them that of the entry", () =>
    Effect.gen(function* () {
      const session = sessionWith()
      session.log.append([
        { type: "turn_started", cause: "prompt", ticket: "r" },
        { type: "item_started", lane: null, id: "u", item: { kind: "prompt", content: "Hi" } }
      ])
      const frames = yield* some(eventFrames(session, at(session, undefined)), 4)
      const ids = ["0", "1.0", "1.1", "1"].map((id) => `${id}${idOf(eventEpoch(session), 0).slice(1)}`)
      assert.deepStrictEqual(
        frames.map(({ id }) => id),
        ids
      )
      const [after] = yield* some(eventFrames(session, at(session, ids[1])), 1)
      assert.strictEqual(after?.id, ids[2])
    })
  )

  it.live("that are long are told in pieces, none of which is", () =>
    Effect.gen(function* () {
      const session = sessionWith()
      const content = "é".repeat(1_000_000)
      session.log.append([
        { type: "turn_started", cause: "prompt", ticket: "r" },
        { type: "item_started", lane: null, id: "u", item: { kind: "prompt", content } }
      ])
      yield* session.log.close
      const frames = yield* Stream.runCollect(eventFrames(session, at(session, undefined)))
      const pieces = frames.map((frame) => (typeof frame === "string" ? [frame] : [...frame]))
      assert.isBelow(Math.max(...pieces.flat().map(({ length }) => length)), 70_000)
      assert.include(JSON.stringify(read(pieces.flat().join(""))), content)
    })
  )

  it.effect("come with the line of the wire that they came from, for who asks for lines", () =>
    Effect.gen(function* () {
      const session = sessionWith()
      session.log.append([{ type: "turn_started", cause: "prompt", ticket: "r" }])
      session.log.append([{ type: "item_started", lane: null, id: "u", item: { kind: "prompt", content: "Hi" } }], 0)
      session.log.append([changed], 7)
      yield* session.log.close
      const plain = read((yield* Stream.runCollect(eventFrames(session, at(session, undefined)))).join(""))
      const lined = read((yield* Stream.runCollect(eventFrames(session, at(session, undefined), true))).join(""))
      assert.deepStrictEqual(
        lined.map(({ event, id }) => [event, id]),
        plain.map(({ event, id }) => [event, id])
      )
      assert.deepStrictEqual(lined, [
        { ...plain[0], data: { event: plain[0]?.data } },
        ...plain.slice(1, 4).map((frame) => ({ ...frame, data: { event: frame.data, line: 0 } })),
        { ...plain[4], data: { event: plain[4]?.data, line: 7 } },
        plain[5]
      ])
      const [snapshot] = yield* some(eventFrames(session, { _tag: "Fresh" }, true), 1)
      assert.deepStrictEqual(snapshot, (yield* some(eventFrames(session, { _tag: "Fresh" }), 1))[0])
    })
  )

  it.effect("refuse an id that is none", () =>
    Effect.gen(function* () {
      for (const id of ["x", "1-", "-2", "1e3", "1-A", "1.", ".1", "1.1.1", "9".repeat(16)]) {
        const refusal = yield* Effect.flip(startOf(0, { "last-event-id": id }, undefined))
        assert.strictEqual(refusal.code, "BAD_INPUT", id)
      }
    })
  )
})

describe("the lines of a session", () => {
  const note = (session: Session, count: number) =>
    Effect.forEach(
      Array.from({ length: count }),
      (_, index) => Effect.sync(() => session.wire.note({ at: 0, from: "agent", message: { index }, events: 0 })),
      { discard: true }
    )

  it.effect("begin with the oldest there is", () =>
    Effect.gen(function* () {
      const session = sessionWith({ wire: { maxLines: 3 } })
      yield* note(session, 10)
      const frames = yield* some(wireFrames(session, { _tag: "Fresh" }), 3)
      assert.deepStrictEqual(
        frames.map(({ id }) => id),
        [7, 8, 9].map((seq) => idOf(lineEpoch(session), seq))
      )
    })
  )

  it.effect("say what is missing to who comes too late, and go on after the gap", () =>
    Effect.gen(function* () {
      const session = sessionWith({ wire: { maxLines: 3 } })
      yield* note(session, 10)
      const [gap, first] = yield* some(wireFrames(session, { _tag: "At", from: 2, had: 0 }), 2)
      assert.deepStrictEqual(gap, { event: "gap", id: idOf(lineEpoch(session), 6), data: { wanted: 2, oldest: 7 } })
      assert.strictEqual(first?.id, idOf(lineEpoch(session), 7))
      const [, again] = yield* some(
        wireFrames(session, Effect.runSync(startOf(lineEpoch(session), { "last-event-id": gap?.id ?? "" }, undefined))),
        2
      )
      assert.strictEqual(again?.id, idOf(lineEpoch(session), 8), "the gap's id is one to go on from")
    })
  )
})
