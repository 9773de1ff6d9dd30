/**
 * Which items of Codex are calls, what each does, what it was called with and what it gave back. One table.
 *
 * A call has the name of its item's type, as policies know it, unless the item names a tool. Only what makes the call is
 * relied on; all else may be missing.
 */
import type { Content, Part } from "../../model/Content.ts"
import type { Action } from "../../model/Event.ts"
import { fieldsIn, listIn, textIn } from "../../wire/Fields.ts"
import type { JsonObject } from "../../wire/Open.ts"

/** An item as it is on the wire, whichever type it has. */
export type WireItem = Readonly<Record<string, unknown>>

/** What a call gave back. */
export interface CallResult {
  readonly content: Content
  readonly failed: boolean
  readonly exitCode?: number
}

/** What a call is. */
export interface CallKind {
  /** The tool, by the name that people and policies know. */
  readonly tool: (item: WireItem) => string
  readonly action: (item: WireItem) => Action
  readonly input: (item: WireItem) => JsonObject
  /** What it was called with is only known when it ends. */
  readonly isLate?: true
  /** `output`: what was streamed of it. */
  readonly result: (item: WireItem, output: string) => CallResult
}

/** The fields of an item that are there, by their names. */
const picked = (item: WireItem, keys: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(keys.flatMap((key) => (item[key] === undefined || item[key] === null ? [] : [[key, item[key]]])))

/** Nothing says that a call has failed unless its status does. */
const isFailed = ({ status }: WireItem): boolean => status === "failed" || status === "declined"

/** What is said of a call that the person refused, or stopped before it was done. */
export const declined = "The user declined this."

const asText = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value)

const objectOf = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? fieldsIn(value)
    : value === undefined || value === null
      ? {}
      : { value }

const fixed =
  <A>(value: A) =>
  (): A =>
    value

const commandResult = (item: WireItem, output: string): CallResult => {
  const { aggregatedOutput, exitCode, status } = item
  // Deltas lack the beginning of what they repeat (§3.16), so they count only where nothing else is there.
  const content = textIn(aggregatedOutput) ?? output
  const code = typeof exitCode === "number" ? exitCode : undefined
  return {
    content: content === "" && status === "declined" ? declined : content,
    failed: isFailed(item) || (code !== undefined && code !== 0),
    ...(code !== undefined && { exitCode: code })
  }
}

const patchResult = (item: WireItem): CallResult => ({
  content:
    item["status"] === "declined" ? declined : item["status"] === "failed" ? "The patch could not be applied." : "",
  failed: isFailed(item)
})

/** A file that is there only after all changes is written; anything else is an edit. */
const patchAction = ({ changes }: WireItem): Action => {
  const kinds = listIn(changes).map((change) => fieldsIn(fieldsIn(change)["kind"])["type"])
  return kinds.length > 0 && kinds.every((kind) => kind === "add") ? "write" : "edit"
}

const mcpResult = (item: WireItem): CallResult => {
  const { error, result } = item
  const { content, structuredContent } = fieldsIn(result)
  const failure = textIn(fieldsIn(error)["message"])
  const blocks = listIn(content)
  return {
    content: failure ?? (blocks.length === 0 ? asText(structuredContent) : partsOf(blocks.map(mcpPart))),
    failed: isFailed(item) || failure !== undefined || fieldsIn(result)["isError"] === true
  }
}

/** Parts as the model has them; a single text as a string. */
const partsOf = (parts: ReadonlyArray<Part>): Content => {
  const [first, ...more] = parts
  if (first === undefined) return ""
  return more.length === 0 && first.type === "text" ? first.text : parts
}

const mcpPart = (block: unknown): Part => {
  const { data, mimeType, text, type } = fieldsIn(block)
  if (type === "text" && typeof text === "string") return { type, text }
  if ((type === "image" || type === "audio") && typeof data === "string" && typeof mimeType === "string")
    return { type, source: { type: "data", value: data, mimeType } }
  return { type: "text", text: asText(block) }
}

