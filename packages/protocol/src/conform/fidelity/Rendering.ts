/**
 * What a stream of AG-UI events shows, whatever form it came in: triads, chunks or snapshots.
 */
import type { Dialect } from "../../agui/Dialect.ts"
import { isRecord } from "../../wire/Json.ts"
import { type Chunk, Lanes } from "../rules/Chunk.ts"
import { type Owner, Stream, toolCallIds } from "../Stream.ts"

type Json = Readonly<Record<string, unknown>>

/** A text or reasoning message. */
export interface Shown {
  readonly id: string
  readonly kind: "text" | "thinking"
  readonly owner: Owner
  /** The event that began it. */
  readonly event: Json
  readonly index: number
  text: string
}

/** A tool call. */
export interface ShownCall {
  readonly id: string
  readonly name: string
  readonly owner: Owner
  readonly event: Json
  readonly index: number
  args: string
}

/** A result. */
export interface ShownResult {
  readonly callId: string
  readonly content: unknown
  readonly event: Json
  readonly index: number
}

/** How a run ended. */
export type Terminal = "success" | "interrupt" | "cancelled" | "error" | "abort"

/** What a stream shows. */
export interface Rendering {
  readonly messages: ReadonlyArray<Shown>
  readonly calls: ReadonlyArray<ShownCall>
  readonly results: ReadonlyArray<ShownResult>
  readonly terminals: ReadonlyArray<{ readonly terminal: Terminal; readonly index: number; readonly event: Json }>
  readonly events: number
}

const stringAt = (value: Json, key: string): string | undefined => {
  const found = value[key]
  return typeof found === "string" ? found : undefined
}

/** Reads what a stream shows. Events that are malformed show nothing. */
export const readRendering = (events: Iterable<unknown>, dialect: Dialect): Rendering => {
  const messages = new Map<string, Shown>()
  const calls = new Map<string, ShownCall>()
  let results: Array<ShownResult> = []
  const terminals: Array<{ readonly terminal: Terminal; readonly index: number; readonly event: Json }> = []
  const owners = new Map<string, Owner>()
  const lanes = new Lanes()
  const scratch = new Stream(dialect, undefined, undefined)
  let index = -1
  let current: Json = {}

  const open = (kind: Shown["kind"], id: string, owner: Owner): Shown => {
    const key = `${kind} ${id}`
    let message = messages.get(key)
    if (message === undefined) {
      message = { id, kind, owner, event: current, index, text: "" }
      messages.set(key, message)
    }
    if (kind === "text" && !owners.has(id)) owners.set(id, owner)
    return message
  }

  const openCall = (id: string, name: string, owner: Owner): ShownCall => {
    let call = calls.get(id)
    if (call === undefined) {
      call = { id, name, owner, event: current, index, args: "" }
      calls.set(id, call)
    }
    return call
  }

  /** A snapshot is the whole conversation: clients drop what it leaves out, except reasoning when it has none. */
  const takeSnapshot = (list: unknown): void => {
    if (!Array.isArray(list)) return
    const held: ReadonlyArray<Json> = list.filter(isRecord)
    const ids = new Set(held.map(({ id }) => id))
    const reasons = held.some(({ role }) => role === "reasoning")
    for (const [key, { id, kind }] of messages) if (!ids.has(id) && (kind === "text" || reasons)) messages.delete(key)
    const made = new Set<unknown>()
    for (const message of held) for (const id of toolCallIds(message)) made.add(id)
    for (const id of calls.keys()) if (!made.has(id)) calls.delete(id)
    results = results.filter(({ event }) => ids.has(event["messageId"] ?? event["id"]))
    for (const message of held) takeMessage(message)
  }

  const takeMessage = (message: Json): void => {
    const id = stringAt(message, "id")
    if (id === undefined) return
    const owner = stringAt(message, "subagentRunId")
    const content = stringAt(message, "content")
    const { role } = message
    const kind = role === "assistant" ? "text" : role === "reasoning" ? "thinking" : undefined
    if (kind !== undefined && content !== undefined) open(kind, id, owner).text = content
    const callId = stringAt(message, "toolCallId")
    if (role === "tool" && callId !== undefined && !results.some((result) => result.callId === callId))
      results.push({ callId, content: message["content"], event: message, index })
    for (const call of Array.isArray(message["toolCalls"]) ? message["toolCalls"] : []) {
      if (!isRecord(call) || !isRecord(call["function"])) continue
      const madeId = stringAt(call, "id")
      if (madeId === undefined) continue
      const { arguments: args, name } = call["function"]
      openCall(madeId, String(name), owner).args = String(args)
    }
  }

  const take = (event: Json): void => {
    const owner = stringAt(event, "subagentRunId")
    const messageId = stringAt(event, "messageId")
    const callId = stringAt(event, "toolCallId")
    const delta = stringAt(event, "delta") ?? ""
    switch (event["type"]) {
      case "TEXT_MESSAGE_START":
        // What the producer says in the user's name is not the agent's.
        if (messageId !== undefined && (event["role"] ?? "assistant") === "assistant") open("text", messageId, owner)
        break
      case "TEXT_MESSAGE_CONTENT": {
        const message = messageId === undefined ? undefined : messages.get(`text ${messageId}`)
        if (message !== undefined) message.text += delta
        break
      }
      case "REASONING_MESSAGE_START":
        if (messageId !== undefined) open("thinking", messageId, owner)
        break
      case "REASONING_MESSAGE_CONTENT":
        if (messageId !== undefined) open("thinking", messageId, owner).text += delta
        break
      case "TOOL_CALL_START": {
        const parent = stringAt(event, "parentMessageId")
        const inherited = owner ?? (parent === undefined ? undefined : owners.get(parent))
        if (callId !== undefined) openCall(callId, stringAt(event, "toolCallName") ?? "", inherited)
        break
      }
      case "TOOL_CALL_ARGS":
        if (callId !== undefined) openCall(callId, "", owner).args += delta
        break
      case "TOOL_CALL_RESULT":
        if (callId !== undefined) results.push({ callId, content: event["content"], event, index })
        break
      case "MESSAGES_SNAPSHOT":
        takeSnapshot(event["messages"])
        break
      case "RUN_FINISHED":
        terminals.push({ terminal: finishOf(event["outcome"]), index, event })
        break
      case "RUN_ERROR":
        terminals.push({ terminal: event["code"] === "abort" ? "abort" : "error", index, event })
        break
    }
  }

  for (const event of events) {
    index++
    if (!isRecord(event)) continue
    current = event
    const { type } = event
    if (type === "TEXT_MESSAGE_CHUNK" || type === "TOOL_CALL_CHUNK" || type === "REASONING_MESSAGE_CHUNK") {
      for (const expanded of lanes.expand(event as unknown as Chunk, scratch)) take(expanded as unknown as Json)
      scratch.findings = []
      continue
    }
    lanes.closeBefore(String(type), stringAt(event, "subagentRunId"))
    take(event)
  }
  return { messages: [...messages.values()], calls: [...calls.values()], results, terminals, events: index + 1 }
}

const finishOf = (outcome: unknown): Terminal => {
  const type = isRecord(outcome) ? outcome["type"] : undefined
  return type === "interrupt" || type === "cancelled" ? type : "success"
}
