/**
 * Every rule has a fixture that keeps it and one that breaks it: the first is found flawless, the second is found broken
 * by that rule, at that event, and shown by the prefix the finding names.
 */
import { describe, expect, test } from "vitest"
import { rules } from "../../src/conform/Catalogue.ts"
import { verdictOf } from "../../src/conform/Checker.ts"
import { type Case, findingsOf } from "./fixtures/Build.ts"
import { fixtures } from "./fixtures/index.ts"

test("ids are of the family and unique", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
  for (const { family, id } of rules) expect(id).toMatch(new RegExp(`^AGUI-${family.toUpperCase()}-\\d{3}$`))
})

test("there is a fixture for every rule, and for nothing else", () => {
  expect(Object.keys(fixtures).sort()).toEqual(rules.map(({ id }) => id).sort())
})

const prefixOf = (it: Case, length: number): Case =>
  "events" in it ? { ...it, events: it.events.slice(0, length) } : it

describe.each(rules)("$id", ({ dialects, family, id, level }) => {
  const fixture = fixtures[id]
  if (fixture === undefined) throw new Error(`${id} has no fixture`)
  const { at, broken, valid } = fixture

  test("the valid one passes", () => {
    expect(findingsOf(valid).filter((finding) => finding.level !== "info" || finding.rule === id)).toEqual([])
  })

  test("the broken one is found", () => {
    const found = findingsOf(broken).find(({ rule }) => rule === id)
    expect(found, JSON.stringify(findingsOf(broken), null, 1)).toMatchObject({ rule: id, level, index: at })
    expect(found?.message).toMatch(/^.+\.$/s)
    expect(found?.excerpt.length).toBeLessThanOrEqual(300)
    expect(verdictOf(findingsOf(broken)).verdict).not.toBe(level === "info" ? "fail" : "pass")
  })

  test("its prefix suffices, and one event less does not", () => {
    const prefix = findingsOf(broken).find(({ rule }) => rule === id)?.prefix ?? 0
    const breaks = (it: Case) => findingsOf(it).some(({ rule }) => rule === id)
    expect(breaks(prefixOf(broken, prefix))).toBe(true)
    if (at >= 0 && family !== "fidelity") expect(breaks(prefixOf(broken, at))).toBe(false)
  })

  test("it says nothing in a dialect it does not hold in", () => {
    for (const dialect of ["1.0", "0.0"] as const) {
      if (dialects.includes(dialect) || "head" in broken) continue
      const other = { ...broken, options: { ...broken.options, dialect } }
      expect(findingsOf(other).filter(({ rule }) => rule === id)).toEqual([])
    }
  })
})
