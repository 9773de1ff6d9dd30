import { Model } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import type { EventLog, EventLogLimits, LogEntry } from "../../src/log/EventLog.ts"
import type { Store } from "../../src/store/Store.ts"
import { StoreFailed } from "../../src/store/StoreErrors.ts"
import { conversation } from "../Conversation.ts"
import { openLog, testLog, testStore } from "../TestLog.ts"
import { looseEvent } from "./LooseEvents.ts"

const piece = (delta: string): Model.Event => ({ type: "item_grew", lane: null, id: "m", delta })
const start: Model.Event = { type: "item_started", lane: null, id: "m", item: { kind: "text" } }
const begun: Model.Event = { type: "turn_started", cause: "prompt", ticket: "r" }
const ended: Model.Event = { type: "turn_ended", outcome: { type: "completed" } }
const pieces = (count: number): ReadonlyArray<Model.Event> =>
  Array.from({ length: count }, (_, index) => piece(String(index)))

/** All that is in a log now. */
const all = (log: EventLog, from = 0) =>
  Effect.andThen(
    log.settled,
    Effect.suspend(() => Stream.runCollect(Stream.take(log.read(from), log.next() - from)))
  )

/** Entries as they have to be for events. */
const entriesOf = (events: ReadonlyArray<Model.Event>): ReadonlyArray<Pick<LogEntry, "seq" | "event" | "before">> => {
  let before = Model.emptySituation
  return events.map((event, seq) => {
    const entry = { seq, event, before }
    before = Model.applyToSituation(before, event)
    return entry
  })
}

describe("a reader", () => {
  it.effect("gets what there is and what comes, in order and without gaps, wherever it begins", () =>
    Effect.gen(function* () {
      const log = testLog()
      log.append(pieces(700))
      const reader = yield* Effect.forkChild(Stream.runCollect(log.read(3)))
      yield* Effect.yieldNow
      log.append(pieces(5))
      yield* log.close
      const entries = yield* Fiber.join(reader)
      expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 702 }, (_, index) => index + 3))
    })
  )

  it.effect("that is slow slows nobody, and gets what is not in memory any more from the store", () =>
    Effect.gen(function* () {
      const log = testLog({ maxEvents: 10 })
      log.append(pieces(1500))
      yield* log.close
      expect(log.oldest()).toBe(1490)
      const entries = yield* Stream.runCollect(log.read(3))
      expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 1497 }, (_, index) => index + 3))
    })
  )

  it.effect("that is behind when the thread is removed is told what is gone, once, and gets the rest", () =>
    Effect.gen(function* () {
      for (const from of [0, 3, 1000]) {
        const store = testStore()
        const log = yield* openLog(store, { maxEvents: 10 })
        log.append([begun, ...pieces(1497), ended])
        yield* log.close
        yield* store.remove("t")
        const gap = yield* Effect.flip(Stream.runCollect(log.read(from)))
        expect(gap).toMatchObject({ _tag: "LogGap", wanted: from, oldest: log.oldest() })
        const rest = yield* Stream.runCollect(log.read(log.oldest()))
        expect(rest.map(({ seq }) => seq)).toEqual(Array.from({ length: 10 }, (_, index) => index + log.oldest()))
      }
    })
  )

  it.effect("does not disturb another", () =>
    Effect.gen(function* () {
      const log = testLog()
      const readers = yield* Effect.forEach([0, 0, 2], (from) => Effect.forkChild(Stream.runCollect(log.read(from))))
      for (const event of pieces(6)) log.append([event])
      yield* log.close
      const read = yield* Effect.forEach(readers, Fiber.join)
      expect(read.map((entries) => entries.length)).toEqual([6, 6, 4])
    })
  )

  it.effect("knows what was open wherever it begins, and the line that an event came from", () =>
    Effect.gen(function* () {
      const log = testLog()
      log.append([{ type: "turn_started", cause: "agent" }, start], 7)
      log.append([piece("x")])
      yield* log.close
      const entries = yield* Stream.runCollect(log.read(0))
      expect(entries.map(({ before, line }) => [before.turn !== undefined, before.items.size, line])).toEqual([
        [false, 0, 7],
        [true, 0, 7],
        [true, 1, undefined]
      ])
    })
  )

  it.effect("sees an event when it is written, and the session at once", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const store = testStore()
      const log = yield* openLog({
        ...store,
        append: (claim, batch) => Effect.andThen(Deferred.await(gate), store.append(claim, batch))
      })
      const seen: Array<number> = []
      const reader = yield* Effect.forkChild(
        Stream.runForEach(log.read(0), ({ seq }) => Effect.sync(() => seen.push(seq))),
        { startImmediately: true }
      )
      const looking = yield* Effect.forkChild(log.moment(), { startImmediately: true })
      log.append([begun, start])
      log.append([piece("a")])
      yield* Effect.yieldNow
      expect([log.next(), log.situation().turn?.ticket, seen]).toEqual([3, "r", []])
      yield* Deferred.succeed(gate, undefined)
      yield* log.settled
      expect((yield* Fiber.join(looking)).seq).toBeGreaterThanOrEqual(0)
      yield* log.close
      yield* Fiber.join(reader)
      expect(seen).toEqual([0, 1, 2])
    })
  )
})

