/** A thread that goes back: whatever is said on whichever branch, memory and store are the fold of the events. */
import { Model } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { EventLog } from "../../src/log/EventLog.ts"
import type { PlacedEntry, Store } from "../../src/store/Store.ts"
import { openLog, testLog, testStore } from "../TestLog.ts"
import { looseEvent } from "./LooseEvents.ts"

const on = { lane: null }

/** Something is said, the runtime names the point after it, or the conversation goes back to something that was said. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.array(looseEvent, { minLength: 1, maxLength: 5 }).map((events) => ({ events })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("t0", "h0", "p0").map((id) => ({
      events: [{ type: "anchored" as const, ...on, id, anchor: `after ${id}` }]
    }))
  },
  {
    weight: 1,
    // The point after a result is named with it.
    arbitrary: fc.constantFrom("c0", "c1").map((id) => ({
      events: [
        { type: "call_answered" as const, ...on, id, content: "done", failed: false },
        { type: "anchored" as const, ...on, id, anchor: `after the result of ${id}` }
      ]
    }))
  },
  {
    weight: 1,
    // An item that nobody has begun before.
    arbitrary: fc.uuid().map((id) => ({
      events: [
        { type: "item_started" as const, ...on, id, item: { kind: "text" as const } },
        { type: "anchored" as const, ...on, anchor: `after whatever was last: ${id}` }
      ]
    }))
  },
  { weight: 2, arbitrary: fc.nat().map((back) => ({ back })) },
  { weight: 1, arbitrary: fc.constant({ reopen: true as const }) }
)

const limits = fc.record({
  maxEvents: fc.integer({ min: 1, max: 12 }),
  checkpointEvents: fc.integer({ min: 1, max: 12 })
})

/** Going back ends the agent: nothing that was said before continues after it, so all that is said then is new. */
const anew = (events: ReadonlyArray<Model.Event>, times: number): ReadonlyArray<Model.Event> =>
  events.map((event) => ("id" in event && event.id !== undefined ? { ...event, id: `${event.id} ${times}` } : event))

const allPlaces = (log: EventLog): Effect.Effect<ReadonlyArray<PlacedEntry>, unknown> =>
  log.look((view) =>
    Effect.map(
      Effect.forEach(view.situation.origins, (_, branch) => view.page({ path: [{ branch }] })),
      (pages) => pages.flatMap(({ entries }) => entries)
    )
  )

const check = (log: EventLog, store: Store["Service"]) =>
  Effect.gen(function* () {
    yield* log.settled
    const events = (yield* store.events("t", 0, 10_000)).map(({ event }) => event)
    const { situation, transcript } = yield* log.moment()
    expect(transcript).toEqual(Model.transcriptOf(events))
    expect(situation).toEqual(events.reduce(Model.applyToSituation, Model.emptySituation))
    // The same through the view, and by id.
    yield* log.look((view) =>
      Effect.gen(function* () {
        const { entries, more } = yield* view.page()
        expect([entries.map(({ entry }) => entry), more]).toEqual([transcript.entries, false])
        expect(yield* view.count()).toBe(transcript.entries.length)
        const found = yield* view.find(entries.map(({ entry }) => entry.id))
        const path = Model.pathIn(view.situation)
        expect(found.filter((each) => Model.isOnPath(path, each))).toEqual(entries)
        const half = Math.ceil(entries.length / 2)
        const newer = yield* view.page({ maxEntries: Math.max(1, half) })
        const older = yield* view.page({ before: newer.entries[0]?.position ?? 0 })
        expect([...older.entries, ...newer.entries]).toEqual(entries)
      })
    )
  })

describe("a thread that goes back", () => {
  it("has what was said on its path, in however many lives", () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), limits, (steps, limits) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const store = testStore()
            let log = yield* openLog(store, limits)
            for (const each of steps) {
              if ("events" in each) log.append(anew(each.events, log.situation().branch))
              else if ("reopen" in each) {
                yield* log.close
                log = yield* openLog(store, limits)
              } else {
                const places = yield* allPlaces(log)
                const from = places[each.back % (places.length + 1)]
                log.append([
                  {
                    type: "branched",
                    branch: log.situation().origins.length,
                    from: from === undefined ? null : { branch: from.branch, position: from.position },
                    after: from?.entry.id ?? null,
                    anchor: from?.entry.anchor ?? null
                  }
                ])
              }
              yield* check(log, store)
            }
            yield* log.close
            yield* check(yield* openLog(store, limits), store)
          })
        )
      ),
      { numRuns: 150 }
    ))

  it.effect("keeps what it left, on its branch", () =>
    Effect.gen(function* () {
      const log = testLog()
      const said = (id: string): ReadonlyArray<Model.Event> => [
        { type: "item_started", ...on, id, item: { kind: "prompt", content: id } }
      ]
      log.append([...said("a"), ...said("b")])
      log.append([{ type: "branched", branch: 1, from: { branch: 0, position: 0 }, after: "a", anchor: null }])
      log.append(said("c"))
      const pages = yield* log.look((view) =>
        Effect.all([view.page(), view.page({ path: [{ branch: 0 }] }), view.page({ path: [{ branch: 1 }] })])
      )
      expect(pages.map(({ entries }) => entries.map(({ entry }) => entry.id).join(" "))).toEqual(["a c", "a b", "c"])
    })
  )
})
