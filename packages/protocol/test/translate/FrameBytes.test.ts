import fc from "fast-check"
import { expect, test } from "vitest"
import { FrameBytes } from "../../src/translate/FrameBytes.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const words = fc.oneof(fc.string({ unit: "grapheme", maxLength: 200 }), fc.string({ maxLength: 4 }))
// Half a pair is escaped in JSON, and no text of UTF-8.
const jsonWords = fc.oneof(
  words,
  fc.string({ unit: fc.constantFrom("a", '"', "\\", "\n", "\ud83d", "é"), maxLength: 6 })
)

test("what was added comes out in order, as bytes or as a text, and nothing of it twice", () => {
  const part = fc.oneof(
    fc.record({ text: words }),
    fc.record({ json: jsonWords, before: words, behind: words }),
    fc.record({ bytes: words, before: words, behind: words, cut: fc.nat(3) })
  )
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 8 }), { maxLength: 4 }), fc.boolean(), (rounds, asText) => {
      const out = new FrameBytes()
      for (const parts of rounds) {
        let expected = ""
        for (const each of parts) {
          if ("text" in each) {
            out.addText(each.text)
            expected += each.text
          } else if ("json" in each) {
            out.addJson(each.json, bytesOf(each.before), bytesOf(each.behind))
            expected += each.before + JSON.stringify(each.json).slice(1, -1) + each.behind
          } else {
            const source = bytesOf(`${"x".repeat(each.cut)}${each.bytes}y`)
            out.add(source, each.cut, source.length - 1, bytesOf(each.before), bytesOf(each.behind))
            expected += each.before + each.bytes + each.behind
          }
        }
        expect(out.length).toBe(bytesOf(expected).length)
        expect(asText ? out.takeText() : new TextDecoder("utf-8", { ignoreBOM: true }).decode(out.take())).toBe(
          expected
        )
        expect(out.length).toBe(0)
      }
    })
  )
})

test("what was taken stays as it is, whatever is added after it", () => {
  const out = new FrameBytes()
  out.addText("one")
  const taken = out.take()
  out.addText("two")
  expect(new TextDecoder().decode(taken)).toBe("one")
  expect(out.takeText()).toBe("two")
})

test("long texts find room, short ones before and after them too", () => {
  const out = new FrameBytes()
  const long = "é".repeat(200_000)
  out.addText("a")
  out.addText(long)
  out.addJson("b", new Uint8Array(0), new Uint8Array(0))
  expect(out.takeText()).toBe(`a${long}b`)
})
