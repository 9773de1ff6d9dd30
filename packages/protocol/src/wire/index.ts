/**
 * What wires have in common, whatever protocol they carry: lines of NDJSON, server-sent events, JSON values; codecs of
 * open schemas and reports of drift. A bundle that uses only the first three has no Effect in it.
 */
export type { Catalog, Found, Member, SubtypePath } from "./Catalog.ts"
export {
  type Chunks,
  type Codec,
  type DecodedPayload,
  type DecodeError,
  type DecodeErrorCode,
  type Decoder,
  decodePayload,
  encodeLine,
  type Invalid,
  type Messages,
  makeCodec,
  type Odd,
  type Oddity,
  type Unknown
} from "./Codec.ts"
export { type Drift, driftOf } from "./Drift.ts"
export type { EssentialPaths, Need } from "./Essentials.ts"
export {
  type BrokenLine,
  defaultMaxLineBytes,
  Framer,
  type FramerOptions,
  type Line,
  type TextLine
} from "./Framer.ts"
export { isRecord } from "./Json.ts"
export type { Unrecognized, UnrecognizedVariant } from "./Open.ts"
export { readSse, SseEventTooLong, type SseFrame, SseReader, type SseReaderOptions } from "./SseReader.ts"
