/**
 * Tells rollouts as events of the model: each line is what the app-server had said of it, and goes through the same fold. So
 * ids, results, sub-agents and notices are those of the wire. What only passed by (deltas, questions and their answers) is
 * not in a rollout; docs/wire/codex.md §7 has the table of what differs.
 */
import type { Event } from "../../model/Event.ts"
import { fieldsIn, listIn, textIn } from "../../wire/Fields.ts"
import { isRecord } from "../../wire/Json.ts"
import { decodeValue } from "../Codec.ts"
import { Dialogue, type Side } from "../Dialogue.ts"
import { endFold, foldMessage } from "../fold/Fold.ts"
import { type FoldState, initialFold } from "../fold/State.ts"
import { callIn, endOf, itemOfCall, outputIn } from "./Calls.ts"
import type { KnownRolloutLine } from "./Line.ts"
import type { RolloutFacts, RolloutLine } from "./Reader.ts"
import { camelKeys, camelWord, changesOf, wireItem } from "./WireItem.ts"

/** An event, and when it happened, in milliseconds since 1970. */
export interface TimedEvent {
  readonly at: number
  readonly event: Event
  /** The id of the turn that it is the end of, where the rollout says so. */
  readonly turn?: string
}

/** A line, and the thread that it is told of: a fork repeats lines of another one. */
export interface ToldLine extends RolloutLine {
  readonly thread: string
}

type Fields = Readonly<Record<string, unknown>>

interface Message {
  readonly method: string
  readonly params: Fields
}

/** What some lines tell, in their order. `facts`: of the main thread. */
export const tellRollout = (
  facts: RolloutFacts & { readonly threadId: string },
  lines: ReadonlyArray<ToldLine>
): ReadonlyArray<TimedEvent> => {
  const teller = new Teller(facts, lines)
  for (const line of lines) teller.tell(line)
  return teller.end()
}

class Teller {
  readonly #dialogue = new Dialogue()
  readonly #events: Array<TimedEvent> = []
  readonly #facts: RolloutFacts & { readonly threadId: string }
  /** The items of the rollouts, as the wire has them, by thread and id. */
  readonly #items = new Map<string, Fields>()
  /** Threads whose rollouts have items. */
  readonly #withItems = new Set<string>()
  /** Calls that nobody let run. */
  readonly #refused = new Set<string>()
  /** Turns that end. */
  readonly #ending = new Set<string>()
  /** Turns that somebody has asked for. */
  readonly #prompted = new Set<string>()
  readonly #announced = new Set<string>()
  readonly #settings = new Map<string, string>()
  #state: FoldState
  #turn = ""
  #compacted = false
  #at = 0
  #nth = 0
  /** The turn whose end is told. */
  #ended: string | undefined

