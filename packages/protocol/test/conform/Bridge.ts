/**
 * The simplest bridges from Claude Code to AG-UI that lose nothing: one goes by what is streamed, one by whole messages
 * only. They are no translator; they are what the fidelity rules must have nothing to say about.
 */
import { type Decoded, decodeLine } from "../../src/claude/Codec.ts"
import { isRecord } from "../../src/wire/Json.ts"
import type { Json } from "./fixtures/Build.ts"

/** How a bridge works: by pieces as they are streamed, or by whole messages. */
export type Style = "streamed" | "whole"

interface OpenBlock {
  readonly kind: "text" | "thinking" | "tool"
  readonly id: string
}

/** What a session becomes. */
export const bridge = (source: Iterable<Decoded>, style: Style): ReadonlyArray<Json> => {
  const events: Array<Json> = []
  let active = false
  let made = 0
  let interrupted = false
  let messageId = ""
  let open = new Map<number, OpenBlock>()
  /** The streamed blocks of each API message that no whole message was seen of yet. */
  const unpaired = new Map<string, Array<OpenBlock>>()
  const subagents = new Set<string>()
  const called = new Set<string>()
  /** What is said again after a reconnect has the uuid it had. */
  const heard = new Set<string>()

  const emit = (event: Json): void => {
    if (!active) events.push({ type: "RUN_STARTED", threadId: "t", runId: `run ${made++}`, protocolVersion: "1.0" })
    active = true
    events.push(event)
  }

  const tag = (parent: unknown): Json => {
    if (typeof parent !== "string") return {}
    if (!subagents.has(parent)) emit({ type: "SUBAGENT_STARTED", subagentRunId: parent, name: "agent" })
    subagents.add(parent)
    return { subagentRunId: parent }
  }

  const start = (kind: OpenBlock["kind"], id: string, name: string, owner: Json): void => {
    if (kind === "text") emit({ type: "TEXT_MESSAGE_START", messageId: id, role: "assistant", ...owner })
    else if (kind === "thinking") emit({ type: "REASONING_MESSAGE_START", messageId: id, role: "reasoning", ...owner })
    else {
      called.add(id)
      emit({ type: "TOOL_CALL_START", toolCallId: id, toolCallName: name, ...owner })
    }
  }

  const content = ({ id, kind }: OpenBlock, delta: string): void => {
    if (kind === "text") emit({ type: "TEXT_MESSAGE_CONTENT", messageId: id, delta })
    else if (kind === "thinking") emit({ type: "REASONING_MESSAGE_CONTENT", messageId: id, delta })
    else emit({ type: "TOOL_CALL_ARGS", toolCallId: id, delta })
  }

  const end = ({ id, kind }: OpenBlock): void => {
    if (kind === "text") emit({ type: "TEXT_MESSAGE_END", messageId: id })
    else if (kind === "thinking") emit({ type: "REASONING_MESSAGE_END", messageId: id })
    else emit({ type: "TOOL_CALL_END", toolCallId: id })
  }

  const endAll = (): void => {
    for (const block of open.values()) end(block)
    open = new Map()
  }

  const takeStreamed = (event: Json): void => {
    const index = Number(event["index"])
    switch (event["type"]) {
      case "message_start":
        endAll()
        messageId = String((event["message"] as Json)["id"])
        break
      case "content_block_start": {
        const block = event["content_block"] as Json
        const kind = kindOf(block["type"])
        if (kind === undefined) break
        // A call that was cut and comes again under its id goes on as it was.
        if (kind === "tool" && called.has(String(block["id"]))) break
        const opened = { kind, id: kind === "tool" ? String(block["id"]) : `${kind} ${made++}` }
        open.set(index, opened)
        unpaired.set(messageId, [...(unpaired.get(messageId) ?? []), opened])
        start(kind, opened.id, String(block["name"]), {})
        const begun = kind === "tool" ? "" : block[kind]
        if (typeof begun === "string" && begun !== "") content(opened, begun)
        break
      }
      case "content_block_delta": {
        const delta = event["delta"] as Json
        const piece = delta["text"] ?? delta["thinking"] ?? delta["partial_json"]
        const block = open.get(index)
        if (block !== undefined && typeof piece === "string") content(block, piece)
        break
      }
      case "content_block_stop": {
        const block = open.get(index)
        if (block !== undefined) end(block)
        open.delete(index)
        break
      }
    }
  }

  const takeWhole = (message: Json): void => {
    const { content: blocks, id } = message["message"] as Json
    for (const block of Array.isArray(blocks) ? blocks.filter(isRecord) : []) {
      const kind = kindOf(block["type"])
      if (kind === undefined) continue
      const left = unpaired.get(String(id)) ?? []
      const pair = left.find((streamed) => streamed.kind === kind && (kind !== "tool" || streamed.id === block["id"]))
      if (pair !== undefined) {
        left.splice(left.indexOf(pair), 1)
        // The whole message comes before content_block_stop, and a result may come between the two.
        for (const [index, block] of open)
          if (block === pair) {
            end(block)
            open.delete(index)
          }
      }
      if (pair !== undefined || (kind === "tool" && called.has(String(block["id"])))) continue
      const whole = { kind, id: kind === "tool" ? String(block["id"]) : `${kind} ${made++}` }
      start(kind, whole.id, String(block["name"]), tag(message["parent_tool_use_id"]))
      content(whole, kind === "tool" ? JSON.stringify(block["input"]) : String(block[kind]))
      end(whole)
    }
  }

  const takeUser = (message: Json): void => {
    const { content: blocks } = message["message"] as Json
    if (JSON.stringify(blocks).includes("[Request interrupted")) interrupted = true
    for (const block of Array.isArray(blocks) ? blocks.filter(isRecord) : []) {
      if (block["type"] !== "tool_result") continue
      const { content: value, is_error, tool_use_id } = block
      emit({
        type: "TOOL_CALL_RESULT",
        messageId: `result ${made++}`,
        toolCallId: tool_use_id,
        content: typeof value === "string" ? value : JSON.stringify(value ?? ""),
        metadata: { is_error: is_error === true }
      })
      if (subagents.delete(String(tool_use_id))) emit({ type: "SUBAGENT_FINISHED", subagentRunId: tool_use_id })
    }
  }

  const finish = (terminal: Json): void => {
    endAll()
    for (const subagentRunId of subagents) emit({ type: "SUBAGENT_FINISHED", subagentRunId })
    subagents.clear()
    emit(terminal)
    active = false
  }

  const takeResult = ({ is_error, stop_reason, subtype, terminal_reason }: Json): void => {
    const started = events.findLast(({ type }) => type === "RUN_STARTED")
    const runId = active ? started?.["runId"] : `run ${made}`
    const finished = { type: "RUN_FINISHED", threadId: "t", runId }
    const stopped = interrupted || String(terminal_reason).startsWith("aborted")
    if (subtype === "success" && (is_error !== true || stop_reason === "refusal")) finish(finished)
    else if (subtype === "error_during_execution" && stopped) finish({ ...finished, outcome: { type: "cancelled" } })
    else finish({ type: "RUN_ERROR", message: String(subtype) })
    interrupted = false
  }

  for (const decoded of source) {
    if (decoded._tag !== "Known") continue
    const { message, name } = decoded as { readonly message: Json; readonly name: string }
    const key = `${name} ${message["uuid"]}`
    if (message["uuid"] !== undefined && heard.has(key)) continue
    heard.add(key)
    if (name.startsWith("stream_event/") && style === "streamed") takeStreamed(message["event"] as Json)
    else if (name === "assistant") takeWhole(message)
    else if (name === "user") takeUser(message)
    else if (name.startsWith("result/")) takeResult(message)
  }
  if (active) finish({ type: "RUN_ERROR", message: "the process ended" })
  return events
}

const kindOf = (type: unknown): OpenBlock["kind"] | undefined =>
  type === "tool_use" ? "tool" : type === "text" || type === "thinking" ? type : undefined

/** The messages of a CLI's output. */
export const decodeAll = (text: string): ReadonlyArray<Decoded> =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, i) => decodeLine(line, i + 1))
