/** What is left of a message when its ids are gone: the text and the number say the same. */
import { Tape } from "@agentwire/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Signatures } from "../../src/tape/Signature.ts"

const long = "words that are more than a few ".repeat(5)

describe("Signatures", () => {
  it("are equal exactly where the texts are", () => {
    const signatures = new Signatures()
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(signatures.numberOf(one) === signatures.numberOf(other)).toBe(
          Tape.signatureOf(one) === Tape.signatureOf(other)
        )
        expect(signatures.numberOf(structuredClone(one))).toBe(signatures.numberOf(one))
      })
    )
  })

  it("see through ids and the order of keys, at every depth", () => {
    const signatures = new Signatures()
    const message = (uuid: string, text: string) => ({ a: [{ uuid, deep: { text, long } }], long })
    const same = message("7d114bbe-1677-4614-b80c-93fce2c27c67", "x")
    const { a, long: first } = message("0b2d1c55-8f0e-4f3a-9a51-1f77c2a6b0aa", "x")
    expect(signatures.numberOf(same)).toBe(signatures.numberOf({ long: first, a }))
    expect(signatures.numberOf(same)).not.toBe(signatures.numberOf(message("7d114bbe", "y")))
  })

  it("are no longer than what they are of, however deep it nests", () => {
    const nested = (levels: number): unknown => (levels === 0 ? long : [nested(levels - 1)])
    const written: Array<number> = []
    const set = Map.prototype.set
    for (const levels of [500, 1000]) {
      let count = 0
      Map.prototype.set = function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
        if (typeof key === "string") count += key.length
        return set.call(this, key, value)
      }
      try {
        new Signatures().numberOf(nested(levels))
      } finally {
        Map.prototype.set = set
      }
      written.push(count)
    }
    expect((written[1] ?? 0) / (written[0] ?? 1)).toBeLessThan(2.5)
  })
})
