import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Event, Event as EventSchema } from "../../src/model/Event.ts"
import { applyToSituation, emptySituation, type Situation } from "../../src/model/Situation.ts"
import { SituationJson, situationFromJson, situationToJson } from "../../src/model/SituationJson.ts"

const events = Arbitrary.schema(EventSchema)

/** Some events, of any kind, in any order. Few names, so that they are about each other. */
const drawn = (seed: number): ReadonlyArray<Event> =>
  Effect.runSync(Arbitrary.sampleEffect(events, { count: 30, seed })).map((event, n) =>
    "id" in event ? { ...event, id: ["a", "b", "__proto__"][n % 3] ?? "a" } : event
  )

const throughJson = (situation: Situation): Situation => {
  const json: unknown = JSON.parse(JSON.stringify(situationToJson(situation)))
  if (!Schema.is(SituationJson)(json)) throw new Error(`not a situation: ${JSON.stringify(json)}`)
  return situationFromJson(json)
}

describe("what is open", () => {
  it("is the same after a way through JSON, whatever happened", () => {
    const seen = { items: 0, lanes: 0, requests: 0, turn: 0, session: 0 }
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        let situation = emptySituation
        for (const event of drawn(seed)) {
          situation = applyToSituation(situation, event)
        }
        // Values that are not named may hold what JSON has not: as JSON they are what stores give back.
        expect(throughJson(throughJson(situation))).toEqual(throughJson(situation))
        expect([...throughJson(situation).items.keys()]).toEqual([...situation.items.keys()])
        seen.items += situation.items.size
        seen.lanes += situation.lanes.size
        seen.requests += situation.requests.size
        seen.turn += situation.turn === undefined ? 0 : 1
        seen.session += situation.session === undefined ? 0 : 1
      }),
      { numRuns: 40 }
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
  })

  it("keeps every key, also those that are undefined", () => {
    const open: ReadonlyArray<Event> = [
      { type: "turn_started", cause: "prompt" },
      { type: "spent", usage: { input: 1, output: 2, cachedInput: 0, cacheWriteInput: 0 }, model: "m" },
      { type: "reply_started", lane: null, id: "r" },
      { type: "lane_opened", lane: "call", parent: null, name: "helper" },
      { type: "lane_opened", lane: "deep", parent: "call", name: "helper", description: "more" },
      { type: "item_started", lane: "call", id: "t", item: { kind: "task", content: { n: 1 } } },
      {
        type: "request_opened",
        lane: null,
        request: { kind: "page_tool", id: "q", message: "?", call: "c", tool: "T", input: {} }
      },
      { type: "session_changed", info: { sessionId: "s", model: "m", cwd: "/" } },
      { type: "context_reset", how: "cleared" }
    ]
    for (const situation of [emptySituation, open.reduce(applyToSituation, emptySituation)])
      expect(throughJson(situation)).toStrictEqual(situation)
  })

  it("is refused when it is something else", () => {
    const json = situationToJson(emptySituation)
    for (const wrong of [null, {}, { ...json, turns: -1 }, { ...json, items: {} }, { ...json, lanes: [["a", {}]] }])
      expect(Schema.is(SituationJson)(wrong)).toBe(false)
  })
})
