import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { tokenRules } from "../../../src/tape/secret/Tokens.ts"
import { samples } from "./Samples.ts"

/** The source of a pattern without its classes and escapes. */
const bare = (source: string): string => source.replace(/\\./g, "c").replace(/\[[^\]]*\]/g, "c")

describe("the forms of tokens", () => {
  it("have names of their own", () => {
    expect(new Set(tokenRules.map(({ rule }) => rule)).size).toBe(tokenRules.length)
  })

  it("read without a bound only what is the end of a token", () => {
    for (const file of ["Tokens", "Places", "Assigned"]) {
      const text = readFileSync(new URL(`../../../src/tape/secret/${file}.ts`, import.meta.url), "utf8")
      const patterns = [...text.matchAll(/rest: "((?:[^"\\]|\\.)*)"/g)].map(([, source = ""]) =>
        bare(source.replace(/\\\\/g, "\\"))
      )
      // Nothing that could fail follows a run without a bound, but what cannot be part of the run.
      for (const pattern of patterns) expect(pattern).not.toMatch(/(?:[*+]|,\})\(\?:c[{*+]/)
    }
  })

  it("are each met by a sample, the common ones at least", () => {
    const texts = samples(1).flatMap(({ texts: each }) => each.map(([, text]) => text))
    const met = tokenRules.filter(({ words }) => words.some((word) => texts.some((text) => text.includes(word))))
    expect(met.length).toBeGreaterThan(90)
  })
})
