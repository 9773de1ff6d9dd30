/**
 * What a session of Claude Code said, whatever the order and the pieces it came in: utterances, calls, results, ends.
 */
import type { Decoded } from "../../claude/Codec.ts"
import { isRecord } from "../../wire/Json.ts"

/** Something the model said or thought. */
export interface Utterance {
  readonly kind: "text" | "thinking"
  /** What a bridge may show of it: what was streamed, and what the whole message had. */
  readonly wordings: ReadonlyArray<string>
  /** The call whose sub-agent said it; undefined for the main thread. */
  readonly parent: string | undefined
  /** Whether a bridge may leave it out: cut answers that come again, and errors that the end of the run tells too. */
  readonly optional: boolean
  readonly line: number
}

/** A call of a tool. */
export interface SessionCall {
  readonly id: string
  readonly name: string
  /** What was streamed of the arguments, when something was. */
  readonly streamed: string | undefined
  /** The whole input; undefined when the call was cut. */
  readonly input: unknown
  readonly parent: string | undefined
  readonly optional: boolean
  readonly line: number
}

/** The result of a call. */
export interface SessionResult {
  readonly id: string
  readonly texts: ReadonlyArray<string>
  readonly isError: boolean
  readonly parent: string | undefined
  readonly line: number
}

/** How a turn ended. A refusal may be shown as an answer or as an error. */
export type Ending = "success" | "failed" | "stopped" | "refused"

/** What a session said. */
export interface Session {
  readonly utterances: ReadonlyArray<Utterance>
  readonly calls: ReadonlyArray<SessionCall>
  readonly results: ReadonlyArray<SessionResult>
  readonly endings: ReadonlyArray<{ readonly ending: Ending; readonly line: number }>
  /** The line on which a turn began that has no end. */
  readonly unended: number | undefined
}

/** A block of a message while it is streamed. */
interface Block {
  readonly kind: "text" | "thinking" | "tool"
  readonly id: string
  readonly name: string
  text: string
  paired: boolean
  readonly line: number
}

/** Tools of the CLI that only carry the answer, and that a bridge may show as the answer. */
const answerTools: ReadonlySet<string> = new Set(["StructuredOutput"])

/** What the CLI says where there is nothing to say. */
const fillers: ReadonlySet<string> = new Set(["No response requested.", "(no content)"])

