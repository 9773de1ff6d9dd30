/** The secret is its owner's alone, and proofs are of one side and one meeting. */
import { statSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { isProof, makeSecret, nonce, proofOf, readSecret } from "../../src/link/Secret.ts"
import { inFolder } from "./InFolder.ts"

describe("the secret", () => {
  it("is made once, long, and readable for its owner alone", () =>
    inFolder((folder) => {
      expect(readSecret(folder)).toBeUndefined()
      const secret = makeSecret(folder)
      expect(secret.length).toBeGreaterThan(40)
      expect([makeSecret(folder), readSecret(folder)]).toEqual([secret, secret])
      expect(statSync(`${folder}/secret`).mode & 0o777).toBe(0o600)
    }))

  it("is never empty: what somebody was killed over making is refused, because everybody could prove it", () =>
    inFolder((folder) => {
      writeFileSync(`${folder}/secret`, "\n")
      expect(() => makeSecret(folder)).toThrow(`${folder}/secret`)
    }))
})

describe("a proof", () => {
  it("fits its secret, its side and its numbers, and nothing else", () => {
    const [one, other] = [nonce(), nonce()]
    const right = proofOf("secret", "runtime", one, other)
    expect(isProof(right, proofOf("secret", "runtime", one, other))).toBe(true)
    const wrong = [
      proofOf("secret", "gateway", one, other),
      proofOf("secret", "runtime", other, one),
      proofOf("other", "runtime", one, other),
      "",
      "é".repeat(10)
    ]
    expect(wrong.filter((each) => isProof(each, right))).toEqual([])
  })
})
