/**
 * What messages consist of: the content blocks of Anthropic's Messages API, and the model's content written as such and
 * read from them. Blocks of the agent have an `id` besides, so that a block that is streamed and the same block in the
 * history are known to be one.
 */
import * as Schema from "effect/Schema"
import type { Content, Part, Source } from "../model/Content.ts"
import { Action } from "../model/Event.ts"
import { JsonObject, optional } from "../wire/Open.ts"

/** Where the bytes of an attachment are. */
export const BlockSource = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("base64"),
    /** Such as `image/png`. */
    media_type: Schema.String,
    data: Schema.String
  }),
  Schema.Struct({ type: Schema.Literal("url"), url: Schema.String }),
  /** With the provider that issued the id. */
  Schema.Struct({ type: Schema.Literal("file"), file_id: Schema.String }),
  /** A document that is plain text. */
  Schema.Struct({ type: Schema.Literal("text"), media_type: Schema.String, data: Schema.String })
]).annotate({ identifier: "GatewayBlockSource" })

/** Where the bytes of an attachment are. */
export type BlockSource = typeof BlockSource.Type

/** What people and tools say: text, and attachments. Recordings and videos are ours. */
export const SaidBlock = Schema.Union([
  Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }),
  Schema.Struct({ type: Schema.Literals(["image", "document", "audio", "video"]), source: BlockSource })
]).annotate({ identifier: "GatewaySaidBlock" })

/** What people and tools say. */
export type SaidBlock = typeof SaidBlock.Type

/** Text, or blocks in order. */
export const SaidContent = Schema.Union([Schema.String, Schema.Array(SaidBlock)])

/** Text, or blocks in order. */
export type SaidContent = typeof SaidContent.Type

/** What the agent says, thinks and does. */
export const AgentBlock = Schema.Union([
  Schema.Struct({ type: Schema.Literal("text"), id: Schema.String, text: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("thinking"),
    id: Schema.String,
    thinking: Schema.String,
    /** The provider's seal on it. */
    signature: optional(Schema.String)
  }),
  Schema.Struct({
    type: Schema.Literal("tool_use"),
    id: Schema.String,
    name: Schema.String,
    input: JsonObject,
    /** What of the input was streamed, where it is no object by itself: the call goes on, or was cut off. */
    partial_json: optional(Schema.String),
    /** What the call does, whatever the tool is called. */
    action: Action
  })
]).annotate({ identifier: "GatewayAgentBlock" })

/** What the agent says, thinks and does. */
export type AgentBlock = typeof AgentBlock.Type

/** What a tool gave back. */
export const ToolResult = Schema.Struct({
  tool_use_id: Schema.String,
  content: SaidContent,
  is_error: Schema.Boolean,
  exit_code: optional(Schema.Finite)
}).annotate({ identifier: "GatewayToolResult" })

/** What a tool gave back. */
export type ToolResult = typeof ToolResult.Type

const isText = (part: Part): part is Extract<Part, { readonly type: "text" }> => part.type === "text"

const sourceOf = (source: Source): BlockSource => {
  switch (source.type) {
    case "data":
      return { type: "base64", media_type: source.mimeType, data: source.value }
    case "url":
      return { type: "url", url: source.value }
    case "file":
      return { type: "file", file_id: source.value }
  }
}

/** What people and tools say, as the model has it, as blocks. */
export const blocksOf = (content: Content): SaidContent =>
  typeof content === "string"
    ? content
    : content.map((part) =>
        isText(part) ? { type: "text", text: part.text } : { type: part.type, source: sourceOf(part.source) }
      )

const base64Of = (text: string): string => {
  let bytes = ""
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return btoa(bytes)
}

const readSource = (source: BlockSource): Source => {
  switch (source.type) {
    case "base64":
      return { type: "data", value: source.data, mimeType: source.media_type }
    case "url":
      return { type: "url", value: source.url }
    case "file":
      return { type: "file", value: source.file_id }
    case "text":
      return { type: "data", value: base64Of(source.data), mimeType: source.media_type }
  }
}

/** Blocks of a client as the model has them. */
export const readContent = (content: SaidContent): Content =>
  typeof content === "string"
    ? content
    : content.map((block) =>
        block.type === "text"
          ? { type: "text", text: block.text }
          : { type: block.type, source: readSource(block.source) }
      )

/** The arguments of a call, as far as they were streamed, as the input of a block. */
export const inputOf = (
  args: string
): Pick<Extract<AgentBlock, { readonly type: "tool_use" }>, "input" | "partial_json"> => {
  if (args === "") return { input: {} }
  try {
    const value: unknown = JSON.parse(args)
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { input: { ...value } }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
  }
  return { input: {}, partial_json: args }
}
