/**
 * Tool calls the CLI runs, and their results: `tool_use` in an `assistant` message, `tool_result`
 * in a `user` message. Tools that run on the API's side are in `ServerTool.ts`.
 */
import * as Schema from "effect/Schema"
import { open, optional, variants } from "../wire/Open.ts"
import { cacheControl, DocumentBlock, ImageBlock, SearchResultBlock, TextBlock } from "./Media.ts"

/** The model itself made the call. */
export const DirectCaller = open("DirectCaller", {
  type: Schema.Literal("direct")
})

/** The model itself made the call. */
export type DirectCaller = typeof DirectCaller.Type

/** A program the model runs in the API's sandbox made the call. */
export const CodeExecutionCaller = open("CodeExecutionCaller", {
  type: Schema.Literals(["code_execution_20250825", "code_execution_20260120"]),
  tool_id: Schema.String
})

/** A program the model runs in the API's sandbox made the call. */
export type CodeExecutionCaller = typeof CodeExecutionCaller.Type

/** Who made a tool call. */
export const ToolCaller = variants("ToolCaller", "type", [DirectCaller, CodeExecutionCaller])

/** Who made a tool call. */
export type ToolCaller = typeof ToolCaller.Type

/**
 * A call of a tool the CLI runs. `input` is `{}` in `content_block_start`; in the whole message the CLI
 * may have normalised it, and arguments that do not parse become `{}` (docs/wire/claude-code.md §5.49).
 */
export const ToolUseBlock = open("ToolUseBlock", {
  type: Schema.Literal("tool_use"),
  id: Schema.String,
  name: Schema.String,
  input: Schema.Unknown,
  caller: optional(ToolCaller),
  toolset_name: optional(Schema.NullOr(Schema.String)),
  ...cacheControl
})

/** A call of a tool the CLI runs. */
export type ToolUseBlock = typeof ToolUseBlock.Type

/** A tool the model may call from now on: what the CLI's `ToolSearch` and the API's tool search find. */
export const ToolReferenceBlock = open("ToolReferenceBlock", {
  type: Schema.Literal("tool_reference"),
  tool_name: Schema.String,
  ...cacheControl
})

/** A tool the model may call from now on. */
export type ToolReferenceBlock = typeof ToolReferenceBlock.Type

/** Something that happened in the browser since the last call of the browser toolset. */
export const BrowserStateChange = variants("BrowserStateChange", "type", [
  open("BrowserTabOpened", { type: Schema.Literal("tab_opened"), tab_id: Schema.String }),
  open("BrowserDownloadStarted", {
    type: Schema.Literal("download_started"),
    download_id: Schema.String,
    url: Schema.String
  }),
  open("BrowserDownloadCompleted", {
    type: Schema.Literal("download_completed"),
    download_id: Schema.String,
    url: Schema.String,
    path: optional(Schema.NullOr(Schema.String)),
    size_bytes: optional(Schema.NullOr(Schema.Finite))
  }),
  open("BrowserDownloadFailed", {
    type: Schema.Literal("download_failed"),
    download_id: Schema.String,
    url: Schema.String,
    error: optional(Schema.NullOr(Schema.String))
  })
])

/** Something that happened in the browser since the last call of the browser toolset. */
export type BrowserStateChange = typeof BrowserStateChange.Type

/** What the browser toolset leaves behind: its open tabs. */
export const BrowserStateBlock = open("BrowserStateBlock", {
  type: Schema.Literal("browser_state"),
  tabs: Schema.Array(
    open("BrowserTab", {
      tab_id: Schema.String,
      title: Schema.String,
      url: Schema.String,
      active: optional(Schema.Boolean)
    })
  ),
  state_changes: optional(Schema.NullOr(Schema.Array(BrowserStateChange))),
  ...cacheControl
})

/** What the browser toolset leaves behind: its open tabs. */
export type BrowserStateBlock = typeof BrowserStateBlock.Type

/** One block of a tool's result. */
export const ToolResultContent = variants("ToolResultContent", "type", [
  TextBlock,
  ImageBlock,
  DocumentBlock,
  SearchResultBlock,
  ToolReferenceBlock,
  BrowserStateBlock
])

/** One block of a tool's result. */
export type ToolResultContent = typeof ToolResultContent.Type

/**
 * The result of a tool the CLI ran. Built-in tools mostly answer with a string, MCP tools and images with
 * blocks. `is_error` is absent from many good results; a denied tool has it, with the reason as content.
 */
export const ToolResultBlock = open("ToolResultBlock", {
  type: Schema.Literal("tool_result"),
  tool_use_id: Schema.String,
  content: optional(Schema.Union([Schema.String, Schema.Array(ToolResultContent)])),
  is_error: optional(Schema.Boolean),
  toolset_name: optional(Schema.NullOr(Schema.String)),
  ...cacheControl
})

/** The result of a tool the CLI ran. */
export type ToolResultBlock = typeof ToolResultBlock.Type
