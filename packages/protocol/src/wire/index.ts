/**
 * What wires have in common, whatever protocol they carry: lines of NDJSON, server-sent events, JSON values. Nothing
 * here needs Effect, so that a page in a browser loads only this.
 */
export {
  type BrokenLine,
  defaultMaxLineBytes,
  Framer,
  type FramerOptions,
  type Line,
  type TextLine
} from "./Framer.ts"
export { isRecord, nestsDeeper } from "./Json.ts"
export { jsonPieces } from "./JsonPieces.ts"
export { JsonScan, type JsonScanOptions } from "./JsonScan.ts"
export { type JsonFault, maxDepth, maxValues, parseJson, type ReadJson, readJson } from "./ReadJson.ts"
export { readSse, SseEventTooLong, type SseFrame, SseReader, type SseReaderOptions } from "./SseReader.ts"
