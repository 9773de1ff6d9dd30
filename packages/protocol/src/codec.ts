/**
 * What a codec of any protocol is made of, and what it says of a line: the part of the wire that needs Effect. The
 * codecs that are made already are in `./claude` and `./agui`.
 */
export type { Catalog, Found, Member, SubtypePath } from "./wire/Catalog.ts"
export {
  type Chunks,
  type Codec,
  type Decoded,
  type DecodedPayload,
  type DecodeError,
  type DecodeErrorCode,
  type Decoder,
  decodePayload,
  encodeLine,
  type Invalid,
  type Known,
  type Messages,
  makeCodec,
  type Odd,
  type Oddity,
  type Unknown
} from "./wire/Codec.ts"
export { type Drift, driftOf } from "./wire/Drift.ts"
export type { EssentialPaths, Need } from "./wire/Essentials.ts"
export type { Unrecognized, UnrecognizedVariant } from "./wire/Open.ts"
