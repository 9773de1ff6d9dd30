/** The rules are what the real Codex 0.166.0 does: in no recording does it break one, but where the rules say so. */
import { describe, expect, it } from "vitest"
import { appServerRules, makeAppServerChecker } from "../../src/appserverconform/index.ts"
import { sessions } from "../codex/Sessions.ts"

/** Recordings that end in the middle: nothing is owed any more. */
const isCut = (name: string): boolean => / (?:eof|kill|term)_midturn 1$/.test(name)

describe("the recordings of Codex 0.166.0", () => {
  const broken = sessions
    .filter(({ name }) => name.startsWith("0.166.0 "))
    .flatMap(({ lines, name }) => {
      const checker = makeAppServerChecker()
      const findings = [
        ...lines.flatMap(({ from, text }) => checker.hear(from, text)),
        ...checker.end({ isWhole: !isCut(name) })
      ]
      return findings.map(({ level, rule }) => ({ level, rule, name }))
    })

  it("break no rule that is an error", () => {
    expect(broken.filter(({ level }) => level === "error")).toEqual([])
  })

  it("are where every warning that Codex itself earns is seen", () => {
    const earned = [...new Set(broken.map(({ rule }) => rule))].sort()
    expect(earned).toEqual(["APP-ANSWER-008", "APP-ITEM-005", "APP-QUESTION-003", "APP-TURN-006", "APP-TURN-009"])
    // Each says in its words that Codex does so.
    expect(
      Object.values(appServerRules)
        .filter(({ requirement }) => requirement.includes("Codex"))
        .map(({ id }) => id)
        .sort()
    ).toEqual(earned)
  })
})
