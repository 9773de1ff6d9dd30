import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { pageCursor, placeOf } from "../../src/log/PageCursor.ts"

describe("a cursor", () => {
  it("is a place of its thread, and of no other thread or kind of list", () =>
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), fc.nat(), fc.nat(), (place, createdAt, other) => {
        const cursor = pageCursor(createdAt, ...place)
        expect(placeOf(createdAt, cursor, place.length)).toEqual(place)
        expect(placeOf(createdAt, cursor, place.length + 1)).toBeUndefined()
        if (other !== createdAt) expect(placeOf(other, cursor, place.length)).toBeUndefined()
      })
    ))

  it("is never anything else", () =>
    fc.assert(
      fc.property(fc.string(), fc.nat(), (text, createdAt) => {
        const place = placeOf(createdAt, text, 2)
        if (place !== undefined) expect(place.every(Number.isSafeInteger)).toBe(true)
        expect(placeOf(createdAt, `${text}-`, 2)).toBeUndefined()
      })
    ))
})
