import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readSse } from "../../page/Sse.ts"

const streamOf = (bytes: Uint8Array, cuts: ReadonlyArray<number>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
      ends.reduce((from, to) => {
        controller.enqueue(bytes.slice(from, to))
        return to
      }, 0)
      controller.close()
    }
  })

const read = async (text: string, cuts: ReadonlyArray<number>) => {
  const frames = []
  for await (const frame of readSse(streamOf(new TextEncoder().encode(text), cuts))) frames.push(frame)
  return frames
}

describe("readSse", () => {
  it("reads the same events wherever the network cuts them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        async (values, cuts) => {
          const text = values.map((value, seq) => `id: ${seq}-a\ndata: ${JSON.stringify(value)}\n\n: ping\n\n`).join("")
          const frames = await read(text, cuts)
          expect(frames).toEqual(
            values.map((value, seq) => ({ id: `${seq}-a`, event: "", data: JSON.parse(JSON.stringify(value)) }))
          )
        }
      )
    )
  })

  it("tells the name of an event", async () => {
    expect(await read("event: closed\nid: 3-a\ndata: {}\n\n", [])).toEqual([{ id: "3-a", event: "closed", data: {} }])
  })
})
