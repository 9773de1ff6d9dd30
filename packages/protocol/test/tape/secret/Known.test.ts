import { describe, expect, it } from "vitest"
import { begunLength, isKnownHere, knownForms } from "../../../src/tape/secret/Known.ts"

describe("what is known", () => {
  it("is known in its encodings, and as bytes", () => {
    const texts = knownForms({ values: ["zoë's/secret"] }).map(({ text }) => text)
    expect(texts).toContain(Buffer.from("zoë's/secret").toString("hex"))
    expect(texts).toContain("zo%C3%AB's%2Fsecret")
    expect(texts).toContain("zoÃ«'s/secret")
  })

  it("has a home that is a common word only where a path begins", () => {
    const [form] = knownForms({ home: "/root", user: "root" })
    const isKnown = (text: string) => form !== undefined && isKnownHere(form, text, text.indexOf("root"))
    expect(["cd /root/x", "/root", "file:///root"].map(isKnown)).toEqual([true, true, true])
    expect(["the root cause", "/srv/root", "repo-root"].map(isKnown)).toEqual([false, false, false])
  })

  it("has begun where a text ends with its beginning", () => {
    expect(begunLength("abcabd", "xx abcab")).toBe(5)
    expect(begunLength("abcabd", "xx abcabd")).toBe(0)
    expect(begunLength("aaab", "aaaa")).toBe(3)
  })
})
