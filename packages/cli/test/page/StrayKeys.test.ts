import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { calmMs, type KeyPress, makeStrayKeys } from "../../page/StrayKeys.ts"

const press = (at: number, more: Partial<KeyPress> = {}): KeyPress => ({
  code: "Space",
  key: " ",
  isRepeat: false,
  at,
  ...more
})

/** Keys that watched a question which is calm at 1,000. */
const calm = () => {
  const keys = makeStrayKeys()
  keys.shown(1000 - calmMs)
  return keys
}

describe("stray keys", () => {
  it("are all that come before the question is seen, however late", () => {
    const keys = makeStrayKeys()
    expect(keys.isStrayDown(press(100_000))).toBe(true)
    expect(keys.isStrayUp("Space")).toBe(true)
    expect(keys.calmAt()).toBe(Number.POSITIVE_INFINITY)
  })

  it("are the keys of who goes on typing, for as long as they do", () => {
    const pauses = fc.array(fc.integer({ min: 1, max: calmMs - 1 }), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(pauses, fc.constantFrom(" ", "Enter", "Tab", "a"), (gaps, key) => {
        const keys = makeStrayKeys()
        let at = 0
        keys.shown(at)
        for (const gap of gaps) {
          at += gap
          expect(keys.isStrayDown(press(at, { code: key, key }))).toBe(true)
          expect(keys.isStrayUp(key)).toBe(true)
        }
        expect(keys.calmAt()).toBe(at + calmMs)
        expect(keys.isStrayDown(press(at + calmMs, { code: key, key }))).toBe(false)
        expect(keys.isStrayUp(key)).toBe(false)
      })
    )
  })

  it("are those that were pressed before the question, and heard of after it", () => {
    expect(calm().isStrayDown(press(300))).toBe(true)
  })

  it("are those that were down all the time: neither their repeats nor their end count", () => {
    const keys = calm()
    expect(keys.isStrayDown(press(999))).toBe(true)
    expect(keys.isStrayDown(press(1999, { isRepeat: true }))).toBe(true)
    expect(keys.isStrayUp("Space")).toBe(true)
  })

  it("are repeats of Enter, but not of what edits a text", () => {
    const keys = calm()
    const enter = { code: "Enter", key: "Enter" }
    expect(keys.isStrayDown(press(1000, enter))).toBe(false)
    expect(keys.isStrayDown(press(1600, { ...enter, isRepeat: true }))).toBe(true)
    const erase = { code: "Backspace", key: "Backspace" }
    expect(keys.isStrayDown(press(2000, erase))).toBe(false)
    expect(keys.isStrayDown(press(2600, { ...erase, isRepeat: true }))).toBe(false)
  })

  it("are every Escape", () => {
    expect(calm().isStrayDown(press(5000, { code: "Escape", key: "Escape" }))).toBe(true)
  })
})
