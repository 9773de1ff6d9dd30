/**
 * Tools that run on the API's side. The call and its result are both blocks of one `assistant`
 * message: no `can_use_tool` is asked and no `tool_result` follows (docs/wire/claude-code.md §5b).
 *
 * Each schema covers the block as the API answers it and as it is sent back in a prompt. The CLI passes
 * the blocks on as the API, or a gateway in its place, sent them: only what a block cannot do without is required.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional, variants } from "../wire/Open.ts"
import { cacheControl, DocumentBlock, TextBlock } from "./Media.ts"
import { ToolCaller, ToolReferenceBlock } from "./ToolUse.ts"

const result = { tool_use_id: Schema.String, ...cacheControl } as const
const maybeNumber = optional(Schema.NullOr(Schema.Finite))

/**
 * A call of a tool on the API's side. In the whole message of 2.1.37 `input` is the JSON **text** of the
 * arguments; later versions and every `content_block_start` have an object.
 */
export const ServerToolUseBlock = open("ServerToolUseBlock", {
  type: Schema.Literal("server_tool_use"),
  id: Schema.String,
  name: known(
    "advisor",
    "web_search",
    "web_fetch",
    "code_execution",
    "bash_code_execution",
    "text_editor_code_execution",
    "tool_search_tool_regex",
    "tool_search_tool_bm25"
  ),
  input: Schema.Unknown,
  caller: optional(ToolCaller),
  ...cacheControl
})

/** A call of a tool on the API's side. */
export type ServerToolUseBlock = typeof ServerToolUseBlock.Type

/** A page the web search found. */
export const WebSearchResult = open("WebSearchResult", {
  type: Schema.Literal("web_search_result"),
  url: Schema.String,
  title: optional(Schema.NullOr(Schema.String)),
  encrypted_content: optional(Schema.String),
  page_age: optional(Schema.NullOr(Schema.String))
})

/** A page the web search found. */
export type WebSearchResult = typeof WebSearchResult.Type

/** Why a web search failed. */
export const WebSearchToolResultError = open("WebSearchToolResultError", {
  type: Schema.Literal("web_search_tool_result_error"),
  error_code: known(
    "invalid_tool_input",
    "unavailable",
    "max_uses_exceeded",
    "too_many_requests",
    "query_too_long",
    "request_too_large"
  )
})

/** Why a web search failed. */
export type WebSearchToolResultError = typeof WebSearchToolResultError.Type

/** What a web search found: a list, or one error object in its place. */
export const WebSearchToolResultBlock = open("WebSearchToolResultBlock", {
  type: Schema.Literal("web_search_tool_result"),
  content: Schema.Union([
    Schema.Array(variants("WebSearchResultItem", "type", [WebSearchResult])),
    variants("WebSearchToolResultFailure", "type", [WebSearchToolResultError])
  ]),
  caller: optional(ToolCaller),
  ...result
})

/** What a web search found: a list, or one error object in its place. */
export type WebSearchToolResultBlock = typeof WebSearchToolResultBlock.Type

/** A page the web fetch read. */
export const WebFetchResult = open("WebFetchResult", {
  type: Schema.Literal("web_fetch_result"),
  url: Schema.String,
  content: DocumentBlock,
  retrieved_at: optional(Schema.NullOr(Schema.String))
})

/** A page the web fetch read. */
export type WebFetchResult = typeof WebFetchResult.Type

/** Why a web fetch failed. */
export const WebFetchToolResultError = open("WebFetchToolResultError", {
  type: Schema.Literal("web_fetch_tool_result_error"),
  error_code: known(
    "invalid_tool_input",
    "url_too_long",
    "url_not_allowed",
    "url_not_in_prior_context",
    "url_not_accessible",
    "unsupported_content_type",
    "too_many_requests",
    "max_uses_exceeded",
    "unavailable",
    "content_too_large"
  )
})

/** Why a web fetch failed. */
export type WebFetchToolResultError = typeof WebFetchToolResultError.Type

