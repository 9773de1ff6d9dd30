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
  /** The messages that are none of the ignored, in order. */
  readonly heard: ReadonlyArray<Message>
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
  const before = new Set(thread.known)
  const users: Array<UserMessage> = []
  const instructions: Array<Sorted["instructions"][number]> = []
  const results = new Map<string, Answer>()
  const heard: Array<Message> = []
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

  /** Whether a message is over and done with, whatever its id is: nearly all are, of a hundred thousand. */
  const isPast = (message: Message, index: number): boolean => {
    switch (message.role) {
      case "user":
        return index < start
      case "tool":
        return index < lastSaid && !waiting.has(message.toolCallId) && !asked.has(message.toolCallId)
      default:
        return isSaid(message)
    }
  }
  const current = new Set<string>()
  messages.forEach((message, index) => {
    if (!isPast(message, index)) current.add(message.id)
  })
  const seen = new Set(before)

  messages.forEach((message, index) => {
    const { id } = message
    let code: IgnoredCode | undefined
    if (isPast(message, index)) {
      code = before.has(id) ? "known" : "history"
      // Of all that is past, only what a current message repeats needs to be remembered here.
      if (current.has(id)) seen.add(id)
    } else {
      const wasKnown = seen.has(id)
      seen.add(id)
      if (message.role === "user") {
        code = wasKnown ? "known" : saysSomething(message.content) ? undefined : "empty"
        if (code === undefined) users.push(message)
      } else if (message.role === "tool") {
        code = wasKnown ? "known" : resultCode(message, index)
        if (code === undefined) results.set(message.toolCallId, readToolResult(message))
      } else if (message.role === "system" || message.role === "developer") {
        code = message.content.trim() === "" ? "empty" : undefined
        if (code === undefined) instructions.push({ message, known: wasKnown, fresh: index >= start && !wasKnown })
      }
    }
    if (code === undefined) heard.push(message)
    else ignored.push(ignoredOf(code, { messageId: id }))
    // The call may still be announced: keep a result that nobody waits for yet.
    if (code !== "unmatched-result") known.push(id)
  })
  return { users, instructions, results, heard, ignored, known }
}