/** Lives of one thread: what happens in each, and whether it ends in order. */
const lives = fc.array(
  fc.record({
    batches: fc.array(fc.array(looseEvent, { minLength: 1, maxLength: 8 }), { maxLength: 6 }),
    isKilled: fc.boolean()
  }),
  { minLength: 1, maxLength: 4 }
)

const limits: fc.Arbitrary<EventLogLimits> = fc.record({
  maxEvents: fc.integer({ min: 1, max: 12 }),
  checkpointEvents: fc.integer({ min: 1, max: 12 })
})

/** Lives a thread, and looks at it wherever a life has come to. */
const live = (
  all: typeof lives extends fc.Arbitrary<infer A> ? A : never,
  limits: EventLogLimits,
  look: (log: EventLog, store: Store["Service"]) => Effect.Effect<void, unknown>
) =>
  Effect.gen(function* () {
    const store = testStore()
    for (const { batches, isKilled } of all) {
      const log = yield* openLog(store, limits)
      for (const batch of batches) {
        log.append(batch)
        yield* look(log, store)
      }
      yield* isKilled ? log.settled : log.close
    }
    yield* look(yield* openLog(store, limits), store)
  })

const checking = (
  check: (log: EventLog, events: ReadonlyArray<Model.Event>) => Effect.Effect<void, unknown>,
  numRuns = 60
) =>
  fc.assert(
    fc.asyncProperty(lives, limits, (lives, limits) =>
      Effect.runPromise(
        live(lives, limits, (log, store) =>
          Effect.gen(function* () {
            yield* log.settled
            const stored = yield* store.events("t", 0, 10_000)
            yield* check(
              log,
              stored.map(({ event }) => event)
            )
          })
        )
      )
    ),
    { numRuns }
  )

describe("whatever happens, in however many lives, and whatever memory has forgotten", () => {
  it("events are what was appended, each with what was open before it, from any number on", () =>
    checking((log, events) =>
      Effect.gen(function* () {
        const expected = entriesOf(events)
        for (const from of new Set([0, Math.floor(events.length / 2), events.length])) {
          const read = yield* all(log, from)
          expect(read.map(({ before, event, seq }) => ({ seq, event, before }))).toEqual(expected.slice(from))
        }
      })
    ))

  it("what was said is the fold of all events", () =>
    checking((log, events) =>
      Effect.gen(function* () {
        const { seq, situation, transcript } = yield* log.moment()
        expect(seq).toBe(events.length)
        expect(situation).toEqual(events.reduce(Model.applyToSituation, Model.emptySituation))
        expect(transcript).toEqual(Model.transcriptOf(events))
      })
    ))

  it("nothing is open when a thread is opened, and the turn that was has failed", () =>
    fc.assert(
      fc.asyncProperty(lives, limits, (lives, limits) =>
        Effect.runPromise(
          live(lives, limits, (log) =>
            Effect.gen(function* () {
              const { items, lanes, reply, requests, turn } = log.opened.situation
              expect([items.size, lanes.size, requests.size, turn, reply]).toEqual([0, 0, 0, undefined, undefined])
              const closing = yield* all(log, log.openedAt)
              const end = closing
                .slice(0, log.opened.seq - log.openedAt)
                .findLast(({ event }) => event.type === "turn_ended")
              const before = closing[0]?.before
              if (log.opened.seq > log.openedAt && before?.turn !== undefined)
                expect(end?.event).toMatchObject({ outcome: { type: "failed", code: "BRIDGE_ENDED" } })
            })
          )
        )
      ),
      { numRuns: 60 }
    ))

  it("the turn of a number is where it began", () =>
    checking(
      (log, events) =>
        Effect.gen(function* () {
          const situations = entriesOf(events)
          for (let seq = 0; seq <= events.length; seq++) {
            const begins = events.slice(0, seq).findLastIndex(({ type }) => type === "turn_started")
            expect(yield* log.turnBefore(seq)).toEqual(
              begins === -1
                ? { seq: 0, situation: Model.emptySituation }
                : { seq: begins, situation: situations[begins]?.before }
            )
          }
        }),
      15
    ))
})

