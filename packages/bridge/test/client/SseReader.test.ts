/**
 * Server-sent events in any chunking.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { SseReader } from "../../src/client/SseReader.ts"

const line = fc.string({ unit: fc.constantFrom("a", ":", " ", "é", "{", "data") })
const frame = fc.record({
  id: fc.option(fc.nat(), { nil: undefined }),
  event: fc.constantFrom("", "message", "gap"),
  data: fc.array(line, { minLength: 1, maxLength: 3 })
})
const ends = fc.constantFrom("\n", "\r", "\r\n")

describe("server-sent events", () => {
  it("are the same however their text is cut, and whatever ends their lines", () => {
    fc.assert(
      fc.property(fc.array(frame), ends, fc.array(fc.nat()), (frames, end, cuts) => {
        const text = frames
          .map(({ data, event, id }) =>
            [
              ": a comment",
              ...(event === "" ? [] : [`event: ${event}`]),
              ...(id === undefined ? [] : [`id:${id}`]),
              ...data.map((each) => `data: ${each}`),
              "",
              ""
            ].join(end)
          )
          .join("")
        const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort(
          (a, b) => a - b
        )
        const reader = new SseReader()
        const got = places.flatMap((from, index) => reader.push(text.slice(from, places[index + 1] ?? from)))
        let last = ""
        const expected = frames.map(({ data, event, id }) => {
          last = id === undefined ? last : String(id)
          return { id: last, event: event === "" ? "message" : event, data: data.join("\n") }
        })
        assert.deepStrictEqual(got, expected)
      })
    )
  })

  it("are none without data", () => {
    assert.deepStrictEqual(new SseReader().push("id: 1\nevent: x\n\n: ping\n\n"), [])
  })
})
