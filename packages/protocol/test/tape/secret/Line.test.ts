import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"

describe("what is written before a line", () => {
  it.each([
    ["+machine x\n+  login ada\n+  password hunter2", "+machine x\n+  login ada\n+  password REDACTED_password_1"],
    [
      "     1→- name: DB_PASSWORD\n     2→  value: hunter2",
      "     1→- name: DB_PASSWORD\n     2→  value: REDACTED_password_1"
    ],
    [
      "c.yml:1:- name: DB_PASSWORD\nc.yml:2:  value: hunter2",
      "c.yml:1:- name: DB_PASSWORD\nc.yml:2:  value: REDACTED_password_1"
    ]
  ])("%s", (text, redacted) => {
    expect(Tape.redactText(text)).toBe(redacted)
  })
})
