/**
 * The wire between coding agents and user interfaces.
 *
 * The functions at the top level speak Claude Code: `decodeLine`, `decoder`,
 * `decodeChunks`, `decodeStream`, `encodeLine`, `drift`. The schemas are in three rooms:
 * `Claude`, `Agui` and `CopilotKit`.
 */
export * as Agui from "./agui/index.ts"
export { type Catalog, type Found, makeCatalog, type Member, type SubtypePath } from "./Catalog.ts"
export { type Chunks, type Codec, type DecodeError, type DecodeErrorCode, type Decoder, encodeLine, type Invalid, makeCodec, type Messages, type Unknown } from "./Codec.ts"
export { codec, type Decoded, decodeChunks, decodeLine, decoder, decodeStream, decodeValue, drift, type Known } from "./claude/Codec.ts"
export * as Claude from "./claude/index.ts"
export * as CopilotKit from "./copilotkit/index.ts"
export { type Drift, driftOf } from "./Drift.ts"
export { type BrokenLine, defaultMaxLineBytes, Framer, type FramerOptions, type Line, type TextLine } from "./Framer.ts"
export type { Unrecognized, UnrecognizedVariant } from "./Open.ts"
