/** What tool calls do, for both runtimes: files, searches, commands, read from their arguments; and calls in one line. */
export { type CallOutcome, callActions, isFileRead, type ToolCall } from "./Call.ts"
export type { CallAction, CallActionOf } from "./CallAction.ts"
export { shellActions, unwrapShell } from "./ShellActions.ts"
export {
  quoteShellWord,
  readShell,
  type ShellCommand,
  type ShellJoint,
  type ShellRedirection,
  type ShellWord
} from "./ShellWords.ts"
export { maxSummary, summarise } from "./Summary.ts"