describe("what was said", () => {
  const saying = (size: number): ReadonlyArray<Model.Event> => [
    begun,
    { ...start, id: `m${size}` } as Model.Event,
    { type: "item_grew", lane: null, id: `m${size}`, delta: "x".repeat(size) },
    { type: "item_ended", lane: null, id: `m${size}` },
    ended
  ]

  it.effect("is the newest that fits, and says how much is left out, also in the middle of a turn", () =>
    Effect.gen(function* () {
      const log = testLog()
      for (const size of [1000, 1001, 1002, 1003]) log.append(saying(size))
      log.append([begun, start, piece("now")])
      const ids = (maxBytes: number) =>
        Effect.map(log.moment({ maxBytes }), ({ transcript: { entries, omitted } }) => [
          entries.map(({ id }) => id).join(" "),
          omitted
        ])
      expect(yield* ids(1_000_000)).toEqual(["m1000 m1001 m1002 m1003 m", 0])
      expect(yield* ids(3000)).toEqual(["m1002 m1003 m", 2])
      expect(yield* ids(300)).toEqual(["m", 4])
      // What is larger than the client takes is left out, too.
      expect(yield* ids(1)).toEqual(["", 5])
    })
  )

  it.effect("has no result without its call", () =>
    Effect.gen(function* () {
      const log = testLog()
      const item: Model.ItemStart = { kind: "call", tool: "Bash", action: "command", parent: "p" }
      log.append([
        begun,
        { type: "item_started", lane: null, id: "c", item },
        { type: "item_grew", lane: null, id: "c", delta: "x".repeat(1000) },
        { type: "call_answered", lane: null, id: "c", content: "done", failed: false },
        start,
        piece("Done."),
        ended
      ])
      const { transcript } = yield* log.moment({ maxBytes: 500 })
      expect([transcript.entries.map(({ kind }) => kind), transcript.omitted]).toEqual([["text"], 2])
    })
  )

  it.effect("begins with what was said before there were events", () =>
    Effect.gen(function* () {
      const prompt = { id: "u", lane: null, kind: "prompt" as const, content: "Hi" }
      const log = testLog({}, { entries: [prompt], omitted: 0 })
      log.append([begun, start, piece("Hello.")])
      expect((yield* log.moment()).transcript.entries.map(({ id }) => id)).toEqual(["u", "m"])
    })
  )

  it.effect("is a value: what was taken of it does not change", () =>
    Effect.gen(function* () {
      const log = testLog()
      log.append([start, piece("a")])
      const { transcript } = yield* log.moment()
      log.append([piece("b")])
      yield* log.settled
      expect(transcript.entries).toMatchObject([{ text: "a" }])
    })
  )

  it("is not more than what a reader who goes on from its number has not had, however much comes meanwhile", () =>
    fc.assert(
      fc.asyncProperty(conversation, fc.nat(), (events, number) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const log = testLog({ maxEvents: 5, checkpointEvents: 3 })
            const cut = number % (events.length + 1)
            log.append(events.slice(0, cut))
            const looking = yield* Effect.forkChild(log.moment(), { startImmediately: true })
            for (const event of events.slice(cut)) log.append([event])
            const { seq, transcript } = yield* Fiber.join(looking)
            expect(transcript).toEqual(Model.transcriptOf(events.slice(0, seq)))
            yield* log.close
            const rest = yield* Stream.runCollect(log.read(seq))
            expect(
              Model.transcriptOf(
                rest.map(({ event }) => event),
                transcript
              )
            ).toEqual(Model.transcriptOf(events))
          })
        )
      ),
      { numRuns: 60 }
    ))
})

