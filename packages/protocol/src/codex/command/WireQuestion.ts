/**
 * Which requests of the server somebody outside has to answer. The others are between programs.
 */
import type { Known } from "../Codec.ts"
import type { MessageOf } from "../Message.ts"

/** The requests of the server that somebody outside has to answer. */
export const questionMethods = [
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "item/permissions/requestApproval",
  "item/tool/requestUserInput",
  "mcpServer/elicitation/request",
  "item/tool/call",
  "execCommandApproval",
  "applyPatchApproval"
] as const

/** A request of the server that somebody outside has to answer. */
export type QuestionMethod = (typeof questionMethods)[number]

/** A line that somebody outside has to answer. */
export type WireQuestion = MessageOf<QuestionMethod>

/** Whether a message is one that somebody outside has to answer. */
export const isQuestion = (known: Known): known is Extract<Known, { readonly name: QuestionMethod }> =>
  (questionMethods as ReadonlyArray<string>).includes(known.name)