/** Reads a session. */
export const readSession = (source: Iterable<Decoded>): Session => {
  const utterances: Array<Utterance & { readonly uuid?: unknown }> = []
  /** The uuids of messages that later ones replaced: a bridge may show them or not. */
  const superseded = new Set<unknown>()
  const calls = new Map<string, SessionCall>()
  const results: Array<SessionResult> = []
  const endings: Array<{ readonly ending: Ending; readonly line: number }> = []
  /** The blocks that were streamed, by API message, then in order. No stream event is a sub-agent's (§5.36). */
  const streamed = new Map<string, Array<Block>>()
  let open = new Map<number, Block>()
  let current: Array<Block> = []
  let interrupted = false
  let turn: number | undefined
  /** After a reconnect of a WebSocket the CLI says again what may have been lost, under the same uuids (§2). */
  const heard = new Set<string>()

  const startBlock = (index: number, block: unknown, line: number): void => {
    if (!isRecord(block)) return
    const { id, name, text, thinking, type } = block
    const kind = type === "tool_use" ? "tool" : type === "text" || type === "thinking" ? type : undefined
    if (kind === undefined) return
    const begun = kind === "text" ? text : kind === "thinking" ? thinking : ""
    const started: Block = {
      kind,
      id: typeof id === "string" ? id : "",
      name: typeof name === "string" ? name : "",
      text: typeof begun === "string" ? begun : "",
      paired: false,
      line
    }
    open.set(index, started)
    current.push(started)
  }

  const pair = (messageId: string, kind: Block["kind"], matches: (block: Block) => boolean): Block | undefined => {
    const blocks = (streamed.get(messageId) ?? []).filter((block) => block.kind === kind && !block.paired)
    const block = blocks.find(matches) ?? (kind === "tool" ? undefined : blocks[0])
    if (block !== undefined) block.paired = true
    return block
  }

  const takeAssistant = (message: AssistantLine, line: number): void => {
    const parent = message.parent_tool_use_id ?? undefined
    const { content, id: messageId, model } = message.message
    for (const uuid of message.supersedes ?? []) superseded.add(uuid)
    const made = message.error !== undefined || message["is_api_error_message"] === true
    for (const block of content) {
      if (!isRecord(block)) continue
      if (block["type"] === "text" || block["type"] === "thinking") {
        const kind = block["type"]
        const whole = block[kind]
        if (typeof whole !== "string") continue
        const part = pair(messageId, kind, ({ text }) => text === whole)
        const wordings = [...new Set([whole, ...(part === undefined ? [] : [part.text])])]
        const hidden = message["is_meta"] === true || message["is_virtual"] === true || message["historical"] === true
        const filler = model === "<synthetic>" && fillers.has(whole.trim())
        utterances.push({ kind, wordings, parent, optional: made || hidden || filler, line, uuid: message["uuid"] })
      } else if (block["type"] === "tool_use" && typeof block["id"] === "string") {
        const { id, input, name } = block
        const part = pair(messageId, "tool", (candidate) => candidate.id === id)
        calls.set(id, {
          id,
          name: String(name),
          streamed: part?.text,
          input: input ?? {},
          parent,
          optional: answerTools.has(String(name)),
          line
        })
      }
    }
  }

  const takeUser = (message: UserLine, line: number): void => {
    const { content } = message.message
    const parent = message.parent_tool_use_id ?? undefined
    if (saysInterrupted(content)) interrupted = true
    if (!Array.isArray(content)) return
    for (const block of content) {
      if (!isRecord(block) || block["type"] !== "tool_result" || typeof block["tool_use_id"] !== "string") continue
      const texts = textsOf(block["content"])
      results.push({ id: block["tool_use_id"], texts, isError: block["is_error"] === true, parent, line })
    }
  }

  for (const decoded of source) {
    if (decoded._tag !== "Known") continue
    const { line, message, name } = decoded
    const { uuid } = message as { readonly uuid?: unknown }
    if (typeof uuid === "string") {
      if (heard.has(`${name} ${uuid}`)) continue
      heard.add(`${name} ${uuid}`)
    }
    switch (name) {
      case "system/init":
        turn ??= line
        break
      case "stream_event/message_start": {
        turn ??= line
        const { id } = message.event.message
        current = streamed.get(id) ?? []
        streamed.set(id, current)
        open = new Map()
        break
      }
      case "stream_event/content_block_start":
        startBlock(message.event.index, message.event.content_block, line)
        break
      case "stream_event/content_block_delta": {
        const block = open.get(message.event.index)
        const delta: Readonly<Record<string, unknown>> = { ...message.event.delta }
        const piece = delta["text"] ?? delta["thinking"] ?? delta["partial_json"]
        if (block !== undefined && typeof piece === "string") block.text += piece
        break
      }
      case "assistant":
        takeAssistant(message as unknown as AssistantLine, line)
        break
      case "user":
        takeUser(message as unknown as UserLine, line)
        break
      default:
        if (name.startsWith("result/")) {
          endings.push({ ending: endingOf(message as unknown as ResultLine, interrupted), line })
          interrupted = false
          turn = undefined
        }
    }
  }
  for (const blocks of streamed.values())
    for (const { id, kind, line, name, paired, text } of blocks) {
      if (paired) continue
      if (kind !== "tool") utterances.push({ kind, wordings: [text], parent: undefined, optional: true, line })
      else if (!calls.has(id))
        calls.set(id, { id, name, streamed: text, input: undefined, parent: undefined, optional: true, line })
    }
  return {
    utterances: utterances.map(({ uuid, ...said }) => (superseded.has(uuid) ? { ...said, optional: true } : said)),
    calls: [...calls.values()],
    results,
    endings,
    unended: turn
  }
}

// What of the lines matters here. Their schemas were checked.
interface AssistantLine extends Readonly<Record<string, unknown>> {
  readonly message: { readonly id: string; readonly model: string; readonly content: ReadonlyArray<unknown> }
  readonly parent_tool_use_id?: string | null
  readonly supersedes?: ReadonlyArray<string>
}
interface UserLine {
  readonly message: { readonly content: unknown }
  readonly parent_tool_use_id?: string | null
}
interface ResultLine {
  readonly subtype: string
  readonly is_error: boolean
  readonly stop_reason?: string | null
  readonly terminal_reason?: string | null
}

const saysInterrupted = (content: unknown): boolean =>
  textsOf(content).some((text) => text.startsWith("[Request interrupted"))

/** The text of a tool_result or of a message: a string, or the text blocks of a list. */
const textsOf = (content: unknown): ReadonlyArray<string> => {
  if (typeof content === "string") return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((block) =>
    isRecord(block) && block["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : []
  )
}

/** How a turn ended: neither `subtype` nor `is_error` alone tells (§5.14, §5.15, §6d). */
const endingOf = ({ is_error, stop_reason, subtype, terminal_reason }: ResultLine, interrupted: boolean): Ending => {
  if (stop_reason === "refusal") return "refused"
  if (subtype === "success") return is_error ? "failed" : "success"
  if (subtype !== "error_during_execution") return "stopped"
  return interrupted || terminal_reason?.startsWith("aborted") === true ? "stopped" : "failed"
}
