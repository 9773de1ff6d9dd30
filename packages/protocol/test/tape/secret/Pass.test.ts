/** That no text makes the rules look at much more than the text. */
import { describe, expect, it } from "vitest"
import { sweeping } from "../../../../fixtures/test/Sweep.ts"
import { applyRules, wordRules } from "../../../src/tape/secret/Pass.ts"

/** One word of each rule that has a form, and all of those that have none. */
const chosen = wordRules.flatMap((rule) =>
  rule.isWide === true && rule.words.length < 30 ? rule.words : rule.words.slice(0, 1)
)
const fillers = ["", " ", "a1", '="', "\\", "A".repeat(20)]
const others = [
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN ",
  "a@",
  "a.",
  "://a:",
  "Cookie: a=",
  "Cookie: a=b; ",
  "Cookie: $ {",
  "authorization: digest <",
  "REDACTED_x_1 ",
  "eyJ-"
]

/** How much is looked at in a text that is this unit over and over. */
const work = (unit: string, length: number): number =>
  applyRules(unit.repeat(Math.ceil(length / unit.length)), []).looked

describe("the rules", () => {
  it("look at four times as much of a text that is four times as long", () => {
    // Every day each word with two of what may follow it, by turns.
    const isTried = (at: number, place: number): boolean => sweeping || at % 3 === place % 3
    const units = [
      ...chosen.flatMap((word, at) => fillers.filter((_, place) => isTried(at, place)).map((filler) => word + filler)),
      ...others
    ]
    // Of a text that ends soon less is looked at: five times is not yet more than in proportion, sixteen times is.
    expect(units.filter((unit) => work(unit, 12_000) > 5 * work(unit, 3000))).toEqual([])
  })

  it("look at no character more than some two hundred times", () => {
    for (const unit of [...chosen.map((word) => `${word} `), ...others])
      expect(work(unit, 4000) / 4000).toBeLessThan(200)
  })

  it("have words that can be found, and that no gap cuts where a rule looks at nothing but a token", () => {
    for (const { isWide, words } of wordRules)
      for (const word of words) expect(word).toMatch(isWide === true ? /^[^\\"\p{Cc}]{3,}$/u : /^[\w.~+/=%@:!$(-]{3,}$/)
  })
})
