import { expect, it } from "vitest"
import { dynamicToolResult } from "../../../src/codex/index.ts"

it("is what the tool gave, text and images; anything else is an error that says why", () => {
  expect(dynamicToolResult({ type: "result", content: "sunny", failed: false })).toEqual({
    contentItems: [{ type: "inputText", text: "sunny" }],
    success: true
  })
  const image = { type: "image", source: { type: "data", value: "AAAA", mimeType: "image/png" } } as const
  expect(dynamicToolResult({ type: "result", content: [image], failed: true })).toEqual({
    contentItems: [{ type: "inputImage", imageUrl: "data:image/png;base64,AAAA" }],
    success: false
  })
  expect(dynamicToolResult({ type: "deny", reason: "Nobody is there." })).toEqual({
    contentItems: [{ type: "inputText", text: "Nobody is there." }],
    success: false
  })
  expect(dynamicToolResult({ type: "dismissed" }).success).toBe(false)
})
