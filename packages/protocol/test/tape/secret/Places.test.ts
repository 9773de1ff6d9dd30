import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"

describe("a secret that its place gives away", () => {
  it.each([
    ["IDENTIFIED BY 'hunter2'", "IDENTIFIED BY 'REDACTED_password_1'"],
    ["Cookie: sid=abcdef1; a=b", "Cookie: sid=REDACTED_cookie_1; a=b"],
    ["Basic YWRhOmh1bnRlcjI=", "Basic REDACTED_bearer_1"],
    ["data:\n  url: cG9zdGdyZXM6Ly9hOmJAYw==\n", "data:\n  url: REDACTED_secret_1\n"],
    ["AUTH default hunter22x", "AUTH default REDACTED_password_1"]
  ])("%s", (text, redacted) => {
    expect(Tape.redactText(text)).toBe(redacted)
  })
})