/** What a web fetch read. */
export const WebFetchToolResultBlock = open("WebFetchToolResultBlock", {
  type: Schema.Literal("web_fetch_tool_result"),
  content: variants("WebFetchToolResultContent", "type", [WebFetchResult, WebFetchToolResultError]),
  caller: optional(ToolCaller),
  ...result
})

/** What a web fetch read. */
export type WebFetchToolResultBlock = typeof WebFetchToolResultBlock.Type

/** What the advisor model said. */
export const AdvisorToolResultBlock = open("AdvisorToolResultBlock", {
  type: Schema.Literal("advisor_tool_result"),
  content: variants("AdvisorToolResultContent", "type", [
    open("AdvisorResult", {
      type: Schema.Literal("advisor_result"),
      text: Schema.String,
      stop_reason: optional(Schema.NullOr(Schema.String))
    }),
    open("AdvisorRedactedResult", {
      type: Schema.Literal("advisor_redacted_result"),
      encrypted_content: Schema.String,
      stop_reason: optional(Schema.NullOr(Schema.String))
    }),
    open("AdvisorToolResultError", {
      type: Schema.Literal("advisor_tool_result_error"),
      error_code: known(
        "max_uses_exceeded",
        "prompt_too_long",
        "too_many_requests",
        "overloaded",
        "unavailable",
        "execution_time_exceeded",
        "model_not_found"
      )
    })
  ]),
  ...result
})

/** What the advisor model said. */
export type AdvisorToolResultBlock = typeof AdvisorToolResultBlock.Type

/** A file the program left behind. */
export const CodeExecutionOutput = open("CodeExecutionOutput", {
  type: known("code_execution_output"),
  file_id: Schema.String
})

/** A file the program left behind. */
export type CodeExecutionOutput = typeof CodeExecutionOutput.Type

/** What a program did in the API's sandbox. */
export const CodeExecutionToolResultBlock = open("CodeExecutionToolResultBlock", {
  type: Schema.Literal("code_execution_tool_result"),
  content: variants("CodeExecutionToolResultContent", "type", [
    open("CodeExecutionResult", {
      type: Schema.Literal("code_execution_result"),
      content: Schema.Array(CodeExecutionOutput),
      return_code: Schema.Finite,
      stderr: Schema.String,
      stdout: Schema.String
    }),
    open("EncryptedCodeExecutionResult", {
      type: Schema.Literal("encrypted_code_execution_result"),
      content: Schema.Array(CodeExecutionOutput),
      return_code: Schema.Finite,
      stderr: Schema.String,
      encrypted_stdout: Schema.String
    }),
    open("CodeExecutionToolResultError", {
      type: Schema.Literal("code_execution_tool_result_error"),
      error_code: known("invalid_tool_input", "unavailable", "too_many_requests", "execution_time_exceeded")
    })
  ]),
  ...result
})

/** What a program did in the API's sandbox. */
export type CodeExecutionToolResultBlock = typeof CodeExecutionToolResultBlock.Type

/** What a shell command did in the API's sandbox. */
export const BashCodeExecutionToolResultBlock = open("BashCodeExecutionToolResultBlock", {
  type: Schema.Literal("bash_code_execution_tool_result"),
  content: variants("BashCodeExecutionToolResultContent", "type", [
    open("BashCodeExecutionResult", {
      type: Schema.Literal("bash_code_execution_result"),
      content: Schema.Array(
        open("BashCodeExecutionOutput", { type: known("bash_code_execution_output"), file_id: Schema.String })
      ),
      return_code: Schema.Finite,
      stderr: Schema.String,
      stdout: Schema.String
    }),
    open("BashCodeExecutionToolResultError", {
      type: Schema.Literal("bash_code_execution_tool_result_error"),
      error_code: known(
        "invalid_tool_input",
        "unavailable",
        "too_many_requests",
        "execution_time_exceeded",
        "output_file_too_large"
      )
    })
  ]),
  ...result
})

/** What a shell command did in the API's sandbox. */
export type BashCodeExecutionToolResultBlock = typeof BashCodeExecutionToolResultBlock.Type

