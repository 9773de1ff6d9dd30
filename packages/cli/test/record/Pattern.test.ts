/** That a pattern of a user's cannot hold up a recording, and hides what it says. */
import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { patternsOf } from "../../src/record/Pattern.ts"

describe("a pattern", () => {
  it("finds what the same regular expression finds", async () => {
    const text = "ticket-4711, 😀 Ticket-12 and «zoë-7»\nticket-\nx"
    for (const source of ["ticket-\\d+", "[Tt]icket-\\d*", "(?<name>zo\\p{L})-\\d", "\\bx$", "😀", "\\u{1F600}|a*"]) {
      const [pattern] = await patternsOf([source])
      const expected = [...text.matchAll(new RegExp(source, "gu"))].map(({ 0: match, index }) => [index, match])
      const found = Array.from(pattern?.find(text) ?? [], ({ end, start }) => [start, text.slice(start, end)])
      const isThere = ([, match]: ReadonlyArray<unknown>) => match !== ""
      expect([source, found.filter(isThere)]).toEqual([source, expected.filter(isThere)])
    }
  })

  it("that would take for ever elsewhere does not here", async () => {
    const patterns = await patternsOf(["(a+)+$", "(x+x+)+y", "(.*)*z"])
    const text = `${"a".repeat(5000)}! ${"x".repeat(5000)}`
    expect(Tape.redactText(text, { patterns })).toBe(text)
  })

  it("that takes too long hides the rest, and says so once", async () => {
    const said: Array<string> = []
    let time = 0
    const [pattern] = await patternsOf(["a"], { now: () => (time += 2000), onSlow: (message) => said.push(message) })
    expect([...(pattern?.find("aaaaaaaa") ?? [])].at(-1)).toEqual({ start: 3, end: 8 })
    expect([...(pattern?.find("aaaaaaaa") ?? [])].at(-1)).toEqual({ start: 3, end: 8 })
    expect(said).toEqual([expect.stringContaining('The pattern "a" takes too long.')])
  })

  it("that looks around or back is refused, with what to do", async () => {
    for (const source of ["(?<=x)y", "x(?=y)", "x(?!y)", "(a)\\1"])
      await expect(patternsOf([source])).rejects.toThrow(`--redact cannot use "${source}"`)
    await expect(patternsOf(["("])).rejects.toThrow('--redact takes a regular expression, and "(" is not one')
  })
})
