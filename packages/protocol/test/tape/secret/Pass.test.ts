/** That no text makes the rules look at much more than the text. */
import { describe, expect, it } from "vitest"
import { applyRules, wordRules } from "../../../src/tape/secret/Pass.ts"

const words = [...new Set(wordRules.flatMap((rule) => rule.words))]
const fillers = ["", " ", "a1", "=", ": ", '="', "\\", '\\"', "-", "@", "\n", "%20", "A".repeat(20)]
const others = ["-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "a@", "a.", "://a:", "Cookie: a=", "REDACTED_x_1 ", "eyJ-"]

/** How much is looked at in a text that is this unit over and over. */
const work = (unit: string, length: number): number => applyRules(unit.repeat(Math.ceil(length / unit.length)), []).looked

describe("the rules", () => {
  it("look at four times as much of a text that is four times as long", () => {
    const growing = [...words.flatMap((word) => fillers.map((filler) => word + filler)), ...others].filter(
      (unit) => work(unit, 8000) > 4.5 * work(unit, 2000)
    )
    expect(growing).toEqual([])
  })

  it("look at no character more than some two hundred times", () => {
    for (const unit of [...words.map((word) => `${word} `), ...others]) expect(work(unit, 8000) / 8000).toBeLessThan(200)
  })

  it("have words that can be found, and that no gap cuts", () => {
    for (const word of words) expect(word).toMatch(/^[\w.~+/=%@:-]{3,}$/)
  })
})
