import { describe, expect, test } from "vitest"
import type { ToolMessage } from "../../../src/agui/Message.ts"
import { readToolResult } from "../../../src/agui/read/ToolResult.ts"

const message = (fields: Partial<ToolMessage>): ToolMessage => ({
  id: "1",
  role: "tool",
  toolCallId: "x",
  content: "",
  ...fields
})
const image = { type: "image", source: { type: "data", value: "iVBORw0K", mimeType: "image/png" } } as const

describe("a tool message", () => {
  test("is the result as it stands", () => {
    expect(readToolResult(message({ content: "done" }))).toEqual({ type: "result", content: "done", failed: false })
    const content = [{ type: "text" as const, text: "so far" }, image]
    expect(readToolResult(message({ content }))).toEqual({ type: "result", content, failed: false })
  })

  test.each<[ToolMessage["content"], unknown]>([
    ["", "it broke"],
    ["it broke", "it broke"],
    [
      "so far",
      [
        { type: "text", text: "so far" },
        { type: "text", text: "it broke" }
      ]
    ],
    [
      [{ type: "text", text: " " }, image],
      [image, { type: "text", text: "it broke" }]
    ]
  ])("that failed with %j says what went wrong, last and once", (content, expected) => {
    expect(readToolResult(message({ content, error: "it broke" }))).toEqual({
      type: "result",
      content: expected,
      failed: true
    })
  })
})
