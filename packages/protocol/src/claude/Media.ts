/**
 * What a message can carry as data: text, images, documents and search results, with all the
 * places their bytes can come from. They appear in prompts and inside tool results.
 */
import * as Schema from "effect/Schema"
import { known, open, optional, variants } from "../wire/Open.ts"
import { Citation, CitationsConfig } from "./Citation.ts"

/** A mark on a block: the prompt up to here is worth caching. */
export const CacheControl = open("CacheControl", {
  type: known("ephemeral"),
  ttl: optional(known("5m", "1h"))
})

/** A mark on a block: the prompt up to here is worth caching. */
export type CacheControl = typeof CacheControl.Type

/** The optional field `cache_control` of blocks that are sent to the API. */
export const cacheControl = { cache_control: optional(Schema.NullOr(CacheControl)) } as const

/** Text, with its citations. */
export const TextBlock = open("TextBlock", {
  type: Schema.Literal("text"),
  text: Schema.String,
  citations: optional(Schema.NullOr(Schema.Array(Citation))),
  ...cacheControl
})

/** Text, with its citations. */
export type TextBlock = typeof TextBlock.Type

/** Bytes in the message itself, as base64. */
export const Base64ImageSource = open("Base64ImageSource", {
  type: Schema.Literal("base64"),
  media_type: known("image/jpeg", "image/png", "image/gif", "image/webp"),
  data: Schema.String
})

/** Bytes in the message itself, as base64. */
export type Base64ImageSource = typeof Base64ImageSource.Type

/** Bytes the API fetches. */
export const UrlSource = open("UrlSource", {
  type: Schema.Literal("url"),
  url: Schema.String
})

/** Bytes the API fetches. */
export type UrlSource = typeof UrlSource.Type

/** Bytes uploaded before with the Files API. */
export const FileSource = open("FileSource", {
  type: Schema.Literal("file"),
  file_id: Schema.String
})

/** Bytes uploaded before with the Files API. */
export type FileSource = typeof FileSource.Type

/** Where an image comes from. */
export const ImageSource = variants("ImageSource", "type", [Base64ImageSource, UrlSource, FileSource])

/** Where an image comes from. */
export type ImageSource = typeof ImageSource.Type

/** An image. */
export const ImageBlock = open("ImageBlock", {
  type: Schema.Literal("image"),
  source: ImageSource,
  transformations: optional(
    Schema.NullOr(
      open("ImageTransformations", {
        oversized_image: optional(known("downsize", "error"))
      })
    )
  ),
  ...cacheControl
})

/** An image. */
export type ImageBlock = typeof ImageBlock.Type

/** A PDF in the message itself, as base64. */
export const Base64DocumentSource = open("Base64DocumentSource", {
  type: Schema.Literal("base64"),
  media_type: known("application/pdf"),
  data: Schema.String
})

/** A PDF in the message itself, as base64. */
export type Base64DocumentSource = typeof Base64DocumentSource.Type

/** A document that is plain text. */
export const PlainTextSource = open("PlainTextSource", {
  type: Schema.Literal("text"),
  media_type: known("text/plain"),
  data: Schema.String
})

/** A document that is plain text. */
export type PlainTextSource = typeof PlainTextSource.Type

/** A document made of blocks. */
export const ContentSource = open("ContentSource", {
  type: Schema.Literal("content"),
  content: Schema.Union([Schema.String, Schema.Array(variants("ContentSourceBlock", "type", [TextBlock, ImageBlock]))])
})

/** A document made of blocks. */
export type ContentSource = typeof ContentSource.Type

/** Where a document comes from. */
export const DocumentSource = variants("DocumentSource", "type", [
  Base64DocumentSource,
  PlainTextSource,
  ContentSource,
  UrlSource,
  FileSource
])

/** Where a document comes from. */
export type DocumentSource = typeof DocumentSource.Type

/** A document. Reading a PDF puts one in a `user` message up to 2.1.197, in the `tool_result` on 2.1.325. */
export const DocumentBlock = open("DocumentBlock", {
  type: Schema.Literal("document"),
  source: DocumentSource,
  title: optional(Schema.NullOr(Schema.String)),
  context: optional(Schema.NullOr(Schema.String)),
  citations: optional(Schema.NullOr(CitationsConfig)),
  ...cacheControl
})

/** A document. */
export type DocumentBlock = typeof DocumentBlock.Type

/** Something a search of the host's own found, so that the model can cite it. */
export const SearchResultBlock = open("SearchResultBlock", {
  type: Schema.Literal("search_result"),
  source: Schema.String,
  title: Schema.String,
  content: Schema.Array(TextBlock),
  citations: optional(CitationsConfig),
  ...cacheControl
})

/** Something a search of the host's own found, so that the model can cite it. */
export type SearchResultBlock = typeof SearchResultBlock.Type
