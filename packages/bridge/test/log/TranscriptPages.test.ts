import { Agui, Model } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { viewSettled } from "../../src/log/EntryView.ts"
import type { EventLog } from "../../src/log/EventLog.ts"
import { readHistory } from "../../src/log/MomentReader.ts"
import { lookAtStored } from "../../src/log/StoredThreadTail.ts"
import { type PageQuery, readPage, type TranscriptPage } from "../../src/log/TranscriptPages.ts"
import type { SettledTail } from "../../src/log/TranscriptTail.ts"
import { trunk } from "../../src/store/Checkpoint.ts"
import type { PlacedEntry } from "../../src/store/Store.ts"
import { beginningOf, openLog, testStore, testThread } from "../TestLog.ts"
import { looseEvent } from "./LooseEvents.ts"
import { transcriptEntries } from "./Transcripts.ts"

const messagesIn = (entries: ReadonlyArray<Model.TranscriptEntry>): ReadonlyArray<Agui.Message> =>
  Agui.messagesOf({ entries, omitted: 0 })

const huge = 1_000_000_000

const readStoredHistory = (store: Parameters<typeof lookAtStored>[0], threadId: string, query: PageQuery) =>
  lookAtStored(store, threadId, (view) => readHistory(view, query))

/** All pages, the oldest first. */
const pagesOf = <P extends TranscriptPage, E>(
  query: Omit<PageQuery, "before" | "maxBytes"> & { readonly maxBytes?: number },
  read: (query: PageQuery) => Effect.Effect<P, E>
): Effect.Effect<ReadonlyArray<P>, E> =>
  Effect.gen(function* () {
    const pages: Array<P> = []
    for (let before: number | undefined; ; ) {
      const page = yield* read({ maxBytes: huge, atLeastOne: true, ...query, before })
      pages.unshift(page)
      expect(page.messages, "a page that says that there is more is not empty").toBeGreaterThanOrEqual(
        page.before === undefined ? 0 : 1
      )
      if (page.before === undefined) return pages
      expect(page.before).toBeLessThan(before ?? huge)
      before = page.before
    }
  })

/** A store with a part of a transcript, and a tail with the rest and with some of it as it was not stored. */
const divided = (entries: ReadonlyArray<Model.TranscriptEntry>, stored: number, again: ReadonlySet<number>) =>
  Effect.gen(function* () {
    const store = testStore()
    const placed = entries.map((entry, position): PlacedEntry => ({ position, branch: 0, entry }))
    const outdated = (each: PlacedEntry): PlacedEntry =>
      again.has(each.position) && each.entry.kind === "text"
        ? { ...each, entry: { ...each.entry, text: "as it was" } }
        : each
    yield* store.create(testThread("t"), { entries: placed.slice(0, stored).map(outdated) })
    const tail: SettledTail = {
      path: trunk,
      nextPosition: entries.length,
      entries: placed
        .filter(({ position }) => position >= stored || again.has(position))
        .map((each) => ({ ...each, stored: each.position < stored }))
    }
    return viewSettled(store, "t", Model.emptySituation, tail)
  })

describe("pages of a transcript", () => {
  it("are the whole of it, once and in order, whatever their size and wherever the end of it is", () =>
    fc.assert(
      fc.asyncProperty(transcriptEntries(), fc.nat(60), fc.array(fc.nat(60), { maxLength: 5 }), (entries, at, again) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const view = yield* divided(entries, Math.min(at, entries.length), new Set(again))
            const whole = messagesIn(entries)
            expect(yield* view.countMessages).toBe(whole.length)
            for (let maxMessages = 1; maxMessages <= whole.length + 1; maxMessages++) {
              const pages = yield* pagesOf({ maxMessages }, (query) => readPage(view, query))
              expect(pages.flatMap((page) => messagesIn(page.entries))).toEqual(whole)
              for (const page of pages) expect(page.messages).toBe(messagesIn(page.entries).length)
            }
          })
        )
      ),
      { numRuns: 30 }
    ))

  it("fit the size, unless one message does not", () =>
    fc.assert(
      fc.asyncProperty(transcriptEntries(), fc.integer({ min: 1, max: 3000 }), (entries, maxBytes) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const view = yield* divided(entries, entries.length, new Set())
            const pages = yield* pagesOf({ maxBytes }, (query) => readPage(view, query))
            expect(pages.flatMap((page) => messagesIn(page.entries))).toEqual(messagesIn(entries))
            for (const page of pages) {
              const messages = messagesIn(page.entries)
              const isOne = messages.filter(({ role }) => role !== "tool").length <= 1
              if (!isOne) expect(Buffer.byteLength(JSON.stringify(messages))).toBeLessThanOrEqual(maxBytes)
            }
            // For those who cannot take more.
            const { entries: fitting } = yield* readPage(view, { maxBytes })
            const event = JSON.stringify(messagesIn(fitting))
            expect(fitting.length === 0 || event.length <= maxBytes).toBe(true)
          })
        )
      ),
      { numRuns: 100 }
    ))

  it("have no less than they may", () =>
    fc.assert(
      fc.asyncProperty(transcriptEntries(), fc.integer({ min: 1, max: 20 }), (entries, maxMessages) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const view = yield* divided(entries, entries.length, new Set())
            const pages = yield* pagesOf({ maxMessages }, (query) => readPage(view, query))
            for (const [n, page] of pages.entries()) {
              const messages = messagesIn(page.entries)
              const isOne = messages.filter(({ role }) => role !== "tool").length <= 1
              expect(isOne || page.messages <= maxMessages).toBe(true)
              // The last message of the page before, with its results, would not have fit.
              const before = messagesIn(pages[n - 1]?.entries ?? [])
              const last = before.length - before.findLastIndex(({ role }) => role !== "tool")
              if (n > 0) expect(page.messages + last).toBeGreaterThan(maxMessages)
            }
          })
        )
      ),
      { numRuns: 60 }
    ))
})

