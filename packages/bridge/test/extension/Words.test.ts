/** What extensions say of themselves is shown short, on one line, and without secrets. */
import { describe, expect, it } from "vitest"
import { wordsFor } from "../../src/extension/Words.ts"

describe("wordsFor", () => {
  const words = wordsFor({
    url: "https://example.com/hook",
    token: "a-configured-secret",
    nested: [{ apiKey: ["another one of these"] }],
    short: { password: "abc" }
  })

  it.each([
    ["what is configured as a secret", "It said a-configured-secret.", "It said [redacted]."],
    ["what is configured deep inside", "x another one of these x", "x [redacted] x"],
    ["what looks like a secret", "key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-AAAAAAAA", undefined]
  ])("takes off %s", (_, said, expected) => {
    const shown = words(said)
    if (expected === undefined) expect(shown).not.toContain("AAAA")
    else expect(shown).toBe(expected)
  })

  it("leaves what is none, on one line, and short", () => {
    expect(words("https://example.com/hook\nabc\u001b[31m")).toBe("https://example.com/hook abc [31m")
    expect(words("word ".repeat(1000))).toHaveLength(500)
  })
})
