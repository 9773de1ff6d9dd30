import { describe, expect, it } from "vitest"
import { Counts, shortName } from "../../../src/commands/tape/Counts.ts"

describe("counts by name", () => {
  it("have the most frequent first, and equal ones by name", () => {
    const counts = new Counts()
    for (const name of ["b", "c", "a", "c"]) counts.add(name)
    expect(Object.entries(counts.all)).toEqual([
      ["c", 2],
      ["a", 1],
      ["b", 1]
    ])
  })

  it("keep a thousand names, and count all", () => {
    const counts = new Counts()
    for (let at = 0; at < 5000; at++) counts.add(`name ${at}`)
    expect(Object.keys(counts.all)).toHaveLength(1001)
    expect([counts.total, counts.all["(others)"]]).toEqual([5000, 4000])
  })

  it("are of names that are short", () => {
    expect(shortName("short")).toBe("short")
    expect(shortName("x".repeat(1000))).toBe(`${"x".repeat(200)}…`)
  })
})
