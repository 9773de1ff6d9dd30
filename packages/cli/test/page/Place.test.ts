import { describe, expect, it } from "vitest"
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