  constructor(facts: RolloutFacts & { readonly threadId: string }, lines: ReadonlyArray<ToldLine>) {
    this.#facts = facts
    this.#state = initialFold({ threadId: facts.threadId })
    for (const { said, thread } of lines) {
      const told = outputIn(said)
      if (told !== undefined && endOf(told.output).status === "declined") this.#refused.add(`${thread} ${told.id}`)
      if (said.name === "event_msg/task_complete" || said.name === "event_msg/turn_aborted")
        this.#ending.add(said.message.payload.turn_id ?? "")
      if (said.name !== "event_msg/item_completed") continue
      const { item, turn_id: turn } = said.message.payload
      this.#items.set(`${thread} ${item.id}`, wireItem(item))
      this.#withItems.add(thread)
      if (item.type === "UserMessage" && turn !== undefined) this.#prompted.add(turn)
    }
    const { cwd, provider, threadId, version } = facts
    this.#at = lines[0]?.at ?? 0
    this.#say({
      method: "thread/started",
      params: { thread: { id: threadId, cwd: cwd ?? "", cliVersion: version ?? "", modelProvider: provider ?? "" } }
    })
  }

  /** Tells a line. */
  tell({ at, said, thread }: ToldLine): void {
    this.#at = at
    const messages = this.#messagesOf(said, thread)
    if (thread === this.#facts.threadId) this.#ended = turnEndedBy(said)
    for (const message of messages) this.#say(message)
    this.#ended = undefined
  }

  /** All that was told, when no more lines come. */
  end(): ReadonlyArray<TimedEvent> {
    this.#over()
    return this.#events
  }

  /** No more comes of the process that wrote until now. */
  #over(): void {
    const [state, events] = endFold(this.#state, { type: "exit", code: 0 })
    this.#state = state
    this.#push(events)
  }

  #messagesOf(said: KnownRolloutLine, thread: string): ReadonlyArray<Message> {
    const message = (method: string, params: Fields): Message => ({ method, params: { threadId: thread, ...params } })
    switch (said.name) {
      case "turn_context":
        return this.#settingsOf(thread, camelKeys(said.message.payload))
      case "event_msg/task_started": {
        // Of the turn before nothing says how it ended: its process did.
        if (thread === this.#facts.threadId && this.#state.turn?.ids.some((id) => this.#ending.has(id)) === false)
          this.#over()
        this.#turn = said.message.payload.turn_id ?? `turn ${++this.#nth}`
        this.#compacted = false
        if (this.#prompted.has(this.#turn) && thread === this.#facts.threadId)
          this.#say({ method: "turn/start", params: { threadId: thread, input: [] } }, "client")
        const root = textIn(fieldsIn(said.message.payload)["root_turn_id"])
        const turn = {
          id: this.#turn,
          items: [],
          status: "inProgress",
          ...(root !== undefined && { rootTurnId: root })
        }
        return [message("turn/started", { turn })]
      }
      case "event_msg/task_complete": {
        const { error, turn_id: id = this.#turn } = fieldsIn(said.message.payload)
        const status = isRecord(error) ? "failed" : "completed"
        return [message("turn/completed", { turn: { id, items: [], status, error: errorOf(error) } })]
      }
      case "event_msg/turn_aborted": {
        const { turn_id: id = this.#turn } = said.message.payload
        return [message("turn/completed", { turn: { id, items: [], status: "interrupted", error: null } })]
      }
      case "event_msg/item_completed": {
        const { item, turn_id: turnId = this.#turn } = said.message.payload
        this.#compacted ||= item.type === "ContextCompaction"
        return [message("item/completed", { turnId, item: wireItem(item) })]
      }
      case "event_msg/token_count": {
        const { last_token_usage: last, total_token_usage: total } = fieldsIn(fieldsIn(said.message.payload)["info"])
        if (!isRecord(last) || !isRecord(total)) return []
        const tokenUsage = { last: camelKeys(last), total: camelKeys(total) }
        return [message("thread/tokenUsage/updated", { turnId: this.#turn, tokenUsage })]
      }
      case "compacted":
        // Where there are items, one of them says so, later.
        return this.#withItems.has(thread) || this.#compacted
          ? []
          : [this.#completed(thread, { type: "contextCompaction", id: `${this.#turn}:compaction:${++this.#nth}` })]
      case "response_item/function_call":
      case "response_item/custom_tool_call":
        return this.#called(said, thread)
      case "response_item/function_call_output":
      case "response_item/custom_tool_call_output":
        return this.#answered(said, thread)
      default:
        return this.#withItems.has(thread) ? [] : this.#early(said, thread)
    }
  }

  /** What a thread says about itself, if it is news. */
  #settingsOf(threadId: string, { approvalPolicy, cwd, model }: Fields): ReadonlyArray<Message> {
    const threadSettings = { model, cwd, approvalPolicy }
    const now = JSON.stringify(threadSettings)
    if (this.#settings.get(threadId) === now) return []
    this.#settings.set(threadId, now)
    return [{ method: "thread/settings/updated", params: { threadId, threadSettings } }]
  }

  /** The model makes a call: the item of it, if there is one, comes when it has run. */
  #called(said: KnownRolloutLine, thread: string): ReadonlyArray<Message> {
    const call = callIn(said)
    if (call === undefined) return []
    if (call.tool === "update_plan") return planOf(thread, this.#turn, call.input)
    const own = this.#items.get(`${thread} ${call.id}`)
    const item = own ?? itemOfCall(call, this.#facts.cwd)
    // A patch that could not be read is none.
    const isUnread = own === undefined && item?.["type"] === "fileChange" && !this.#refused.has(`${thread} ${call.id}`)
    if (item === undefined || (isUnread && this.#withItems.has(thread))) return []
    this.#announced.add(`${thread} ${call.id}`)
    const begun = { ...item, status: "inProgress" }
    return [{ method: "item/started", params: { threadId: thread, turnId: this.#turn, item: begun } }]
  }

  /** What the model was told of a call: enough where there is no item. */
  #answered(said: KnownRolloutLine, thread: string): ReadonlyArray<Message> {
    const told = outputIn(said)
    if (told === undefined || !this.#announced.has(`${thread} ${told.id}`)) return []
    if (this.#items.has(`${thread} ${told.id}`)) return []
    const known = this.#state.calls.get(told.id)
    if (known === undefined) return []
    const item = { type: known.type, id: told.id, ...known.input, commandActions: [], ...endOf(told.output) }
    return [this.#completed(thread, item)]
  }

  /** A line of a rollout without items: 0.150.1 wrote those. */
  #early(said: KnownRolloutLine, thread: string): ReadonlyArray<Message> {
    switch (said.name) {
      case "event_msg/user_message": {
        const content = [{ type: "text", text: said.message.payload.message, text_elements: [] }]
        return [this.#completed(thread, { type: "userMessage", id: `${this.#turn}:user:${++this.#nth}`, content })]
      }
      case "response_item/message": {
        const { content, id, role } = fieldsIn(said.message.payload)
        const text = listIn(content)
          .map((part) => textIn(fieldsIn(part)["text"]) ?? "")
          .join("")
        if (role !== "assistant") return []
        return [this.#completed(thread, { type: "agentMessage", id: textIn(id) ?? `text ${++this.#nth}`, text })]
      }
      case "response_item/reasoning": {
        const { content, id, summary } = fieldsIn(said.message.payload)
        const texts = (parts: unknown) => listIn(parts).map((part) => textIn(fieldsIn(part)["text"]) ?? "")
        const item = { summary: texts(summary), content: texts(content) }
        return [this.#completed(thread, { type: "reasoning", id: textIn(id) ?? `thought ${++this.#nth}`, ...item })]
      }
      case "event_msg/patch_apply_end": {
        const { call_id: id, changes, success } = fieldsIn(said.message.payload)
        const status = success === false ? "failed" : "completed"
        return [this.#completed(thread, { type: "fileChange", id, changes: changesOf(changes), status })]
      }
      case "event_msg/mcp_tool_call_end": {
        const { call_id: id, invocation, result } = fieldsIn(said.message.payload)
        const { arguments: given, server, tool } = fieldsIn(invocation)
        const { Err: failure, Ok: answer } = fieldsIn(result)
        const item = { server, tool, arguments: given ?? {}, result: answer ?? null }
        const error = failure === undefined ? null : { message: textIn(failure) ?? "" }
        const status = failure === undefined ? "completed" : "failed"
        return [this.#completed(thread, { type: "mcpToolCall", id, ...item, error, status })]
      }
      default:
        return []
    }
  }

  #completed(threadId: string, item: Fields): Message {
    return { method: "item/completed", params: { threadId, turnId: this.#turn, item } }
  }

  #say(message: Message, from: Side = "server"): void {
    const value = from === "client" ? { id: `prompt ${++this.#nth}`, ...message } : message
    const [state, events] = foldMessage(this.#state, this.#dialogue.heed(from, decodeValue(value)))
    this.#state = state
    this.#push(events)
  }

  #push(events: ReadonlyArray<Event>): void {
    const turn = this.#ended
    for (const event of events)
      this.#events.push({ at: this.#at, event, ...(turn !== undefined && event.type === "turn_ended" && { turn }) })
  }
}

const turnEndedBy = (said: KnownRolloutLine): string | undefined =>
  said.name === "event_msg/task_complete" || said.name === "event_msg/turn_aborted"
    ? said.message.payload.turn_id
    : undefined

const errorOf = (error: unknown): Fields | null => {
  if (!isRecord(error)) return null
  const { codex_error_info: info, message } = error
  const code = isRecord(info) ? camelKeys(info) : camelWord(info)
  return { message: textIn(message) ?? "", codexErrorInfo: code ?? null, additionalDetails: null }
}

const planOf = (threadId: string, turnId: string, { explanation, plan }: Fields): ReadonlyArray<Message> => {
  const steps = listIn(plan).map((each) => {
    const { status, step } = fieldsIn(each)
    return { step: textIn(step) ?? "", status: camelWord(status) }
  })
  return [
    { method: "turn/plan/updated", params: { threadId, turnId, explanation: textIn(explanation) ?? null, plan: steps } }
  ]
}
