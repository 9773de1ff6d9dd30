/**
 * The way back: what a client's request to run means for Claude Code.
 *
 * A request carries the whole conversation each time, and the answers to what the last run left open. This takes
 * out what is new: a prompt, results of frontend tools, answers to interrupts. Everything else is listed with the
 * reason why it was left, so nothing a person did is lost in silence.
 */
import * as Schema from "effect/Schema"
import type { Message, ToolMessage, UserMessage } from "../agui/Message.ts"
import type { ResumeEntry, RunAgentInput } from "../agui/RunInput.ts"
import type { User } from "../claude/User.ts"
import { decodePayload } from "../wire/Codec.ts"
import { open, optional } from "../wire/Open.ts"
import { type AnswerOptions, answerTo, type InterruptAnswer } from "./Answer.ts"
import { type Instruction, isTold, tellContext, tellInstruction, tellState } from "./Background.ts"
import { type FrontendResult, frontendResult } from "./FrontendResult.ts"
import { type PromptBlock, promptBlocks, promptLine, slashCommand } from "./Prompt.ts"
import { isPermission, type Question } from "./Question.ts"
import { freshFrom, isSaid, rememberIds, type Thread } from "./Thread.ts"

/** What Claude Code waits for. */
export interface Pending {
  /** The requests that were sent as interrupts. */
  readonly questions?: ReadonlyArray<Question>
  /**
   * The ids of the frontend tool calls that were announced and have no result, also of those the CLI has not asked
   * for yet: it asks for one after the other, the client answers all at once (docs/wire/claude-code.md §7).
   */
  readonly toolCallIds?: ReadonlyArray<string>
}

/** What a caller may choose about reading a request. */
export interface ReadOptions extends AnswerOptions {
  /** The `uuid` of the prompt's line. See `promptLine` before giving one. */
  readonly promptUuid?: string
}

/** Why something in a request was left. The codes are stable. */
export type IgnoredCode =
  /** The message was in an earlier request. */
  | "known"
  /** The message stands before something the agent said, or is the agent's own. */
  | "history"
  /** The message says nothing. */
  | "empty"
  /** The instruction has been told in the same words. */
  | "told"
  /** The instruction waits for a prompt to go with. */
  | "waiting"
  /** The tool message repeats the answer to an interrupt, as CopilotKit adds it (docs/wire/ag-ui.md §0 item 8). */
  | "interrupt-answer"
  /** No call waits for this result. */
  | "unmatched-result"
  /** The call has a result in the same request. */
  | "repeated-result"
  /** No interrupt of this id waits for an answer. */
  | "unknown-interrupt"
  /** The interrupt has been answered. */
  | "repeated-answer"
  /** An answer in the old form that does not say which of several interrupts it is for. */
  | "ambiguous-answer"

/** Something in a request that was left, and why. */
export type Ignored = { readonly code: IgnoredCode; readonly message: string } & (
  | { readonly messageId: string }
  | { readonly interruptId: string }
)

/** What a request means. Send the answers and results first: they belong to the turn that waits. */
export interface Inbound {
  /** What to remember for the next request. */
  readonly thread: Thread
  /** The line to send, when the person or the application said something new. */
  readonly prompt?: User
  readonly toolResults: ReadonlyArray<FrontendResult>
  readonly answers: ReadonlyArray<InterruptAnswer>
  readonly ignored: ReadonlyArray<Ignored>
}

/** What a request means, given what is known and what is pending. The same request a second time means nothing new. */
export const readInput = (
  thread: Thread,
  input: RunAgentInput,
  pending: Pending = {},
  options: ReadOptions = {}
): Inbound => {
  const resumed = readResume(thread, input, pending.questions ?? [], options)
  const sorted = sortMessages(thread, input.messages, pending)
  const spoken = speak(thread, input, sorted, options)
  return {
    thread: {
      known: rememberIds(thread.known, sorted.known),
      answered: rememberIds(
        thread.answered,
        resumed.answers.map(({ interruptId }) => interruptId)
      ),
      told: spoken.told
    },
    ...(spoken.prompt !== undefined && { prompt: spoken.prompt }),
    toolResults: sorted.results,
    answers: resumed.answers,
    ignored: [...resumed.ignored, ...sorted.ignored, ...spoken.ignored]
  }
}

const reasons: Readonly<Record<IgnoredCode, string>> = {
  known: "the message was in an earlier request",
  history: "the message stands before something the agent said, or is the agent's own",
  empty: "the message says nothing",
  told: "the agent has been told this in the same words",
  waiting: "there is no prompt it could go with; it goes with the next one",
  "interrupt-answer": "the tool message repeats the answer to an interrupt",
  "unmatched-result": "no call waits for this result",
  "repeated-result": "the call has a result already",
  "unknown-interrupt": "no interrupt of this id waits for an answer",
  "repeated-answer": "the interrupt has been answered",
  "ambiguous-answer": "several interrupts wait, and the answer does not say which it is for"
}

const left = (code: IgnoredCode, what: { readonly messageId: string } | { readonly interruptId: string }): Ignored => ({
  code,
  message: reasons[code],
  ...what
})

// The form of CopilotKit before interrupts were in the protocol (docs/wire/ag-ui.md §4.5).
const OldResume = open({
  command: open({ resume: Schema.Unknown, interruptEvent: optional(Schema.Unknown) })
})
const Identified = open({ id: Schema.String })