describe("a store that fails", () => {
  const full = new StoreFailed({ code: "STORE_DISK_FULL", message: "The disk is full.", path: "/data" })

  it.effect("ends the log: readers have what is written, and are told why there is no more", () =>
    Effect.gen(function* () {
      const store = testStore()
      let isFull = false
      const log = yield* openLog({
        ...store,
        append: (claim, batch) => (isFull ? Effect.fail(full) : store.append(claim, batch))
      })
      log.append([begun, start])
      yield* log.settled
      isFull = true
      const seen: Array<number> = []
      const reader = yield* Effect.forkChild(
        Effect.flip(Stream.runForEach(log.read(0), ({ seq }) => Effect.sync(() => seen.push(seq))))
      )
      const looking = yield* Effect.forkChild(Effect.flip(log.moment()))
      yield* Effect.yieldNow
      log.append([piece("lost")])
      const failed = { _tag: "LogFailed", code: "STORE_DISK_FULL", message: "The disk is full." }
      expect(yield* Effect.flip(log.settled)).toMatchObject(failed)
      expect(yield* Fiber.join(reader)).toMatchObject(failed)
      expect(yield* log.failure).toMatchObject(failed)
      expect(seen).toEqual([0, 1])
      yield* Fiber.interrupt(looking)
      log.append([piece("more")])
      yield* log.close
      expect(yield* store.next("t")).toBe(2)
      // Once there is room, the thread can be opened again, and what was open is closed.
      isFull = false
      const again = yield* openLog(store)
      expect((yield* again.moment()).transcript.entries).toMatchObject([{ id: "m", text: "", abandoned: true }])
    })
  )

  it.effect("a thread that somebody else takes ends the log, also when nothing is written", () =>
    Effect.gen(function* () {
      const store = testStore()
      const log = yield* openLog(store)
      log.append([begun])
      yield* log.settled
      const reader = yield* Effect.forkChild(Effect.flip(Stream.runDrain(log.read(0))))
      yield* openLog(store)
      expect(yield* Fiber.join(reader)).toMatchObject({ _tag: "LogFailed", code: "CLAIM_LOST" })
      expect(yield* log.failure).toMatchObject({ code: "CLAIM_LOST" })
    })
  )

  it.effect("because it does not answer is not waited for without an end", () =>
    Effect.gen(function* () {
      const log = yield* openLog({ ...testStore(), append: () => Effect.never }, { maxPendingCharacters: 1000 })
      log.append([start])
      const waiting = yield* Effect.forkChild(Effect.flip(log.settled), { startImmediately: true })
      yield* Effect.yieldNow
      log.append(pieces(5))
      expect(log.next()).toBe(6)
      log.append(pieces(20))
      expect((yield* log.failure).code).toBe("STORE_UNWRITABLE")
      expect((yield* Fiber.join(waiting)).message).toContain("does not answer")
      log.append(pieces(20))
      expect(log.next()).toBe(26)
    })
  )

  it.effect("that breaks is one that fails", () =>
    Effect.gen(function* () {
      const store = testStore()
      const log = yield* openLog({ ...store, append: () => Effect.die(new Error("broken")) })
      log.append([begun])
      expect(yield* Effect.flip(log.settled)).toMatchObject({ code: "STORE_UNWRITABLE" })
    })
  )
})

describe("what is known of a thread", () => {
  it.effect("is written with the events: the time of the last message, the state, and what else has changed", () =>
    Effect.gen(function* () {
      const store = testStore()
      let now = 5
      yield* store.create({ threadId: "t", cwd: "/", options: {}, archived: false, createdAt: 0, activeAt: 0 })
      const claim = yield* store.claim("t")
      const { openEventLog } = yield* Effect.promise(() => import("../../src/log/EventLog.ts"))
      const log = yield* openEventLog({ store, claim, now: () => now })
      log.append([{ type: "state_changed", state: { count: 1 } }])
      log.change({ title: "Words", titleBy: "prompt" })
      yield* log.settled
      expect(yield* store.thread("t")).toMatchObject({ activeAt: 0, state: { count: 1 }, title: "Words" })
      log.append([begun, start])
      now = 9
      log.append([piece("more"), ended])
      yield* log.settled
      expect((yield* store.thread("t"))?.activeAt).toBe(5)
    }).pipe(Effect.scoped)
  )

  it.effect("says that a thread was cut short once somebody looks at it, and is changed in nothing else", () =>
    Effect.gen(function* () {
      const store = testStore()
      const log = yield* openLog(store)
      log.append([begun, start])
      yield* log.settled
      const before = yield* store.thread("t")
      const { cutAt } = yield* openLog(store)
      expect(cutAt).toBe(1)
      expect(yield* store.thread("t")).toEqual({ ...before, cutAt, leftAt: cutAt })
      yield* openLog(store)
      expect(yield* store.thread("t")).toEqual({ ...before, cutAt, leftAt: cutAt })
    })
  )
})
