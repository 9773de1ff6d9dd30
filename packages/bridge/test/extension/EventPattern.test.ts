/** Patterns fit what one reads in them, and take no time that grows faster than what they are held against. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { eventPattern } from "../../src/extension/EventPattern.ts"

const fits = (pattern: string, name: string) => eventPattern(pattern)?.(name)

describe("eventPattern", () => {
  it.each([
    ["*", "session.turn_ended", true],
    ["session.*", "session.turn_ended", true],
    ["session.*", "session", false],
    ["session.*", "voice.session.x", false],
    ["session.turn_ended", "session.turn_ended", true],
    ["session.turn_ended", "session.turn_ended2", false],
    ["*.ended", "voice.ended", true],
    ["s*n.t*d", "session.turn_started", true],
    ["a*a", "a", false],
    ["a*b*a", "aba", true],
    ["a*bc*c", "abc", false]
  ])("%s on %s: %s", (pattern, name, expected) => {
    expect(fits(pattern, name)).toBe(expected)
  })

  it.each(["", "a b", "(a+)+", "x".repeat(300)])("refuses %s", (pattern) => {
    expect(eventPattern(pattern)).toBeUndefined()
  })

  it("agrees with a regular expression", () => {
    const piece = fc.string({ unit: fc.constantFrom("a", "b", ".", "*"), minLength: 1, maxLength: 8 })
    const name = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 10 })
    fc.assert(
      fc.property(piece, name, (pattern, said) => {
        const expected = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(said)
        expect(fits(pattern, said)).toBe(expected)
      })
    )
  })

  it("is done at once with what is made to be slow", () => {
    expect(fits("*a".repeat(99), "a".repeat(100_000).concat("b"))).toBe(false)
  })
})
