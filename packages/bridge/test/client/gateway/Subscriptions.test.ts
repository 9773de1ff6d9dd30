/** What a client says that comes back. */
import { expect, it } from "vitest"
import { onlyOf, subscriptionsFor } from "../../../src/client/gateway/Subscriptions.ts"

const places = { a: { seq: 1 }, b: { seq: 2, part: 0 }, c: { seq: 3 } }

it("is nothing where nothing is listened to", () => {
  expect(subscriptionsFor([], places)).toEqual([])
})

it("is all patterns of sessions at once, with how far it has come in those", () => {
  const listening = [
    { pattern: "session.turn_stop", sessionIds: ["a"] },
    { pattern: "session.message_start", sessionIds: ["b", "a"] },
    { pattern: "voice.*", sessionIds: undefined }
  ]
  expect(subscriptionsFor(listening, places)).toEqual([
    { events: ["voice.*"] },
    {
      events: ["session.turn_stop", "session.message_start"],
      sessionIds: ["a", "b"],
      after: { a: { seq: 1 }, b: { seq: 2, part: 0 } }
    }
  ])
})

it("is of all sessions where one pattern is", () => {
  const listening = [
    { pattern: "session.turn_stop", sessionIds: ["a"] },
    { pattern: "*", sessionIds: undefined }
  ]
  expect(subscriptionsFor(listening, places)).toEqual([{ events: ["session.turn_stop", "*"], after: places }])
})

it("is no more at once than the gateway takes", () => {
  const many = Array.from({ length: 250 }, (_, nth) => ({ pattern: `x.${nth}`, sessionIds: undefined }))
  expect(subscriptionsFor(many, {}).map(({ events }) => events.length)).toEqual([100, 100, 50])
  const sessionIds = Array.from({ length: 1500 }, (_, nth) => `s${nth}`)
  expect(subscriptionsFor([{ pattern: "session.*", sessionIds }], {}).map((each) => each.sessionIds?.length)).toEqual([
    1000, 500
  ])
})

it("may be of some sessions only", () => {
  expect(onlyOf({ events: ["session.*"], sessionIds: ["a", "b"], after: places }, ["b"])).toEqual({
    events: ["session.*"],
    sessionIds: ["b"],
    after: { b: { seq: 2, part: 0 } }
  })
})
