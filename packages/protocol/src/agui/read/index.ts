/** What a client of AG-UI sends, as commands and answers of the model. */
export { isSlashCommand } from "../../model/Command.ts"
export { type ReadAnswer, readAnswer } from "./Answer.ts"
export type { Told } from "./Background.ts"
export {
  type BranchKind,
  type Divergence,
  divergenceOf,
  entryIds,
  type KnownConversation,
  type KnownEntry,
  sendsAll
} from "./Divergence.ts"
export type { Ignored, IgnoredCode } from "./Ignored.ts"
export { type GivenResult, type Inbound, type OpenRequests, readInput } from "./Input.ts"
export { pageTools } from "./PageTools.ts"
export { type GivenAnswer, oldResumePath } from "./Resume.ts"
export {
  hasSeen,
  hasTakenAway,
  type SeenMark,
  type Senders,
  type SentTo,
  type ShownEntries,
  seenMarkIn,
  sendersOf
} from "./Seen.ts"
export { emptyThread, forgetTold, maxRemembered, type Thread } from "./Thread.ts"
export { readToolResult } from "./ToolResult.ts"
export * from "./Transcript.ts"
