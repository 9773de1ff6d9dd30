/**
 * A history in the making: the one place where a fold over events may write.
 *
 * The history it starts from stays as it is: the list is copied at the first write, messages are replaced and
 * never changed. Where a message is, is looked up in a map that grows with the list, because a fold over a long
 * session asks for every delta; for a single event the map would cost more than it saves.
 */
import type { AssistantMessage, Message, ToolCall } from "./Message.ts"

/** Where a tool call is. */
export interface CallPlace {
  readonly position: number
  readonly message: AssistantMessage
  readonly index: number
  readonly call: ToolCall
}

/** A list of messages that can be written to. */
export class HistoryDraft {
  #messages: Array<Message>
  #owned = false
  readonly #single: boolean
  /** The first position of each message id and of each call id, for as many messages as `#mapped` says. */
  readonly #places = { messages: new Map<string, number>(), calls: new Map<string, number>() }
  #mapped = 0

  /** `single`: one event is applied, so nothing is worth remembering. */
  constructor(messages: ReadonlyArray<Message>, single: boolean) {
    // Copied before the first write.
    this.#messages = messages as Array<Message>
    this.#single = single
  }

  /** The messages as they are now. */
  get messages(): ReadonlyArray<Message> {
    return this.#messages
  }

  /** The position of the first message with this id, or -1. */
  find(id: string): number {
    if (this.#single) return this.#messages.findIndex((message) => message.id === id)
    this.#map()
    return this.#places.messages.get(id) ?? -1
  }

  /** The first call with this id. */
  findCall(id: string): CallPlace | undefined {
    if (!this.#single) this.#map()
    const position = this.#single
      ? this.#messages.findIndex((message) => callsOf(message).some((call) => call.id === id))
      : (this.#places.calls.get(id) ?? -1)
    const message = this.#messages[position]
    if (message?.role !== "assistant") return undefined
    const index = callsOf(message).findIndex((call) => call.id === id)
    const call = message.toolCalls?.[index]
    return call && { position, message, index, call }
  }

  /** Adds a message at the end. */
  push(message: Message): void {
    this.#own().push(message)
  }

  /** Adds a message in the middle. */
  insert(position: number, message: Message): void {
    if (position < this.#messages.length) this.#forget()
    this.#own().splice(position, 0, message)
  }

  /** Replaces a message by one with the same id and the same calls. */
  update(position: number, message: Message): void {
    this.#own()[position] = message
  }

  /** Adds a call to a message. */
  pushCall(position: number, message: AssistantMessage, call: ToolCall): void {
    this.update(position, { ...message, toolCalls: [...callsOf(message), call] })
    if (position < this.#mapped && !this.#places.calls.has(call.id)) this.#places.calls.set(call.id, position)
  }

  /** Replaces a call. */
  updateCall({ index, message, position }: CallPlace, call: ToolCall): void {
    this.update(position, { ...message, toolCalls: callsOf(message).map((each, at) => (at === index ? call : each)) })
  }

  /** Replaces a message by one that need not have its calls. */
  replace(position: number, message: Message): void {
    this.update(position, message)
    this.#forget()
  }

  /** Replaces the whole list. */
  replaceAll(messages: ReadonlyArray<Message>): void {
    this.#messages = [...messages]
    this.#owned = true
    this.#forget()
  }

  #own(): Array<Message> {
    if (!this.#owned) {
      this.#messages = [...this.#messages]
      this.#owned = true
    }
    return this.#messages
  }

  #map(): void {
    const { calls, messages } = this.#places
    for (; this.#mapped < this.#messages.length; this.#mapped++) {
      const message = this.#messages[this.#mapped]
      if (message === undefined) continue
      if (!messages.has(message.id)) messages.set(message.id, this.#mapped)
      for (const { id } of callsOf(message)) if (!calls.has(id)) calls.set(id, this.#mapped)
    }
  }

  #forget(): void {
    this.#places.messages.clear()
    this.#places.calls.clear()
    this.#mapped = 0
  }
}

/** The calls of a message; those of other roles have none. */
const callsOf = (message: Message): ReadonlyArray<ToolCall> =>
  message.role === "assistant" ? (message.toolCalls ?? []) : []
