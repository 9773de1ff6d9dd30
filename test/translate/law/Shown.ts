/**
 * What the events of a translation show, put together by id: messages, calls, results. Simpler than a client's fold,
 * and without its forgiveness: what does not fit together is kept apart.
 */
import { Agui } from "@agentwire/protocol"

/** A text or a thought as it was shown. */
export interface ShownMessage {
  readonly id: string
  readonly kind: "text" | "thinking"
  /** The sub-agent's call, or null. */
  readonly lane: string | null
  content: string
  sealed: string
  /** The last that was said of it is that it was abandoned. */
  abandoned: boolean
}

/** A call as it was shown. */
export interface ShownCall {
  readonly id: string
  readonly name: string
  readonly lane: string | null
  readonly parent: string | undefined
  args: string
  abandoned: boolean
}

/** All that was shown, in the order it began. */
export interface Shown {
  readonly messages: ReadonlyMap<string, ShownMessage>
  readonly calls: ReadonlyMap<string, ShownCall>
  readonly results: ReadonlyArray<Agui.AguiEventOf<"TOOL_CALL_RESULT">>
}

/** The lane of an event: a sub-agent that speaks again after its end has a number behind its call's id. */
export const laneOfEvent = (event: Agui.AguiEvent): string | null =>
  "subagentRunId" in event && typeof event.subagentRunId === "string" ? event.subagentRunId.replace(/#\d+$/, "") : null

/** What the events show. */
export const shown = (events: ReadonlyArray<Agui.AguiEvent>): Shown => {
  const messages = new Map<string, ShownMessage>()
  const calls = new Map<string, ShownCall>()
  const results: Array<Agui.AguiEventOf<"TOOL_CALL_RESULT">> = []
  const open = (id: string, kind: ShownMessage["kind"], lane: string | null): void => {
    if (!messages.has(id)) messages.set(id, { id, kind, lane, content: "", sealed: "", abandoned: false })
  }
  const mark = (event: Agui.AguiEvent, entry: { abandoned: boolean } | undefined): void => {
    if (entry !== undefined) entry.abandoned = event.metadata?.["abandoned"] === true
  }
  for (const event of events)
    switch (event.type) {
      case "TEXT_MESSAGE_START":
        open(event.messageId, "text", laneOfEvent(event))
        break
      case "REASONING_MESSAGE_START":
        open(event.messageId, "thinking", laneOfEvent(event))
        break
      case "TEXT_MESSAGE_CONTENT":
      case "REASONING_MESSAGE_CONTENT": {
        const message = messages.get(event.messageId)
        if (message !== undefined) message.content += event.delta
        break
      }
      case "TEXT_MESSAGE_END":
      case "REASONING_MESSAGE_END":
        mark(event, messages.get(event.messageId))
        break
      case "REASONING_ENCRYPTED_VALUE": {
        const message = messages.get(event.entityId)
        if (message !== undefined) message.sealed = event.encryptedValue
        break
      }
      case "TOOL_CALL_START":
        if (!calls.has(event.toolCallId))
          calls.set(event.toolCallId, {
            id: event.toolCallId,
            name: event.toolCallName,
            lane: laneOfEvent(event),
            parent: event.parentMessageId,
            args: "",
            abandoned: false
          })
        break
      case "TOOL_CALL_ARGS": {
        const call = calls.get(event.toolCallId)
        if (call !== undefined) call.args += event.delta
        break
      }
      case "TOOL_CALL_END":
        mark(event, calls.get(event.toolCallId))
        break
      case "TOOL_CALL_RESULT":
        results.push(event)
        break
      case "CUSTOM":
        if (event.name === "message_abandoned") {
          const { id } = event.value as { readonly id: string }
          const entry = messages.get(id) ?? calls.get(id)
          if (entry !== undefined) entry.abandoned = true
        }
        break
    }
  for (const [id, message] of messages) {
    message.content = withoutHalf(message.content)
    if (message.content === "" && message.sealed === "") messages.delete(id)
  }
  for (const call of calls.values()) call.args = withoutHalf(call.args)
  return { messages, calls, results }
}

/**
 * Text without half a character at its end. What was cut within a character may end in one or not: nobody can show it,
 * and UTF-8 cannot write it.
 */
export const withoutHalf = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, "")

/** The pieces of a tool's result in order: texts, and the data of media. */
export const piecesOf = (content: Agui.Content): ReadonlyArray<string> =>
  typeof content === "string"
    ? [content]
    : content.map((part) => (part.type === "text" ? part.text : part.source.value))

/** Whether a string is JSON. */
export const parsedJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The folded messages a client has, by lane and without what only marks them. */
export const folded = (events: ReadonlyArray<Agui.AguiEvent>): ReadonlyArray<Agui.Message> =>
  Agui.foldEvents(events).messages
