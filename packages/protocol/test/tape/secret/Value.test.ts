import { describe, expect, it } from "vitest"
import { isSecretValue, type Writing } from "../../../src/tape/secret/Value.ts"

const quoted: Writing = { isQuoted: true, isAssigned: false, isOwnLine: false }
const bare: Writing = { isQuoted: false, isAssigned: false, isOwnLine: false }

describe("a value", () => {
  it("of a password is one when it is no type, no reference, no blank and no text", () => {
    for (const value of ["hunter2", "letmein", "correct horse battery staple", "p@ss w0rd 1", "123456"])
      expect([value, isSecretValue("password", value, quoted)]).toEqual([value, true])
    for (const value of [
      "string",
      "$PASSWORD",
      "Your password",
      "xxxxxxxx",
      "Password",
      "<password>",
      "/run/secrets/x"
    ])
      expect([value, isSecretValue("password", value, quoted)]).toEqual([value, false])
  })

  it("of a secret is one when it looks random", () => {
    for (const value of ["a1b2c3d4e5f6", "123e4567-e89b-12d3-a456-426614174000"])
      expect([value, isSecretValue("secret", value, quoted)]).toEqual([value, true])
    for (const value of ["my-secret-name", "1.2.3-beta.4", "2026-01-01T00:00:00Z", "production", "12345678901"])
      expect([value, isSecretValue("secret", value, quoted)]).toEqual([value, false])
  })

  it("in code is none", () => {
    for (const value of ["process.env.KEY1", "user.password", "read(file2)", "names[0]"])
      expect([value, isSecretValue("password", value, bare)]).toEqual([value, false])
  })
})
