import { describe, expect, it } from "vitest"
import { eventOf } from "../../page/Feed.ts"
import { epochOf, isAfter, placeOf } from "../../page/Place.ts"

const inOrder = ["-1-a", "0-a", "1.0-a", "1.1-a", "1.10-a", "1-a", "2-a", "10.0-a", "10-a"]

describe("places of a stream", () => {
  it("are in the order that the server sends them in", () => {
    const places = inOrder.map(placeOf)
    for (const [at, place] of places.entries()) {
      expect(isAfter(place, undefined)).toBe(true)
      for (const [other, than] of places.entries()) expect(isAfter(place, than)).toBe(at > other)
    }
  })

  it("are of an opening of the session", () => {
    expect(inOrder.map(epochOf)).toEqual(inOrder.map(() => "a"))
  })
})

describe("events of the stream", () => {
  const place = { seq: 3, part: 0 }
  const event = { type: "CUSTOM", event: { type: "nested" } }

  it.each([
    [event, { ...place, event }],
    [
      { event, line: 7 },
      { ...place, event, line: 7 }
    ],
    [{ event }, { ...place, event, line: null }],
    [
      { event, line: null },
      { ...place, event, line: null }
    ]
  ])("may say which line they came from: %j", (data, expected) => {
    expect(eventOf(place, data)).toEqual(expected)
  })
})