const dynamicPart = (block: unknown): Part => {
  const { audioUrl, imageUrl, text, type } = fieldsIn(block)
  if (type === "inputText" && typeof text === "string") return { type: "text", text }
  if (type === "inputImage" && typeof imageUrl === "string") return mediaPart("image", imageUrl)
  if (type === "inputAudio" && typeof audioUrl === "string") return mediaPart("audio", audioUrl)
  return { type: "text", text: asText(block) }
}

const dataUrl = /^data:(?<type>[^;,]*)(?:;[^;,]*)*;base64,(?<data>.*)$/is

/** An image or recording behind an address, which may hold the bytes itself. */
export const mediaPart = (type: "image" | "audio", url: string): Part => {
  const { data, type: mimeType } = dataUrl.exec(url)?.groups ?? {}
  return data === undefined
    ? { type, source: { type: "url", value: url } }
    : { type, source: { type: "data", value: data, mimeType: mimeType || `${type}/*` } }
}

const imageResult = (item: WireItem): CallResult => {
  const { failure, result, savedPath } = item
  const image = textIn(result)
  const failed = isFailed(item) || (failure !== undefined && failure !== null)
  if (!failed && image !== undefined && image !== "")
    return { content: [{ type: "image", source: { type: "data", value: image, mimeType: "image/png" } }], failed }
  return { content: failed ? asText(failure) : (textIn(savedPath) ?? ""), failed }
}

/** What a collaboration tool does: only one starts somebody. */
const collabAction = ({ tool }: WireItem): Action => (tool === "spawnAgent" ? "agent" : "other")

const nothing: CallKind["result"] = (item) => ({ content: "", failed: isFailed(item) })

/** The calls by the types of their items. */
export const callKinds: Readonly<Record<string, CallKind>> = {
  commandExecution: {
    tool: fixed("commandExecution"),
    action: fixed("command"),
    input: (item) => picked(item, ["command", "cwd"]),
    result: commandResult
  },
  fileChange: {
    tool: fixed("fileChange"),
    action: patchAction,
    input: ({ changes }) => ({ changes: listIn(changes) }),
    result: patchResult
  },
  mcpToolCall: {
    tool: ({ server, tool }) => `mcp__${textIn(server) ?? ""}__${textIn(tool) ?? ""}`,
    action: fixed("other"),
    input: (item) => objectOf(item["arguments"]),
    result: mcpResult
  },
  dynamicToolCall: {
    tool: ({ tool }) => textIn(tool) ?? "dynamicToolCall",
    action: fixed("other"),
    input: (item) => objectOf(item["arguments"]),
    result: (item) => ({
      content: partsOf(listIn(item["contentItems"]).map(dynamicPart)),
      failed: isFailed(item) || item["success"] === false
    })
  },
  collabAgentToolCall: {
    tool: ({ tool }) => textIn(tool) ?? "collabAgentToolCall",
    action: collabAction,
    // Whom a call starts is only known when it has done so.
    input: (item) => picked(item, item["tool"] === "spawnAgent" ? ["prompt"] : ["prompt", "receiverThreadIds"]),
    result: (item) => ({
      content: asText(item["agentsStates"]),
      failed: isFailed(item) || item["status"] === "interrupted"
    })
  },
  webSearch: {
    tool: fixed("webSearch"),
    action: fixed("fetch"),
    input: (item) => picked(item, ["query"]),
    isLate: true,
    result: ({ results }) => ({ content: asText(results), failed: false })
  },
  imageView: {
    tool: fixed("imageView"),
    action: fixed("read"),
    input: (item) => picked(item, ["path"]),
    result: nothing
  },
  imageGeneration: {
    tool: fixed("imageGeneration"),
    action: fixed("other"),
    input: (item) => picked(item, ["revisedPrompt"]),
    isLate: true,
    result: imageResult
  },
  sleep: {
    tool: fixed("sleep"),
    action: fixed("other"),
    input: (item) => picked(item, ["durationMs"]),
    result: nothing
  }
}
