import { describe, expect, test } from "vitest"
import { callToolResult } from "../../../src/claude/command/ToolResult.ts"
import type { Content } from "../../../src/model/Content.ts"

const data = (value: string, mimeType: string) => ({ type: "data", value, mimeType }) as const
const resultOf = (content: Content, failed = false) => callToolResult({ type: "result", content, failed })

describe("the result of a tool", () => {
  test("text is text, also when there is none", () => {
    expect(resultOf("done")).toEqual({ content: [{ type: "text", text: "done" }] })
    expect(resultOf("")).toEqual({ content: [{ type: "text", text: "" }] })
  })

  test("a failure is marked", () => {
    expect(resultOf("it broke", true)).toEqual({ content: [{ type: "text", text: "it broke" }], isError: true })
  })

  test("images are kept, text documents are text, and what MCP cannot carry is named", () => {
    const { content } = resultOf([
      { type: "text", text: "so far" },
      { type: "image", source: data("iVBORw0K", "image/png") },
      { type: "image", source: { type: "url", value: "https://example.com/a.png" } },
      { type: "document", source: data(Buffer.from("a,b").toString("base64"), "text/csv") },
      { type: "document", source: data("JVBERi0x", "application/pdf") },
      { type: "audio", source: data("AAAA", "audio/wav") }
    ])
    expect(content).toEqual([
      { type: "text", text: "so far" },
      { type: "image", data: "iVBORw0K", mimeType: "image/png" },
      { type: "text", text: "[An image at https://example.com/a.png]" },
      { type: "text", text: "a,b" },
      { type: "text", text: expect.stringContaining("PDF was left out") },
      { type: "text", text: expect.stringContaining("audio/wav") }
    ])
  })

  test("an answer that is none is an error the model can read", () => {
    expect(callToolResult({ type: "deny", reason: "The person wrote something else." })).toEqual({
      content: [{ type: "text", text: "The person wrote something else." }],
      isError: true
    })
    for (const type of ["allow", "dismissed", "declined"] as const)
      expect(callToolResult({ type })).toMatchObject({ isError: true })
  })
})
