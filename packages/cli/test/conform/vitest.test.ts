/** The matcher, as a test of someone else's server uses it. */
import { expect as bare, describe, expect, it } from "vitest"
import "agentwire/vitest"
import { broken, doubtful, good, ndjson, sse } from "./streams.ts"

/** What a failed expectation says. */
const failure = (expectation: () => void): string => {
  try {
    expectation()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return ""
}

describe("toConformToAgui", () => {
  it("passes what keeps the rules, and fails what does not", () => {
    expect(good).toConformToAgui()
    expect(broken).not.toConformToAgui()
    expect(failure(() => expect(broken).toConformToAgui())).not.toBe("")
    expect(failure(() => expect(good).not.toConformToAgui())).not.toBe("")
  })

  it("takes any iterable, and the text or bytes of a response", () => {
    expect(new Set(good)).toConformToAgui()
    expect(good.values()).toConformToAgui()
    for (const text of [sse(good), ndjson(good)]) {
      expect(text).toConformToAgui()
      expect(Buffer.from(text)).toConformToAgui()
    }
    expect(sse(broken)).not.toConformToAgui()
  })

  it("says what is wrong, where, and which event shows it", () => {
    const message = failure(() => expect(broken).toConformToAgui())
    expect(message).toContain("expected the events to conform to AG-UI 1.0")
    expect(message).toMatch(/error AGUI-[A-Z]+-\d{3} .*\n {4}event 1: .*\n {6}\{"type":"TEXT_MESSAGE_CONTENT"/)
  })

  it("takes options", () => {
    const cancelled = [...good.slice(0, -1), { ...good.at(-1), outcome: { type: "cancelled" } }]
    expect(cancelled).toConformToAgui({ dialect: "1.0" })
    expect(cancelled).not.toConformToAgui({ dialect: "0.0" })
    expect(doubtful).toConformToAgui()
    expect(doubtful).not.toConformToAgui({ strict: true })
    expect(broken).toConformToAgui({ skip: ["AGUI-TEXT-*"] })
    expect(broken).toConformToAgui({ only: ["AGUI-STEP-*"] })
    const input = { threadId: "other", runId: "r", messages: [] }
    expect(good).not.toConformToAgui({ input })
    expect(failure(() => expect(good).toConformToAgui({ skip: ["AGUI-NOSUCH-001"] }))).toContain("fits no rule")
  })

  it("refuses what are no events", () => {
    for (const nothing of [undefined, null, 3, {}, () => good]) {
      expect(failure(() => bare(nothing).toConformToAgui())).toContain("takes an array or iterable of events")
    }
  })
})
