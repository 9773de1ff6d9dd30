/**
 * Content of the model as Codex's clients have it, and back: what a person says, what tools give back.
 */
import type { DynamicToolCallOutputContentItem } from "../codex/generated/ItemPart.ts"
import type { UserInput } from "../codex/generated/UserInput.ts"
import type { Content, Part, Source } from "../model/Content.ts"
import { isRecord } from "../wire/Json.ts"

/** Content as parts. An empty text is none. */
export const partsOf = (content: Content): ReadonlyArray<Part> =>
  typeof content !== "string" ? content : content === "" ? [] : [{ type: "text", text: content }]

/** Parts as content: one text is a string. */
export const contentOf = (parts: ReadonlyArray<Part>): Content => {
  const [first, ...more] = parts
  if (first === undefined) return ""
  return more.length === 0 && first.type === "text" ? first.text : parts
}

/** Where the bytes of a part are, as an address; undefined where only its provider knows. */
export const urlOf = (source: Source): string | undefined => {
  if (source.type === "url") return source.value
  if (source.type === "file") return undefined
  return /^data:/i.test(source.value) ? source.value : `data:${source.mimeType};base64,${source.value}`
}

const dataUrl = /^data:(?<type>[^;,]*)(?:;[^;,]*)*;base64,(?<data>.*)$/is

/** An image or a recording behind an address, which may hold the bytes itself. */
export const mediaPart = (type: "image" | "audio", url: string): Part => {
  const { data, type: mimeType } = dataUrl.exec(url)?.groups ?? {}
  return data === undefined
    ? { type, source: { type: "url", value: url } }
    : { type, source: { type: "data", value: data, mimeType: mimeType || `${type}/*` } }
}

/** What stands in the place of a part that cannot be shown: nothing is left out silently. */
const placeholder = ({ source, type }: Exclude<Part, { readonly type: "text" }>): string =>
  `[${type}${source.mimeType === undefined ? "" : ` ${source.mimeType}`}]`

/** What a person said, as a userMessage has it. */
export const userInputOf = (content: Content): ReadonlyArray<UserInput> =>
  partsOf(content).map((part): UserInput => {
    if (part.type === "text") return { type: "text", text: part.text, text_elements: [] }
    const url = urlOf(part.source)
    if (url !== undefined && part.type === "image") return { type: "image", url }
    if (url !== undefined && part.type === "audio") return { type: "audio", url }
    return { type: "text", text: placeholder(part), text_elements: [] }
  })

/** What a tool gave back, as a dynamicToolCall has it. */
export const dynamicContentOf = (content: Content): ReadonlyArray<DynamicToolCallOutputContentItem> =>
  partsOf(content).map((part): DynamicToolCallOutputContentItem => {
    if (part.type === "text") return { type: "inputText", text: part.text }
    const url = urlOf(part.source)
    if (url !== undefined && part.type === "image") return { type: "inputImage", imageUrl: url }
    if (url !== undefined && part.type === "audio") return { type: "inputAudio", audioUrl: url }
    return { type: "inputText", text: placeholder(part) }
  })

/** What a tool gave back, as MCP has it. */
export const mcpContentOf = (content: Content): ReadonlyArray<unknown> =>
  partsOf(content).map((part) => {
    if (part.type === "text") return { type: "text", text: part.text }
    const { source, type } = part
    return source.type === "data" && (type === "image" || type === "audio")
      ? { type, data: source.value, mimeType: source.mimeType }
      : { type: "text", text: placeholder(part) }
  })

/** The words of content. */
export const wordsOf = (content: Content): string =>
  partsOf(content)
    .map((part) => (part.type === "text" ? part.text : placeholder(part)))
    .join("\n")

/** A part of what a client's tool gave back; undefined for what is none. */
export const toolPartOf = (item: unknown): Part | undefined => {
  if (!isRecord(item)) return undefined
  const { audioUrl, imageUrl, text, type } = item
  if (type === "inputText" && typeof text === "string") return { type: "text", text }
  if (type === "inputImage" && typeof imageUrl === "string") return mediaPart("image", imageUrl)
  if (type === "inputAudio" && typeof audioUrl === "string") return mediaPart("audio", audioUrl)
  return undefined
}
