/** Which key stands for a recorded one, and how many are tried. */
import { describe, expect, it } from "vitest"
import { OtherKeys } from "../../src/tape/OtherKeys.ts"

const uuid = (at: number): string => `${String(at).padStart(8, "0")}-1677-4614-b80c-93fce2c27c67`

describe("OtherKeys", () => {
  it("takes the key itself before one that looks like it", () => {
    const keys = new OtherKeys([uuid(1), uuid(2)])
    expect(keys.take(uuid(2), () => true)).toBe(uuid(2))
    expect([...keys.left()]).toEqual([uuid(1)])
  })

  it("takes the first that looks like it and fits, once", () => {
    const keys = new OtherKeys(["other", uuid(1), uuid(2), uuid(3)])
    expect(keys.take(uuid(9), (key) => key !== uuid(1))).toBe(uuid(2))
    expect(keys.take(uuid(9), (key) => key !== uuid(1))).toBe(uuid(3))
    expect(keys.take(uuid(9), (key) => key !== uuid(1))).toBeUndefined()
    expect(keys.take("another", () => true)).toBeUndefined()
    expect([...keys.left()]).toEqual(["other", uuid(1)])
  })

  it("tries a few for each key, however many there are", () => {
    for (const count of [1000, 4000]) {
      const keys = new OtherKeys(Array.from({ length: count }, (_, at) => uuid(at)))
      let tries = 0
      for (let at = 0; at < count; at++)
        keys.take(uuid(count + at), () => {
          tries++
          return false
        })
      expect(tries).toBe(32 * count)
    }
  })
})
