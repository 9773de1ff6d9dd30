/** The files that Codex keeps of its threads: their lines, and what was said in them as events of the model. */
export {
  type DecodedRolloutLine,
  type KnownRolloutLine,
  type RolloutLines,
  rolloutCodec,
  rolloutLines
} from "./Line.ts"
export {
  type RolloutFacts,
  type RolloutFile,
  type RolloutLine,
  RolloutReader,
  readRollout
} from "./Reader.ts"
export { newestOf, type RolloutSession, rolloutEvents, rolloutSession, rolloutTranscript } from "./Session.ts"
export type { TimedEvent, ToldLine } from "./Tell.ts"
