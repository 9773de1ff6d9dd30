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

  it.each([
    "BUNDLE_GEMS__EXAMPLE__COM: user:Tr0ub4dor9xQ",
    '---\nBUNDLE_GEMS__EXAMPLE__COM: "user:Tr0ub4dor9xQ"\n',
    "export BUNDLE_GEMS__CONTRIBSYS__COM=user:Tr0ub4dor9xQ",
    "bundle config set --global gems.example.com user:Tr0ub4dor9xQ",
    "bundle config gems.example.com user:Tr0ub4dor9xQ"
  ])("finds the password of a source of gems in %j", (text) => {
    for (const said of [text, JSON.stringify({ type: "user", text })])
      expect(Tape.redactText(said)).not.toContain("Tr0ub4dor9xQ")
  })

  it.each([
    "BUNDLE_MIRROR__HTTPS__RUBYGEMS__ORG: https://mirror.example.com:8080/",
    "BUNDLE_BUILD__NOKOGIRI: --use-system-libraries",
    'BUNDLE_PATH: "vendor/bundle"',
    "bundle config set --local path vendor/bundle",
    "bundle config mirror.https://rubygems.org https://mirror.example.com:8080"
  ])("finds none in %j", (text) => {
    expect(Tape.redactText(text)).toBe(text)
  })
})
