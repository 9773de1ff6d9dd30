import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"

describe("a secret that its place gives away", () => {
  it.each([
    ["curl -uada:hunter2 https://x", "curl -uada:REDACTED_password_1 https://x"],
    ["redis://:pw1@cache/0", "redis://:REDACTED_password_1@cache/0"],
    ["mysql -u ada -phunter2 app", "mysql -u ada -pREDACTED_password_1 app"],
    ["IDENTIFIED BY 'hunter2'", "IDENTIFIED BY 'REDACTED_password_1'"],
    ["Cookie: sid=abcdef1; a=b", "Cookie: sid=REDACTED_cookie_1; a=b"],
    ["Basic YWRhOmh1bnRlcjI=", "Basic REDACTED_bearer_1"],
    ["-----BEGIN PRIVATE KEY-----\nis how a key begins", "REDACTED_private-key_1\nis how a key begins"]
  ])("%s", (text, redacted) => {
    expect(Tape.redactText(text)).toBe(redacted)
  })
})