/** What a file edit did in the API's sandbox: its content tells which of view, create and str_replace it was. */
export const TextEditorCodeExecutionToolResultBlock = open("TextEditorCodeExecutionToolResultBlock", {
  type: Schema.Literal("text_editor_code_execution_tool_result"),
  content: variants("TextEditorCodeExecutionToolResultContent", "type", [
    open("TextEditorCodeExecutionViewResult", {
      type: Schema.Literal("text_editor_code_execution_view_result"),
      content: Schema.String,
      file_type: known("text", "image", "pdf"),
      num_lines: maybeNumber,
      start_line: maybeNumber,
      total_lines: maybeNumber
    }),
    open("TextEditorCodeExecutionCreateResult", {
      type: Schema.Literal("text_editor_code_execution_create_result"),
      is_file_update: Schema.Boolean
    }),
    open("TextEditorCodeExecutionStrReplaceResult", {
      type: Schema.Literal("text_editor_code_execution_str_replace_result"),
      lines: optional(Schema.NullOr(Schema.Array(Schema.String))),
      new_lines: maybeNumber,
      new_start: maybeNumber,
      old_lines: maybeNumber,
      old_start: maybeNumber
    }),
    open("TextEditorCodeExecutionToolResultError", {
      type: Schema.Literal("text_editor_code_execution_tool_result_error"),
      error_code: known(
        "invalid_tool_input",
        "unavailable",
        "too_many_requests",
        "execution_time_exceeded",
        "file_not_found"
      ),
      error_message: optional(Schema.NullOr(Schema.String))
    })
  ]),
  ...result
})

/** What a file edit did in the API's sandbox. */
export type TextEditorCodeExecutionToolResultBlock = typeof TextEditorCodeExecutionToolResultBlock.Type

/** The tools the API's tool search found. */
export const ToolSearchToolResultBlock = open("ToolSearchToolResultBlock", {
  type: Schema.Literal("tool_search_tool_result"),
  content: variants("ToolSearchToolResultContent", "type", [
    open("ToolSearchToolSearchResult", {
      type: Schema.Literal("tool_search_tool_search_result"),
      tool_references: Schema.Array(ToolReferenceBlock)
    }),
    open("ToolSearchToolResultError", {
      type: Schema.Literal("tool_search_tool_result_error"),
      error_code: known("invalid_tool_input", "unavailable", "too_many_requests", "execution_time_exceeded"),
      error_message: optional(Schema.NullOr(Schema.String))
    })
  ]),
  ...result
})

/** The tools the API's tool search found. */
export type ToolSearchToolResultBlock = typeof ToolSearchToolResultBlock.Type

/** A call of a tool of an MCP server the API itself is connected to. MCP servers of the CLI use `tool_use`. */
export const McpToolUseBlock = open("McpToolUseBlock", {
  type: Schema.Literal("mcp_tool_use"),
  id: Schema.String,
  name: Schema.String,
  server_name: Schema.String,
  input: Schema.Unknown,
  ...cacheControl
})

/** A call of a tool of an MCP server the API itself is connected to. */
export type McpToolUseBlock = typeof McpToolUseBlock.Type

/** What a tool of an MCP server the API is connected to answered. */
export const McpToolResultBlock = open("McpToolResultBlock", {
  type: Schema.Literal("mcp_tool_result"),
  content: optional(Schema.Union([Schema.String, Schema.Array(TextBlock)])),
  is_error: optional(Schema.Boolean),
  ...result
})

/** What a tool of an MCP server the API is connected to answered. */
export type McpToolResultBlock = typeof McpToolResultBlock.Type

/** The tools of an MCP server the API is connected to. */
export const McpToolListingBlock = open("McpToolListingBlock", {
  type: Schema.Literal("mcp_tool_listing"),
  mcp_server_name: Schema.String,
  tools: Schema.Array(
    open("McpListedTool", {
      name: Schema.String,
      description: optional(Schema.NullOr(Schema.String)),
      input_schema: JsonObject
    })
  )
})

/** The tools of an MCP server the API is connected to. */
export type McpToolListingBlock = typeof McpToolListingBlock.Type
