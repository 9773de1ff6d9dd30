import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { hostPrompt } from "../../../src/claude/command/HostPrompt.ts"
import { type PromptBlock, promptLine } from "../../../src/claude/command/Prompt.ts"
import type { User } from "../../../src/claude/User.ts"
import type { Content } from "../../../src/model/Content.ts"

const line = (message: object, more: object = {}): User =>
  ({ type: "user", message, parent_tool_use_id: null, session_id: "", ...more }) as User

test("is the way back: what was said is read from the line it was sent in", () => {
  const text = fc.string({ minLength: 1 }).filter((each) => each.trim() !== "")
  const image = fc.constant({
    type: "image" as const,
    source: { type: "data" as const, value: "iVBORw0K", mimeType: "image/png" }
  })
  const parts = fc.array(
    fc.oneof(
      text.map((text) => ({ type: "text" as const, text })),
      image
    ),
    { minLength: 2 }
  )
  fc.assert(
    fc.property(fc.oneof(text, parts), fc.option(fc.uuid(), { nil: undefined }), (content: Content, uuid) => {
      const sent = promptLine({ type: "prompt", said: [{ id: "1", content }] }, uuid)
      expect(hostPrompt(sent, "fallback")).toEqual({ id: uuid ?? "fallback", content })
    })
  )
})

describe("a line of a host", () => {
  test("keeps the text and the name of a document", () => {
    const source = { type: "text", media_type: "text/plain", data: "Grüße" }
    const document = { type: "document", source, title: "notes" }
    expect(hostPrompt(line({ role: "user", content: [document] }), "1")?.content).toEqual([
      {
        type: "document",
        source: { type: "data", value: Buffer.from("Grüße").toString("base64"), mimeType: "text/plain" },
        metadata: { title: "notes" }
      }
    ])
  })

  test("keeps images and documents, so that it can be sent again", () => {
    const blocks: ReadonlyArray<PromptBlock> = [
      { type: "text", text: "Look:" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "Ötters." }, title: "Notes" },
      { type: "document", source: { type: "url", url: "https://example.com/a.pdf" } }
    ]
    const said = hostPrompt(line({ role: "user", content: blocks }), "1")
    expect(promptLine({ type: "prompt", said: said === undefined ? [] : [said] }).message.content).toEqual(blocks)
  })

  test("is no prompt when a program, a sub-agent or a tool said it", () => {
    const text = { role: "user", content: "hi" }
    expect(hostPrompt(line(text), "1")).toEqual({ id: "1", content: "hi" })
    expect(hostPrompt(line(text, { isSynthetic: true }), "1")).toBeUndefined()
    expect(hostPrompt(line(text, { parent_tool_use_id: "c" }), "1")).toBeUndefined()
    expect(hostPrompt(line({ role: "assistant", content: "hi" }), "1")).toBeUndefined()
    const result = { type: "tool_result", tool_use_id: "c", content: "x" }
    expect(hostPrompt(line({ role: "user", content: [result] }), "1")).toBeUndefined()
  })
})
