/**
 * Content blocks: what messages are made of.
 *
 * `ContentBlock` is what `assistant.message.content` and `content_block_start` hold, `ContentBlockParam`
 * what `user.message.content` holds, from the host or from the CLI. A block that both can hold has one
 * schema: what only one side requires is optional.
 */
import * as Schema from "effect/Schema"
import { known, open, optional, variants } from "../wire/Open.ts"
import { cacheControl, DocumentBlock, ImageBlock, SearchResultBlock, TextBlock } from "./Media.ts"
import {
  AdvisorToolResultBlock,
  BashCodeExecutionToolResultBlock,
  CodeExecutionToolResultBlock,
  McpToolListingBlock,
  McpToolResultBlock,
  McpToolUseBlock,
  ServerToolUseBlock,
  TextEditorCodeExecutionToolResultBlock,
  ToolSearchToolResultBlock,
  WebFetchToolResultBlock,
  WebSearchToolResultBlock
} from "./ServerTool.ts"
import { ToolResultBlock, ToolUseBlock } from "./ToolUse.ts"

/** The model's thinking. Its text is empty when the API was asked to omit it; the signature is what counts then. */
export const ThinkingBlock = open("ThinkingBlock", {
  type: Schema.Literal("thinking"),
  thinking: Schema.String,
  /** Absent only where a gateway stands in for the API and leaves it out. */
  signature: optional(Schema.String)
})

/** The model's thinking. */
export type ThinkingBlock = typeof ThinkingBlock.Type

/** Thinking the API encrypted. It has no delta: all of it is in `content_block_start`. */
export const RedactedThinkingBlock = open("RedactedThinkingBlock", {
  type: Schema.Literal("redacted_thinking"),
  data: Schema.String
})

/** Thinking the API encrypted. */
export type RedactedThinkingBlock = typeof RedactedThinkingBlock.Type

/** A file put into the API's sandbox. */
export const ContainerUploadBlock = open("ContainerUploadBlock", {
  type: Schema.Literal("container_upload"),
  file_id: Schema.String,
  ...cacheControl
})

/** A file put into the API's sandbox. */
export type ContainerUploadBlock = typeof ContainerUploadBlock.Type

/** Which tool, or which server's tools, a `tool_addition` or `tool_removal` is about. */
export const ToolChange = variants("ToolChange", "type", [
  open("ToolChangeTool", { type: Schema.Literal("tool_reference"), name: Schema.String }),
  open("ToolChangeMcpTool", {
    type: Schema.Literal("mcp_tool_reference"),
    name: Schema.String,
    server_name: Schema.String
  }),
  open("ToolChangeMcpToolset", { type: Schema.Literal("mcp_toolset_reference"), server_name: Schema.String }),
  open("ToolChangeDefinition", { type: Schema.Literal("tool_definition"), definition: Schema.Unknown })
])

/** Which tool, or which server's tools, a `tool_addition` or `tool_removal` is about. */
export type ToolChange = typeof ToolChange.Type

/** From here on the model has a further tool. */
export const ToolAdditionBlock = open("ToolAdditionBlock", {
  type: Schema.Literal("tool_addition"),
  tool: ToolChange,
  ...cacheControl
})

/** From here on the model has a further tool. */
export type ToolAdditionBlock = typeof ToolAdditionBlock.Type

/** From here on the model lacks a tool. */
export const ToolRemovalBlock = open("ToolRemovalBlock", {
  type: Schema.Literal("tool_removal"),
  tool: ToolChange,
  ...cacheControl
})

/** From here on the model lacks a tool. */
export type ToolRemovalBlock = typeof ToolRemovalBlock.Type

/** The summary the API itself put in the place of older messages (not the CLI's own `/compact`). */
export const CompactionBlock = open("CompactionBlock", {
  type: Schema.Literal("compaction"),
  content: optional(Schema.NullOr(Schema.String)),
  encrypted_content: optional(Schema.NullOr(Schema.String)),
  signature: optional(Schema.NullOr(Schema.String)),
  tool_changes: optional(
    Schema.NullOr(Schema.Array(variants("CompactionToolChange", "type", [ToolAdditionBlock, ToolRemovalBlock])))
  ),
  ...cacheControl
})

/** The summary the API itself put in the place of older messages. */
export type CompactionBlock = typeof CompactionBlock.Type

/** Why the API continued with another model. */
export const FallbackTrigger = variants("FallbackTrigger", "type", [
  open("FallbackRefusal", {
    type: Schema.Literal("refusal"),
    category: optional(Schema.NullOr(known("cyber", "bio", "frontier_llm", "reasoning_extraction", "general_harms")))
  })
])

/** Why the API continued with another model. */
export type FallbackTrigger = typeof FallbackTrigger.Type

/** From here on another model answers. */
export const FallbackBlock = open("FallbackBlock", {
  type: Schema.Literal("fallback"),
  from: open("FallbackFrom", { model: Schema.String }),
  to: open("FallbackTo", { model: Schema.String }),
  trigger: optional(Schema.NullOr(FallbackTrigger))
})

/** From here on another model answers. */
export type FallbackBlock = typeof FallbackBlock.Type

const eitherSide = [
  TextBlock,
  ThinkingBlock,
  RedactedThinkingBlock,
  ToolUseBlock,
  ServerToolUseBlock,
  WebSearchToolResultBlock,
  WebFetchToolResultBlock,
  AdvisorToolResultBlock,
  CodeExecutionToolResultBlock,
  BashCodeExecutionToolResultBlock,
  TextEditorCodeExecutionToolResultBlock,
  ToolSearchToolResultBlock,
  McpToolUseBlock,
  McpToolResultBlock,
  McpToolListingBlock,
  ContainerUploadBlock,
  CompactionBlock,
  FallbackBlock
] as const

const answered = variants("ContentBlock", "type", eitherSide)
type Answered = typeof answered

/** The schema of {@link ContentBlock}, under a name: many schemas hold it, and declaration files write it out. */
export interface ContentBlockSchema extends Answered {}

/** A block of an assistant's message. The CLI sends one `assistant` message per block (docs/wire/claude-code.md §5.1). */
export const ContentBlock: ContentBlockSchema = answered

/** A block of an assistant's message. */
export type ContentBlock = typeof ContentBlock.Type

const prompted = variants("ContentBlockParam", "type", [
  ...eitherSide,
  ImageBlock,
  DocumentBlock,
  SearchResultBlock,
  ToolResultBlock,
  ToolAdditionBlock,
  ToolRemovalBlock
])
type Prompted = typeof prompted

/** The schema of {@link ContentBlockParam}, under a name. */
export interface ContentBlockParamSchema extends Prompted {}

/** A block of a user's message: a prompt's, or a tool result. */
export const ContentBlockParam: ContentBlockParamSchema = prompted

/** A block of a user's message: a prompt's, or a tool result. */
export type ContentBlockParam = typeof ContentBlockParam.Type
