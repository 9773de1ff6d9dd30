/**
 * The messages of a request, by what they are for. A request carries the whole conversation each time.
 */
import type { Answer } from "../../model/Request.ts"
import type { Message, ToolMessage, UserMessage } from "../Message.ts"
import { resultId } from "../write/Item.ts"
import type { Instruction } from "./Background.ts"
import { type Ignored, type IgnoredCode, ignoredOf } from "./Ignored.ts"
import { freshFrom, isSaid, type Thread } from "./Thread.ts"
import { readToolResult } from "./ToolResult.ts"
import { saysSomething } from "./Words.ts"

/** The messages by what they are for. */
export interface Sorted {
  /** The new ones of people, in order. */
  readonly users: ReadonlyArray<UserMessage>
  /** All instructions in the request, new or not: they are facts, not events. */
  readonly instructions: ReadonlyArray<{
    readonly message: Instruction
    readonly fresh: boolean
    readonly known: boolean
  }>
  /** The results of calls that wait for one, by the call. */
  readonly results: ReadonlyMap<string, Answer>
  readonly ignored: ReadonlyArray<Ignored>
  /** The ids not to look at again. */
  readonly known: ReadonlyArray<string>
}

/** The calls that tool messages may be about. */
export interface OpenCalls {
  /** Calls of the application's tools that have no result. */
  readonly waiting: ReadonlySet<string>
  /** Calls that a person was asked about. */
  readonly asked: ReadonlySet<string>
}

/** The messages by what they are for. */
export const sortMessages = (
  thread: Thread,
  messages: ReadonlyArray<Message>,
  { asked, waiting }: OpenCalls
): Sorted => {
  const start = freshFrom(thread, messages, ({ toolCallId }) => waiting.has(toolCallId) || asked.has(toolCallId))
  const lastSaid = messages.findLastIndex(isSaid)
  const seen = new Set(thread.known)
  const users: Array<UserMessage> = []
  const instructions: Array<Sorted["instructions"][number]> = []
  const results = new Map<string, Answer>()
  const ignored: Array<Ignored> = []
  const known: Array<string> = []

  const resultCode = (message: ToolMessage, index: number): IgnoredCode | undefined => {
    if (asked.has(message.toolCallId)) return "interrupt-answer"
    if (results.has(message.toolCallId)) return "repeated-result"
    if (waiting.has(message.toolCallId)) return undefined
    // The result of a tool of the agent's own, as it was written for the client.
    if (index < lastSaid || message.id === resultId(message.toolCallId)) return "history"
    return "unmatched-result"
  }

  messages.forEach((message, index) => {
    const { id } = message
    const wasKnown = seen.has(id)
    const ignore = (code: IgnoredCode) => ignored.push(ignoredOf(code, { messageId: id }))
    seen.add(id)
    switch (message.role) {
      case "user":
        if (wasKnown) ignore("known")
        else if (index < start) ignore("history")
        else if (!saysSomething(message.content)) ignore("empty")
        else users.push(message)
        break
      case "developer":
      case "system":
        if (message.content.trim() === "") ignore("empty")
        else instructions.push({ message, known: wasKnown, fresh: index >= start && !wasKnown })
        break
      case "tool": {
        const code = wasKnown ? "known" : resultCode(message, index)
        if (code === undefined) results.set(message.toolCallId, readToolResult(message))
        else ignore(code)
        // The call may still be announced: keep a result that nobody waits for yet.
        if (code === "unmatched-result") return
        break
      }
      default:
        ignore(wasKnown ? "known" : "history")
    }
    known.push(id)
  })
  return { users, instructions, results, ignored, known }
}
