/**
 * Claude Code's own session files (`~/.claude/projects/<folder>/<session>.jsonl`): their lines, and what was said in
 * them as events of the model.
 */
export type { AgentFile, TranscriptAgent } from "./Agents.ts"
export { attachmentLines, QueuedCommandLine } from "./AttachmentLine.ts"
export type { ContextMessage } from "./Context.ts"
export { type FactsBuilder, factsOfEnds, makeFacts, type TitleSource, type TranscriptFacts } from "./Facts.ts"
export { AssistantLine, ProgressLine, TranscriptMessage, UserLine } from "./Line.ts"
export type { SaidLine, TranscriptNode } from "./Node.ts"
export { type Rewound, readTranscriptFile, type TranscriptFile, TranscriptReader, type UnreadLine } from "./Reader.ts"
export {
  type ConversationOptions,
  type SessionFiles,
  sessionBranches,
  sessionContext,
  sessionEvents,
  sessionOf,
  sessionTranscript,
  type TranscriptSession
} from "./Session.ts"
export { AiTitleLine, CustomTitleLine, LastPromptLine, SummaryLine, sessionLines } from "./SessionLine.ts"
export { CompactBoundaryLine, LocalCommandLine, systemLines } from "./SystemLine.ts"
export type { Moment, Observe, TimedEvent } from "./Tell.ts"
export { type Branch, type Families, type Thread, threadOf } from "./Thread.ts"
export {
  type DecodedLine,
  decodeTranscriptLine,
  type KnownLine,
  type TranscriptLineName,
  type TranscriptLineOf,
  transcriptCodec,
  transcriptEssentials,
  transcriptLines
} from "./TranscriptCodec.ts"
export type { TranscriptTree } from "./Tree.ts"
export { type MessageUsage, totalUsage, usageByModel } from "./Usage.ts"
