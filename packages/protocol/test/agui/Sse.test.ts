import fc from "fast-check"
import { expect, test } from "vitest"
import { type AguiEvent, events } from "../../src/agui/Event.ts"
import { encodeSse, textFrameHead } from "../../src/agui/Sse.ts"
import { samples } from "./Mutation.ts"

const parsed = (frame: string): unknown => JSON.parse(frame.slice("data: ".length, -2))

test("a frame is the event, whatever the event (docs/wire/ag-ui.md §3.3: LF only, two at the end)", () => {
  for (const schema of Object.values(events))
    for (const event of samples(schema, 20) as ReadonlyArray<AguiEvent>) {
      const frame = encodeSse(event)
      expect(frame).toMatch(/^data: [^\r\n]*\n\n$/)
      expect(parsed(frame)).toEqual(event)
    }
})

test("a piece of text, written the short way, is written as any other event", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (messageId, delta) => {
      const event = { type: "TEXT_MESSAGE_CONTENT", messageId, delta } as const
      expect(encodeSse(event)).toBe(`data: ${JSON.stringify(event)}\n\n`)
      expect(encodeSse(event)).toBe(`${textFrameHead(messageId)}${JSON.stringify(delta)}}\n\n`)
    })
  )
})

test("what a piece of text has beside is not lost", () => {
  const event = { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "x", subagentRunId: "c1" } as const
  expect(parsed(encodeSse(event))).toEqual(event)
})

test("half a surrogate pair is written as an escape: UTF-8 has no bytes for it", () => {
  const frame = encodeSse({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "\ud83d" })
  expect(frame).toContain("\\ud83d")
  expect(Buffer.from(frame).toString()).toBe(frame)
})
