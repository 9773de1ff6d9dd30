import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { matchItems, matchOf, matchText, type Step } from "../../src/policy/Match.ts"

const letters = (...all: ReadonlyArray<string>) => fc.string({ unit: fc.constantFrom(...all), maxLength: 12 })

describe("matchText", () => {
  it("means what the regular expression would mean", () => {
    fc.assert(
      fc.property(letters("a", "b", "*", "?", "."), letters("a", "b", ".", "\n"), (pattern, text) => {
        const source = [...pattern].map((each) =>
          each === "*" ? "[^]*" : each === "?" ? "[^]" : `\\x${each.charCodeAt(0).toString(16)}`
        )
        expect(matchText(pattern, text)).toBe(new RegExp(`^${source.join("")}$`).test(text))
      }),
      { numRuns: 2000 }
    )
  })

  it("answers where a regular expression would try for ages", () => {
    expect(matchText("*a".repeat(40), "a".repeat(20_000))).toBe(true)
    expect(matchText(`${"*a".repeat(40)}b`, "a".repeat(20_000))).toBe(false)
  })
})

/** Whether steps and items fit, said in the plainest way there is. */
const plainly = (steps: ReadonlyArray<string>, items: ReadonlyArray<string>): boolean => {
  const [step, ...others] = steps
  if (step === undefined) return items.length === 0
  if (step === "*") return plainly(others, items) || (items.length > 0 && plainly(steps, items.slice(1)))
  return items[0] === step && plainly(others, items.slice(1))
}

const stepsOf = (pattern: ReadonlyArray<string>): ReadonlyArray<Step<string>> =>
  pattern.map((each) => (each === "*" ? "many" : (item) => (item === "?" ? "maybe" : matchOf(item === each))))

const unknowns = { isMany: (item: string) => item === "…", mayBeSkipped: () => false }
const known = { isMany: () => false, mayBeSkipped: () => false }
const row = (...all: ReadonlyArray<string>) => fc.array(fc.constantFrom(...all), { maxLength: 6 })

describe("matchItems", () => {
  it("means what the plain definition means", () => {
    fc.assert(
      fc.property(row("a", "b", "*"), row("a", "b"), (pattern, items) => {
        expect(matchItems(stepsOf(pattern), items, known)).toBe(matchOf(plainly(pattern, items)))
      }),
      { numRuns: 2000 }
    )
  })

  it("is sure only of what holds whatever the unknown items turn out to be", () => {
    fc.assert(
      fc.property(row("a", "b", "*"), row("a", "b", "?", "…"), row("a", "b"), (pattern, items, instead) => {
        const real = items.flatMap((item) => (item === "…" ? instead : item === "?" ? [instead[0] ?? "a"] : [item]))
        const before = matchItems(stepsOf(pattern), items, unknowns)
        if (before !== "maybe") expect(before).toBe(matchOf(plainly(pattern, real)))
      }),
      { numRuns: 3000 }
    )
  })
})
