/**
 * The parts of a message body: what a person sends in a user message and what a tool gives
 * back. The same parts travel in both directions.
 */
import * as Schema from "effect/Schema"
import { open, optional } from "../wire/Open.ts"
import { NotNull } from "./Base.ts"

/** Bytes carried inline, as base64. */
export const DataSource = open("AguiDataSource", {
  type: Schema.Literal("data"),
  value: Schema.String,
  mimeType: Schema.String
})

/** Bytes carried inline, as base64. */
export type DataSource = typeof DataSource.Type

/** Bytes behind a URL, fetched by whoever needs them. */
export const UrlSource = open("AguiUrlSource", {
  type: Schema.Literal("url"),
  value: Schema.String,
  mimeType: optional(Schema.String)
})

/** Bytes behind a URL, fetched by whoever needs them. */
export type UrlSource = typeof UrlSource.Type

/** A handle only the provider that issued it can resolve, such as a file id. New in 1.0; 0.0 clients reject it. */
export const FileSource = open("AguiFileSource", {
  type: Schema.Literal("file"),
  value: Schema.String,
  provider: optional(Schema.String),
  mimeType: optional(Schema.String)
})

/** A handle only the provider that issued it can resolve. */
export type FileSource = typeof FileSource.Type

/** Where the bytes of a media part are. */
export const PartSource = Schema.Union([DataSource, UrlSource, FileSource]).annotate({ identifier: "AguiPartSource" })

/** Where the bytes of a media part are. */
export type PartSource = typeof PartSource.Type

const part = {
  /** New in 1.0. */
  id: optional(Schema.String),
  /** Any JSON value, not necessarily an object, but not null. */
  metadata: optional(NotNull)
}

/** Text. */
export const TextPart = open("AguiTextPart", { type: Schema.Literal("text"), text: Schema.String, ...part })

/** Text. */
export type TextPart = typeof TextPart.Type

/** An image. */
export const ImagePart = open("AguiImagePart", { type: Schema.Literal("image"), source: PartSource, ...part })

/** An image. */
export type ImagePart = typeof ImagePart.Type

/** A sound recording. */
export const AudioPart = open("AguiAudioPart", { type: Schema.Literal("audio"), source: PartSource, ...part })

/** A sound recording. */
export type AudioPart = typeof AudioPart.Type

/** A video. */
export const VideoPart = open("AguiVideoPart", { type: Schema.Literal("video"), source: PartSource, ...part })

/** A video. */
export type VideoPart = typeof VideoPart.Type

/** A document, such as a PDF. */
export const DocumentPart = open("AguiDocumentPart", { type: Schema.Literal("document"), source: PartSource, ...part })

/** A document, such as a PDF. */
export type DocumentPart = typeof DocumentPart.Type

/** One part of a message body. */
export const ContentPart = Schema.Union([TextPart, ImagePart, AudioPart, VideoPart, DocumentPart]).annotate({
  identifier: "AguiContentPart"
})

/** One part of a message body. */
export type ContentPart = typeof ContentPart.Type

/** A message body: plain text, or parts. */
export const Content = Schema.Union([Schema.String, Schema.Array(ContentPart)])

/** A message body: plain text, or parts. */
export type Content = typeof Content.Type
