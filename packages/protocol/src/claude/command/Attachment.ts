/**
 * What Claude Code can take of an image, recording or document, and a note for the model about
 * what it cannot: nothing is left out silently.
 */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import type { Part } from "../../model/Content.ts"
import { isRecord } from "../../wire/Json.ts"

/** A part of a message that is not text. */
export type MediaPart = Exclude<Part, { readonly type: "text" }>

/** Bytes in the message itself, or where the API can fetch them. */
export type Bytes = { readonly data: string } | { readonly url: string }

/** The image types the API takes. */
export type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp"

/** A media part, as far as Claude Code can take it. */
export type Attachment =
  | { readonly kind: "image"; readonly mediaType: ImageType | undefined; readonly bytes: Bytes }
  | { readonly kind: "pdf"; readonly bytes: Bytes; readonly title: string | undefined }
  | { readonly kind: "text"; readonly text: string; readonly title: string | undefined }
  /** What the model is told in its place. */
  | { readonly kind: "note"; readonly text: string }

/** What Claude Code can take of a part. */
export const attachmentOf = (part: MediaPart): Attachment => {
  const { source } = part
  if (part.type === "audio" || part.type === "video")
    return omitted(part, "only text, images and documents can be read")
  if (source.type === "file") return omitted(part, "it is a handle that only its provider can resolve")
  const located = source.type === "url" ? urlOf(source.value, source.mimeType) : dataOf(source.value, source.mimeType)
  if (located === undefined)
    return omitted(part, source.type === "url" ? "its address cannot be fetched" : "its data is not base64")
  return part.type === "image" ? imageOf(part, located) : documentOf(part, located)
}

interface Located {
  readonly bytes: Bytes
  /** Lower case, without parameters. */
  readonly mediaType: string | undefined
}

const imageTypes: Readonly<Record<string, ImageType>> = {
  "image/jpeg": "image/jpeg",
  "image/jpg": "image/jpeg",
  "image/png": "image/png",
  "image/gif": "image/gif",
  "image/webp": "image/webp"
}

const imageOf = (part: MediaPart, { bytes, mediaType = "" }: Located): Attachment => {
  const known = Object.hasOwn(imageTypes, mediaType) ? imageTypes[mediaType] : undefined
  // Behind a URL it is the server that says what the bytes are.
  if (known === undefined && !("url" in bytes)) return omitted(part, "images are JPEG, PNG, GIF or WebP")
  return { kind: "image", mediaType: known, bytes }
}

const documentOf = (part: MediaPart, { bytes, mediaType }: Located): Attachment => {
  const title = titleOf(part)
  if (mediaType === "application/pdf" || (mediaType === undefined && "url" in bytes))
    return { kind: "pdf", bytes, title }
  if ("url" in bytes) return omitted(part, "only PDFs are fetched")
  if (mediaType === undefined || !isText(mediaType)) return omitted(part, "documents are PDF or text")
  const text = decodeText(bytes.data)
  return text === undefined ? omitted(part, "its data is not text in UTF-8") : { kind: "text", text, title }
}

const isText = (mediaType: string): boolean =>
  /^text\/|^application\/(.*\+)?(json|xml|yaml)$|^application\/(javascript|x-ndjson|x-yaml|toml|sql)$/.test(mediaType)

const decodeText = (data: string): string | undefined =>
  Result.getOrElse(
    Result.flatMap(Base64.decode(data), (bytes) =>
      Result.try(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes))
    ),
    () => undefined
  )

const dataUrl = /^data:(?<type>[^;,]*)(?:;[^;,]*)*;base64,(?<data>.*)$/is

const dataOf = (value: string, mimeType: string): Located | undefined => {
  // Some applications put the whole data URL where its data belongs.
  const data = (dataUrl.exec(value)?.groups?.["data"] ?? value).replace(/\s+/g, "")
  return data !== "" && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
    ? { bytes: { data }, mediaType: mediaTypeOf(mimeType) }
    : undefined
}

const urlOf = (value: string, mimeType: string | undefined): Located | undefined => {
  const inline = dataUrl.exec(value)?.groups?.["type"]
  if (inline !== undefined) return dataOf(value, mimeType ?? inline)
  if (!/^https?:\/\/[^\s/]/i.test(value)) return undefined
  return { bytes: { url: value }, mediaType: mimeType === undefined ? undefined : mediaTypeOf(mimeType) }
}

const mediaTypeOf = (mimeType: string): string => (mimeType.split(";")[0] ?? "").trim().toLowerCase()

/** CopilotKit gives the name of an uploaded file in the metadata. */
const titleOf = (part: MediaPart): string | undefined => {
  const metadata = "metadata" in part ? part.metadata : undefined
  const name = isRecord(metadata) ? (metadata["filename"] ?? metadata["title"]) : undefined
  return typeof name === "string" && name.trim() !== "" ? name : undefined
}

const omitted = (part: MediaPart, why: string): Attachment => {
  const { source } = part
  const title = titleOf(part)
  const facts = [
    source.mimeType,
    title === undefined ? undefined : JSON.stringify(title),
    // With its address the model may find a way of its own; a data URL is no address.
    source.type === "data" || /^data:/i.test(source.value) ? undefined : source.value
  ].filter((fact) => fact !== undefined && fact !== "")
  const what = `${names[part.type]}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`
  return { kind: "note", text: `[${what} was left out: ${why}.]` }
}

const names: Readonly<Record<MediaPart["type"], string>> = {
  image: "An image",
  audio: "A recording",
  video: "A video",
  document: "A document"
}
