/**
 * What a frontend tool gave back, as the MCP result Claude Code waits for (docs/wire/claude-code.md §7).
 */
import type { ToolMessage } from "../agui/Message.ts"
import { attachmentOf } from "./Attachment.ts"

/** A block of an MCP result. */
export type CallToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }

/** MCP's `CallToolResult`, as far as a frontend tool gives one. */
export interface CallToolResult {
  readonly content: ReadonlyArray<CallToolContent>
  readonly isError?: boolean
}

/** The result of a call the application made. */
export interface FrontendResult {
  readonly toolCallId: string
  /** The message that brought it. */
  readonly messageId: string
  readonly result: CallToolResult
}

/** The result in a tool message. */
export const frontendResult = ({ content, error, id, toolCallId }: ToolMessage): FrontendResult => {
  const blocks = typeof content === "string" ? [text(content)] : content.map(block)
  const says = (each: CallToolContent) => each.type !== "text" || (each.text.trim() !== "" && each.text !== error)
  return {
    toolCallId,
    messageId: id,
    result:
      error === undefined ? { content: blocks } : { content: [...blocks.filter(says), text(error)], isError: true }
  }
}

const text = (text: string): CallToolContent => ({ type: "text", text })

const block = (part: Exclude<ToolMessage["content"], string>[number]): CallToolContent => {
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
