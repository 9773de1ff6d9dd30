import { describe, expect, it } from "vitest"
import { HttpRefusal, refuse } from "../../../src/face/http/HttpRefusal.ts"

describe("a refusal", () => {
  it("has the status of its code, and what is below where there is something", () => {
    expect(refuse("TOO_MANY_VALUES", "Too many.").status).toBe(413)
    const refusal = new HttpRefusal({ code: "START_FAILED", message: "No.", why: "CLI_NOT_FOUND" })
    expect(refusal.body).toEqual({ error: { code: "START_FAILED", message: "No.", cause: "CLI_NOT_FOUND" } })
  })

  it("is short and plain, whatever it repeats", () => {
    const { message } = refuse("BAD_INPUT", `at $["${"k".repeat(100_000)}"]: no`).body.error
    expect(message).toHaveLength(1000)
    expect(refuse("BAD_INPUT", "a\u001b[2J\r\nb\u2028c\ud800d").body.error.message).toBe("a [2J b c d")
  })
})
