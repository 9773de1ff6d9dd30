/**
 * What a tool of the application gave back, as the MCP result Claude Code waits for (docs/wire/claude-code.md §7).
 */
import type { Part } from "../../model/Content.ts"
import type { Answer } from "../../model/Request.ts"
import { attachmentOf } from "./Attachment.ts"

/** A block of an MCP result. */
export type CallToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }

/** MCP's `CallToolResult`, as far as a tool of the application gives one. */
export interface CallToolResult {
  readonly content: ReadonlyArray<CallToolContent>
  readonly isError?: boolean
}

/** The result of a call. An answer without one says why: the model reads it as the tool's error. */
export const callToolResult = (answer: Answer): CallToolResult => {
  switch (answer.type) {
    case "result": {
      const { content, failed } = answer
      const blocks = typeof content === "string" ? [text(content)] : content.map(block)
      return failed ? { content: blocks, isError: true } : { content: blocks }
    }
    case "deny":
      return { content: [text(answer.reason)], isError: true }
    default:
      return { content: [text("The application gave no result.")], isError: true }
  }
}

const text = (text: string): CallToolContent => ({ type: "text", text })

const block = (part: Part): CallToolContent => {
  if (part.type === "text") return text(part.text)
  const attachment = attachmentOf(part)
  switch (attachment.kind) {
    case "note":
    case "text":
      return text(attachment.text)
    case "image":
    case "pdf": {
      const { bytes, kind } = attachment
      // MCP has no way to point at something on the web.
      if ("url" in bytes) return text(`[${kind === "pdf" ? "A PDF" : "An image"} at ${bytes.url}]`)
      return kind === "pdf"
        ? text("[A PDF was left out: a tool's result is text and images.]")
        : { type: "image", data: bytes.data, mimeType: attachment.mediaType ?? "image/png" }
    }
  }
}
