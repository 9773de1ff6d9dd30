/**
 * The way back in one step: what a client of AG-UI sends, as the lines of Claude Code.
 *
 * The two halves are `agui/read` and `claude/command`. Only the bridge's session still wants them together; with it
 * goes this file.
 */
import type { Interrupt } from "../agui/Interrupt.ts"
import type { ResumeEntry, RunAgentInput } from "../agui/RunInput.ts"
import { readAnswer } from "../agui/read/Answer.ts"
import type { Ignored } from "../agui/read/Ignored.ts"
import { readInput as readRequest } from "../agui/read/Input.ts"
import type { Thread } from "../agui/read/Thread.ts"
import { interruptOf as interruptOfRequest } from "../agui/write/Interrupt.ts"
import type { ControlSuccessResponse } from "../claude/Control.ts"
import { answerResponse } from "../claude/command/Answer.ts"
import { controlSuccess } from "../claude/command/ControlResponse.ts"
import { promptLine } from "../claude/command/Prompt.ts"
import { isToolQuestion, requestOf, type ToolQuestion, type WireQuestion } from "../claude/command/Question.ts"
import { type CallToolResult, callToolResult } from "../claude/command/ToolResult.ts"
import type { User } from "../claude/User.ts"
import type { Answer } from "../model/Request.ts"

export { emptyThread, maxRemembered, type Thread } from "../agui/read/Thread.ts"
export type { CallToolResult } from "../claude/command/ToolResult.ts"

/** A request of the CLI that may become an interrupt. */
export type Question = WireQuestion

/** A request that asks about a tool call. */
export type PermissionQuestion = ToolQuestion

/** Whether a request is about a tool call. */
export const isPermission: (question: Question) => question is PermissionQuestion = isToolQuestion

/** The interrupt for a request. */
export const interruptOf = (question: Question): Interrupt => interruptOfRequest(requestOf(question))

/** The line that answers a request, and why the payload was not understood, when it was not. */
export const answerTo = (
  question: Question,
  entry: Pick<ResumeEntry, "status"> & { readonly payload?: unknown }
): { readonly line: ControlSuccessResponse; readonly misunderstood?: string } => {
  const { answer, ...more } = readAnswer(requestOf(question), entry)
  return { line: answerLine(question, answer), ...more }
}

const answerLine = (question: Question, answer: Answer): ControlSuccessResponse =>
  controlSuccess(question.request_id, answerResponse(question, answer))

/** What a request to run means, in lines. */
export interface Inbound {
  readonly thread: Thread
  readonly prompt?: User
  readonly toolResults: ReadonlyArray<{ readonly toolCallId: string; readonly result: CallToolResult }>
  readonly answers: ReadonlyArray<{ readonly interruptId: string; readonly line: ControlSuccessResponse }>
  readonly ignored: ReadonlyArray<Ignored>
}

/** What a request to run means, given what is known and what is pending. */
export const readInput = (
  thread: Thread,
  input: RunAgentInput,
  pending: { readonly questions?: ReadonlyArray<Question>; readonly toolCallIds?: ReadonlyArray<string> } = {},
  { promptUuid }: { readonly promptUuid?: string } = {}
): Inbound => {
  const { questions = [], toolCallIds = [] } = pending
  const read = readRequest(thread, input, { requests: questions.map((each) => requestOf(each)), toolCallIds })
  return {
    thread: read.thread,
    ...(read.prompt !== undefined && { prompt: promptLine(read.prompt, promptUuid) }),
    toolResults: read.results.map(({ answer, toolCallId }) => ({ toolCallId, result: callToolResult(answer) })),
    answers: read.answers.flatMap(({ answer, id }) => {
      const question = questions.find(({ request_id }) => request_id === id)
      return question === undefined ? [] : [{ interruptId: id, line: answerLine(question, answer) }]
    }),
    ignored: read.ignored
  }
}
