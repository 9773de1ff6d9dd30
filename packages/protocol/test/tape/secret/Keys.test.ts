import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"

describe("a private key", () => {
  it.each([
    ["-----BEGIN PRIVATE KEY-----\nis how a key begins", "REDACTED_private-key_1\nis how a key begins"],
    [
      "------BEGIN RSA PRIVATE KEY-----\n-MIIEpAIBAAKCAQEA7\n------END RSA PRIVATE KEY-----\n",
      "-REDACTED_private-key_1\n"
    ],
    ['{"kty":"oct","k":"q7Rk2m9wT4bV6nXz81Lp0qW3"}', '{"kty":"oct","k":"REDACTED_private-key_1"}'],
    [
      '{"kty":"RSA","n":"q7Rk2m9wT4bV6nXz81Lp0qW3","e":"AQAB"}',
      '{"kty":"RSA","n":"q7Rk2m9wT4bV6nXz81Lp0qW3","e":"AQAB"}'
    ],
    [
      "Private-Lines: 1\nAAAAIQDw9J2kq8Zx\nPrivate-MAC: 0123456789abcdef0123456789abcdef",
      "Private-Lines: 1\nREDACTED_private-key_1\nPrivate-MAC: REDACTED_private-key_2"
    ]
  ])("%s", (text, redacted) => {
    expect(Tape.redactText(text)).toBe(redacted)
  })
})
