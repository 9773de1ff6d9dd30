/** How often the pattern of a form is tried. */
import { describe, expect, it } from "vitest"
import { ofKind } from "../../../src/tape/secret/Form.ts"
import { applyRules, wordRules } from "../../../src/tape/secret/Pass.ts"

/** How many patterns are tried in a text. */
const triesIn = (text: string): number => {
  const real = RegExp.prototype.exec
  let count = 0
  RegExp.prototype.exec = function (this: RegExp, each: string) {
    count++
    return real.call(this, each)
  }
  try {
    applyRules(text, [])
  } finally {
    RegExp.prototype.exec = real
  }
  return count
}

describe("a form", () => {
  const [rule] = ofKind("token", [
    { rule: "a form", words: ["-k-"], rest: "[a-z]{0,8}\\d[a-z0-9]{4,}", digitWithin: 12 }
  ])
  const look = (text: string) => rule?.look(text, text.indexOf("-k-"), "-k-")

  it("is found with its digit as far away as may be", () => {
    expect(look(" -k-abcdefgh1abcd")?.secrets).toEqual([{ start: 1, end: 17, from: 1 }])
    expect(look(" -k-abcdefgh1abcd")?.done).toBeUndefined()
  })

  it("is not looked for again before a digit is near", () => {
    const text = `-k-${"x".repeat(100)}-k-ab1abcd`
    expect(look(text)).toMatchObject({ secrets: [], done: text.indexOf("1") - 12 })
  })

  it("is tried seldom in a text of its words that has no digits", () => {
    // Two rules have `sk-` and `-sk-` in every three characters; without a digit neither can be there.
    expect(triesIn("sk-".repeat(4000)) / 4000).toBeLessThan(3)
    expect(triesIn("_live_".repeat(4000)) / 4000).toBeLessThan(4)
  })

  it("says how far away its digit is, and every one of its tokens has it", () => {
    for (const each of wordRules) expect(each.words.length).toBeGreaterThan(0)
    const rule = wordRules.find(({ rule: name }) => name === "key that says so")
    for (const token of [
      `acme_live_${"aB".repeat(20)}1${"a".repeat(10)}`,
      `acme-token-${"a".repeat(24)}1${"b".repeat(24)}1`,
      "acme_secret_7d114bbe-1677-4614-b80c-93fce2c27c67"
    ]) {
      const word = rule?.words.find((one) => token.includes(one)) ?? ""
      expect({ token, found: rule?.look(token, token.indexOf(word), word).secrets.length }).toEqual({ token, found: 1 })
    }
  })
})