describe("pages of a thread", () => {
  /** The messages of pages, of which a result may come before its call is announced: then it is with its call. */
  const sorted = (messages: ReadonlyArray<Agui.Message>): ReadonlyArray<string> =>
    messages.map((message) => JSON.stringify(message)).sort()

  const whole = (log: EventLog) => Effect.map(log.moment(), ({ transcript }) => messagesIn(transcript.entries))

  it("are what a moment has, whatever happens and however often it is opened, also to those who do not have it", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(looseEvent, { maxLength: 25 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 8 }),
        (lives, checkpointEvents, maxMessages) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const store = testStore()
              for (const events of lives) {
                const log = yield* openLog(store, { checkpointEvents })
                for (const event of events) log.append([event])
                yield* log.settled
                const expected = yield* whole(log)
                const here = yield* pagesOf({ maxMessages }, (query) => log.look((view) => readHistory(view, query)))
                expect(sorted(here.flatMap(({ entries }) => messagesIn(entries)))).toEqual(sorted(expected))
                expect(here.at(-1)?.total).toBe(expected.length)
                const there = yield* pagesOf({ maxMessages }, (query) => readStoredHistory(store, "t", query))
                expect(there).toEqual(here)
              }
            })
          )
      ),
      { numRuns: 100 }
    ))

  it.effect("are read again when somebody writes meanwhile", () =>
    Effect.gen(function* () {
      const store = testStore()
      const log = yield* openLog(store)
      const say = (id: string): ReadonlyArray<Model.Event> => [
        { type: "item_started", lane: null, id, item: { kind: "text" } },
        { type: "item_grew", lane: null, id, delta: "Hello" },
        { type: "item_ended", lane: null, id }
      ]
      log.append([{ type: "turn_started", cause: "prompt", ticket: "r" }, ...say("m")])
      yield* log.settled
      let writes = 3
      const busy = {
        ...store,
        // Between the events and the entries, a checkpoint.
        entries: (threadId: string, query: Parameters<typeof store.entries>[1]) =>
          Effect.gen(function* () {
            if (writes-- > 0) {
              log.append([...say(`m${writes}`), { type: "turn_ended", outcome: { type: "completed" } }])
              yield* Effect.orDie(log.settled)
            }
            return yield* store.entries(threadId, query)
          })
      }
      const { entries } = yield* readStoredHistory(busy, "t", { maxBytes: huge })
      expect(messagesIn(entries).map(({ content, id }) => [id, content])).toEqual(
        ["m", "m2", "m1", "m0"].map((id) => [id, "Hello"])
      )
    })
  )

  it.effect("takes as much reading when the thread is long as when it is short", () =>
    Effect.gen(function* () {
      const turns = (count: number): ReadonlyArray<Model.TranscriptEntry> =>
        Array.from({ length: count }, (_, at) => String(at).padStart(6, "0")).flatMap(
          (n): ReadonlyArray<Model.TranscriptEntry> => [
            { id: `p${n}`, lane: null, kind: "prompt", content: "Go on." },
            { id: `m${n}`, lane: null, kind: "text", text: "I look." },
            { id: `c${n}`, lane: null, kind: "call", tool: "Read", action: "read", parent: `m${n}`, arguments: "{}" },
            { id: `c${n}`, lane: null, kind: "result", content: "Something.", failed: false }
          ]
        )
      /** How many rows were asked of the store. */
      const rowsFor = (count: number) =>
        Effect.gen(function* () {
          const store = testStore()
          let rows = 0
          const counted =
            <A extends ReadonlyArray<unknown>, R, E>(
              ask: (...args: A) => Effect.Effect<R, E>,
              sizeOf: (answer: R) => number
            ) =>
            (...args: A) =>
              Effect.tap(ask(...args), (answer) =>
                Effect.sync(() => {
                  rows += sizeOf(answer)
                })
              )
          const counting = {
            ...store,
            entries: counted(store.entries, ({ entries }) => entries.length),
            entriesById: counted(store.entriesById, (entries) => entries.length),
            messageParts: counted(store.messageParts, (entries) => entries.length),
            events: counted(store.events, (events) => events.length)
          }
          yield* Effect.orDie(store.create(testThread("t"), beginningOf({ entries: turns(count), omitted: 0 })))
          const newest = yield* readStoredHistory(counting, "t", { maxBytes: huge, maxMessages: 50 })
          const first = rows
          const middle = yield* readStoredHistory(counting, "t", {
            maxBytes: huge,
            maxMessages: 50,
            before: newest.before
          })
          // A message comes with its result.
          expect([newest.messages, middle.messages]).toEqual([50, 49])
          const log = yield* openLog(counting)
          const opened = rows
          const moment = yield* log.moment({ maxBytes: 10_000 })
          return { first, second: opened - first, moment: rows - opened, omitted: moment.transcript.omitted > 0 }
        })
      const [short, long] = [yield* rowsFor(100), yield* rowsFor(5000)]
      expect(long).toEqual(short)
      expect(long.first, "100 are read at once, and no entry twice").toBe(100)
      expect(long.moment).toBeLessThan(2000)
    })
  )
})
