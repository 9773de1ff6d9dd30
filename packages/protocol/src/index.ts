/**
 * The wire between coding agents and user interfaces.
 *
 * The functions at the top level speak Claude Code: `decodeLine`, `decoder`,
 * `decodeChunks`, `decodeStream`, `encodeLine`, `drift`. The schemas are in three rooms:
 * `Claude`, `Agui` and `CopilotKit`. `Conform` judges streams of AG-UI.
 */
export * as Agui from "./agui/index.ts"
export {
  codec,
  type Decoded,
  decodeChunks,
  decodeLine,
  decodeResponse,
  decoder,
  decodeStream,
  decodeValue,
  drift,
  type Known,
  responseDrift
} from "./claude/Codec.ts"
export * as Claude from "./claude/index.ts"
export * as Conform from "./conform/index.ts"
export * as CopilotKit from "./copilotkit/index.ts"
export * as Model from "./model/index.ts"
export * as Tape from "./tape/index.ts"
export * as Translate from "./translate/index.ts"
export type { Catalog, Found, Member, SubtypePath } from "./wire/Catalog.ts"
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
} from "./wire/Codec.ts"
export { type Drift, driftOf } from "./wire/Drift.ts"
export type { EssentialPaths, Need } from "./wire/Essentials.ts"
export {
  type BrokenLine,
  defaultMaxLineBytes,
  Framer,
  type FramerOptions,
  type Line,
  type TextLine
} from "./wire/Framer.ts"
export type { Unrecognized, UnrecognizedVariant } from "./wire/Open.ts"
