/**
 * Citations: where a piece of text comes from.
 *
 * They hang on text blocks (`citations`) and arrive one at a time in `citations_delta` while
 * a text streams. The CLI passes them through as the API, or a gateway in its place, sent them:
 * only what a citation cannot do without is required.
 */
import * as Schema from "effect/Schema"
import { open, optional, variants } from "../wire/Open.ts"

/** A range of characters in a plain-text document. */
export const CharLocation = open("CharLocation", {
  type: Schema.Literal("char_location"),
  cited_text: optional(Schema.String),
  document_index: optional(Schema.Finite),
  document_title: optional(Schema.NullOr(Schema.String)),
  start_char_index: Schema.Finite,
  end_char_index: Schema.Finite,
  /** Only in answers; a citation sent back to the API has none. */
  file_id: optional(Schema.NullOr(Schema.String))
})

/** A range of characters in a plain-text document. */
export type CharLocation = typeof CharLocation.Type

/** A range of pages in a PDF. */
export const PageLocation = open("PageLocation", {
  type: Schema.Literal("page_location"),
  cited_text: optional(Schema.String),
  document_index: optional(Schema.Finite),
  document_title: optional(Schema.NullOr(Schema.String)),
  start_page_number: Schema.Finite,
  end_page_number: Schema.Finite,
  file_id: optional(Schema.NullOr(Schema.String))
})

/** A range of pages in a PDF. */
export type PageLocation = typeof PageLocation.Type

/** A range of blocks in a document made of content blocks. */
export const ContentBlockLocation = open("ContentBlockLocation", {
  type: Schema.Literal("content_block_location"),
  cited_text: optional(Schema.String),
  document_index: optional(Schema.Finite),
  document_title: optional(Schema.NullOr(Schema.String)),
  start_block_index: Schema.Finite,
  end_block_index: Schema.Finite,
  file_id: optional(Schema.NullOr(Schema.String))
})

/** A range of blocks in a document made of content blocks. */
export type ContentBlockLocation = typeof ContentBlockLocation.Type

/** A web page the server's search tool found. */
export const WebSearchResultLocation = open("WebSearchResultLocation", {
  type: Schema.Literal("web_search_result_location"),
  cited_text: optional(Schema.String),
  url: Schema.String,
  title: optional(Schema.NullOr(Schema.String)),
  encrypted_index: optional(Schema.String)
})

/** A web page the server's search tool found. */
export type WebSearchResultLocation = typeof WebSearchResultLocation.Type

/** A range of blocks in a `search_result` block. */
export const SearchResultLocation = open("SearchResultLocation", {
  type: Schema.Literal("search_result_location"),
  cited_text: optional(Schema.String),
  source: Schema.String,
  title: optional(Schema.NullOr(Schema.String)),
  search_result_index: optional(Schema.Finite),
  start_block_index: Schema.Finite,
  end_block_index: Schema.Finite
})

/** A range of blocks in a `search_result` block. */
export type SearchResultLocation = typeof SearchResultLocation.Type

/** Any citation. */
export const Citation = variants("Citation", "type", [
  CharLocation,
  PageLocation,
  ContentBlockLocation,
  WebSearchResultLocation,
  SearchResultLocation
])

/** Any citation. */
export type Citation = typeof Citation.Type

/** Whether a document or a search result may be cited. */
export const CitationsConfig = open("CitationsConfig", {
  enabled: optional(Schema.Boolean)
})

/** Whether a document or a search result may be cited. */
export type CitationsConfig = typeof CitationsConfig.Type
