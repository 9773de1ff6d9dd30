/**
 * What people and tools say: text, or parts of several kinds.
 *
 * The shape is the one that AG-UI uses for both directions, so its face copies nothing.
 */
import * as Schema from "effect/Schema"
import { open, optional } from "../wire/Open.ts"

/** Where the bytes of a part are: in the part itself as base64, behind a URL, or with the provider that issued a handle. */
export const Source = Schema.Union([
  open({ type: Schema.Literal("data"), value: Schema.String, mimeType: Schema.String }),
  open({ type: Schema.Literal("url"), value: Schema.String, mimeType: optional(Schema.String) }),
  open({
    type: Schema.Literal("file"),
    value: Schema.String,
    provider: optional(Schema.String),
    mimeType: optional(Schema.String)
  })
]).annotate({ identifier: "ModelSource" })

/** Where the bytes of a part are. */
export type Source = typeof Source.Type

/** One part: text, an image, a recording, a video or a document. */
export const Part = Schema.Union([
  open({ type: Schema.Literal("text"), text: Schema.String }),
  open({ type: Schema.Literals(["image", "audio", "video", "document"]), source: Source })
]).annotate({ identifier: "ModelPart" })

/** One part: text, an image, a recording, a video or a document. */
export type Part = typeof Part.Type

/** Plain text, or parts in order. */
export const Content = Schema.Union([Schema.String, Schema.Array(Part)])

/** Plain text, or parts in order. */
export type Content = typeof Content.Type