const readResume = (
  thread: Thread,
  input: RunAgentInput,
  questions: ReadonlyArray<Question>,
  options: ReadOptions
): Pick<Inbound, "answers" | "ignored"> => {
  const done = new Set(thread.answered)
  const answers: Array<InterruptAnswer> = []
  const ignored: Array<Ignored> = []
  const take = (interruptId: string, entry: Pick<ResumeEntry, "status"> & { readonly payload?: unknown }) => {
    const question = questions.find(({ request_id }) => request_id === interruptId)
    if (done.has(interruptId)) ignored.push(left("repeated-answer", { interruptId }))
    else if (question === undefined) ignored.push(left("unknown-interrupt", { interruptId }))
    else {
      done.add(interruptId)
      answers.push(answerTo(question, entry, options))
    }
  }
  for (const entry of input.resume ?? []) take(entry.interruptId, entry)
  const old = decodePayload(OldResume, input.forwardedProps)
  if (old._tag === "Known" && Object.hasOwn(old.value.command, "resume")) {
    const { interruptEvent, resume } = old.value.command
    const event = decodePayload(Identified, interruptEvent)
    const waiting = questions.filter(({ request_id }) => !done.has(request_id))
    const id = event._tag === "Known" ? event.value.id : waiting.length === 1 ? waiting[0]?.request_id : undefined
    if (id !== undefined) take(id, { status: "resolved", payload: resume })
    else
      ignored.push(
        left(waiting.length === 0 ? "unknown-interrupt" : "ambiguous-answer", { interruptId: oldResumePath })
      )
  }
  return { answers, ignored }
}

/** What stands for the id of an interrupt where the old form names none. */
export const oldResumePath = "forwardedProps.command.resume"

/** The messages by what they are for. */
interface Sorted {
  /** The new ones of people, in order. */
  readonly users: ReadonlyArray<UserMessage>
  /** All instructions in the request, new or not: they are facts, not events. */
  readonly instructions: ReadonlyArray<{
    readonly message: Instruction
    readonly fresh: boolean
    readonly known: boolean
  }>
  readonly results: ReadonlyArray<FrontendResult>
  readonly ignored: ReadonlyArray<Ignored>
  /** The ids not to look at again. */
  readonly known: ReadonlyArray<string>
}

const sortMessages = (thread: Thread, messages: ReadonlyArray<Message>, pending: Pending): Sorted => {
  const calls = new Set(pending.toolCallIds)
  const asked = new Set((pending.questions ?? []).filter(isPermission).map(({ request }) => request.tool_use_id))
  const start = freshFrom(thread, messages, ({ toolCallId }) => calls.has(toolCallId) || asked.has(toolCallId))
  const lastSaid = messages.findLastIndex(isSaid)
  const seen = new Set(thread.known)
  const users: Array<UserMessage> = []
  const instructions: Array<Sorted["instructions"][number]> = []
  const results = new Map<string, FrontendResult>()
  const ignored: Array<Ignored> = []
  const known: Array<string> = []

  const resultCode = (message: ToolMessage, index: number): IgnoredCode | undefined => {
    if (asked.has(message.toolCallId)) return "interrupt-answer"
    if (results.has(message.toolCallId)) return "repeated-result"
    if (calls.has(message.toolCallId)) return undefined
    return index < lastSaid ? "history" : "unmatched-result"
  }

  messages.forEach((message, index) => {
    const { id } = message
    const wasKnown = seen.has(id)
    const ignore = (code: IgnoredCode) => ignored.push(left(code, { messageId: id }))
    seen.add(id)
    switch (message.role) {
      case "user":
        if (wasKnown) ignore("known")
        else if (index < start) ignore("history")
        else if (promptBlocks(message.content).length === 0) ignore("empty")
        else users.push(message)
        break
      case "developer":
      case "system":
        if (message.content.trim() === "") ignore("empty")
        else instructions.push({ message, known: wasKnown, fresh: index >= start && !wasKnown })
        break
      case "tool": {
        const code = wasKnown ? "known" : resultCode(message, index)
        if (code === undefined) results.set(message.toolCallId, frontendResult(message))
        else ignore(code)
        // The call may still be announced: a result that nobody waits for yet is not done with.
        if (code === "unmatched-result") return
        break
      }
      default:
        ignore(wasKnown ? "known" : "history")
    }
    known.push(id)
  })
  return { users, instructions, results: [...results.values()], ignored, known }
}

interface Spoken {
  readonly told: Thread["told"]
  readonly prompt?: User
  readonly ignored: ReadonlyArray<Ignored>
}

const speak = (
  thread: Thread,
  { context = [], state }: RunAgentInput,
  { instructions, users }: Sorted,
  { promptUuid }: ReadOptions
): Spoken => {
  const words = users.flatMap(({ content }) => promptBlocks(content))
  const isTrigger = words.length === 0 && instructions.some(({ fresh }) => fresh)
  const ignored: Array<Ignored> = []
  const silent = (words.length === 0 && !isTrigger) || slashCommand(words) !== undefined
  let told = thread.told
  const asides: Array<string> = []
  const tell = ([next, text]: readonly [Thread["told"], string | undefined]) => {
    told = next
    if (text !== undefined) asides.push(text)
  }
  for (const { fresh, known, message } of instructions) {
    // With nothing else to say, an application that says the same again means it.
    const repeated = isTold(told, message) && !(isTrigger && fresh)
    if (!repeated && !silent) tell(tellInstruction(told, message))
    else ignored.push(left(repeated ? (known ? "known" : "told") : "waiting", { messageId: message.id }))
  }
  if (!silent) {
    tell(tellContext(told, context))
    tell(tellState(told, state))
  }
  const aside: ReadonlyArray<PromptBlock> = asides.length === 0 ? [] : [{ type: "text", text: asides.join("\n\n") }]
  const blocks = [...aside, ...words]
  return { told, ignored, ...(blocks.length > 0 && { prompt: promptLine(blocks, promptUuid) }) }
}
