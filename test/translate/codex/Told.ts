/**
 * What the lines of a session tell of a thread and of its sub-agents: texts, thoughts, calls, their results, the ends of
 * turns. Read off the wire by docs/wire/codex.md, apart from the fold that is judged.
 */
import { type Fields, fields, type Said, type Session, said } from "./Translator.ts"

/** A text or a thought. */
export interface ToldMessage {
  readonly id: string
  readonly kind: "text" | "thinking"
  /** The call that the sub-agent was started by, or null. */
  readonly lane: string | null
  content: string
  /** Its item was completed. */
  whole: boolean
  /** It was never completed, and something cut it: an error, a steer, the end of its turn (§3.12). */
  cut: boolean
}

/** The result of a call. */
export interface ToldResult {
  readonly id: string
  readonly lane: string | null
  /** The line that brings it. */
  readonly index: number
  /** Texts that are in it. */
  readonly pieces: ReadonlyArray<string>
  readonly failed: boolean
}

/** All that is told. */
export interface Told {
  readonly messages: ReadonlyArray<ToldMessage>
  /** The calls by their ids, and the lane of each. */
  readonly calls: ReadonlyMap<string, string | null>
  readonly results: ReadonlyArray<ToldResult>
  /** Prompts of the person, which are texts, too. */
  readonly prompts: ReadonlySet<string>
  /** Commands that end after their turns (§3.13), by the ids of their items. */
  readonly late: ReadonlyMap<string, number>
}

const callTypes: ReadonlyArray<string> = [
  "commandExecution",
  "fileChange",
  "mcpToolCall",
  "dynamicToolCall",
  "collabAgentToolCall",
  "webSearch",
  "imageView",
  "imageGeneration",
  "sleep"
]

/** The threads that are told, and the lane of each: the thread itself, and those that calls on it have started. */
export const lanesOf = (session: Session): ReadonlyMap<string, string | null> => {
  const lanes = new Map<string, string | null>([[session.thread, null]])
  for (const { method, params } of said(session)) {
    const item = fields(params["item"])
    if (method !== "item/completed" || item["tool"] !== "spawnAgent" || !lanes.has(String(params["threadId"]))) continue
    const receivers = Array.isArray(item["receiverThreadIds"]) ? item["receiverThreadIds"] : []
    for (const thread of receivers) if (!lanes.has(String(thread))) lanes.set(String(thread), String(item["id"]))
  }
  return lanes
}

const partsOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const textsIn = (blocks: unknown): ReadonlyArray<string> =>
  Array.isArray(blocks)
    ? blocks.map(fields).flatMap(({ text }) => (typeof text === "string" && text !== "" ? [text] : []))
    : []

const piecesOf = (item: Fields): ReadonlyArray<string> => {
  const { aggregatedOutput, contentItems, error, result, status } = item
  if (typeof aggregatedOutput === "string" && aggregatedOutput !== "") return [aggregatedOutput]
  const message = fields(error)["message"]
  if (typeof message === "string") return [message]
  return status === "declined" ? [] : [...textsIn(contentItems), ...textsIn(fields(result)["content"])]
}

const hasFailed = ({ exitCode, result, status, success }: Fields): boolean =>
  status === "failed" ||
  status === "declined" ||
  success === false ||
  fields(result)["isError"] === true ||
  (typeof exitCode === "number" && exitCode !== 0)

const deltas: Readonly<Record<string, { readonly kind: ToldMessage["kind"]; readonly part: string }>> = {
  "item/agentMessage/delta": { kind: "text", part: "" },
  "item/plan/delta": { kind: "text", part: "" },
  "item/reasoning/summaryTextDelta": { kind: "thinking", part: "summary" },
  "item/reasoning/textDelta": { kind: "thinking", part: "content" }
}

const known = new WeakMap<Session, Told>()

/** What a session tells. */
export const told = (session: Session): Told => {
  const found = known.get(session) ?? new Teller(session).tell()
  known.set(session, found)
  return found
}

class Teller {
  readonly #session: Session
  readonly #lanes: ReadonlyMap<string, string | null>
  readonly #messages = new Map<string, ToldMessage>()
  readonly #open = new Map<string, Set<ToldMessage>>()
  readonly #calls = new Map<string, string | null>()
  readonly #results: Array<ToldResult> = []
  readonly #prompts = new Set<string>()
  readonly #over = new Set<string>()
  readonly #late = new Map<string, number>()

  constructor(session: Session) {
    this.#session = session
    this.#lanes = lanesOf(session)
  }

  tell(): Told {
    for (const each of said(this.#session)) {
      const lane = this.#lanes.get(String(each.params["threadId"]))
      if (lane !== undefined) this.#hear(each, lane)
    }
    for (const thread of this.#lanes.keys()) this.#cut(thread)
    const messages = [...this.#messages.values()].filter(({ content }) => content !== "")
    return { messages, calls: this.#calls, results: this.#results, prompts: this.#prompts, late: this.#late }
  }

  #hear({ index, method, params }: Said, lane: string | null): void {
    const thread = String(params["threadId"])
    const item = fields(params["item"])
    const delta = deltas[method]
    if (delta !== undefined) {
      const message = this.#message(thread, `${String(params["itemId"])} ${delta.part}`, delta.kind, lane)
      const at = params["summaryIndex"] ?? params["contentIndex"] ?? 0
      this.#grow(message, Number(at), String(params["delta"]))
    } else if (method === "item/started") this.#begin(thread, item, lane, String(params["turnId"]))
    else if (method === "item/completed") this.#complete(thread, item, lane, index, String(params["turnId"]))
    // What is asked of the person belongs to no item that is started: it is a call of its own (§3.32).
    else if (/requestUserInput$|permissions\/requestApproval$/.test(method))
      this.#calls.set(String(params["itemId"]), lane)
    else if (method === "error" && params["willRetry"] === true) this.#cut(thread)
    else if (method === "turn/completed") {
      const turn = fields(params["turn"])
      this.#over.add(String(turn["id"]))
      // What is open when a turn is done is as long as it gets; what a turn leaves open that is cut is cut, too.
      if (turn["status"] === "completed") this.#open.delete(thread)
      else this.#cut(thread)
    }
  }

  #parts = new Map<ToldMessage, number>()

  #grow(message: ToldMessage, part: number, piece: string): void {
    const before = this.#parts.get(message) ?? 0
    if (message.kind === "thinking" && part > before && message.content !== "") message.content += "\n\n"
    this.#parts.set(message, part)
    message.content += piece
  }

  #message(thread: string, id: string, kind: ToldMessage["kind"], lane: string | null): ToldMessage {
    const key = `${thread} ${id}`
    const message = this.#messages.get(key) ?? { id, kind, lane, content: "", whole: false, cut: false }
    if (!this.#messages.has(key)) this.#open.set(thread, (this.#open.get(thread) ?? new Set()).add(message))
    this.#messages.set(key, message)
    return message
  }

  /** What is being written on a thread is cut. */
  #cut(thread: string): void {
    for (const message of this.#open.get(thread) ?? []) message.cut = !message.whole
    this.#open.delete(thread)
  }

  #begin(thread: string, item: Fields, lane: string | null, turn: string): void {
    const id = String(item["id"])
    if (item["type"] === "userMessage") this.#cut(thread)
    if (callTypes.includes(String(item["type"])) && !this.#over.has(turn)) this.#calls.set(id, lane)
  }

  #complete(thread: string, item: Fields, lane: string | null, index: number, turn: string): void {
    const { clientId, content, id, summary, text, type } = item
    if (type === "userMessage") {
      for (const prompt of [id, clientId]) if (typeof prompt === "string") this.#prompts.add(prompt)
    } else if (type === "agentMessage" || type === "plan") this.#whole(thread, `${String(id)} `, "text", lane, text)
    else if (type === "reasoning") {
      for (const [part, value] of Object.entries({ summary, content }))
        if (partsOf(value).length > 0)
          this.#whole(thread, `${String(id)} ${part}`, "thinking", lane, partsOf(value).join("\n\n"))
    } else if (callTypes.includes(String(type))) this.#result(item, lane, index, turn)
  }

  #whole(thread: string, id: string, kind: ToldMessage["kind"], lane: string | null, content: unknown): void {
    Object.assign(this.#message(thread, id, kind, lane), { content: String(content), whole: true, cut: false })
  }

  #result(item: Fields, lane: string | null, index: number, turn: string): void {
    const id = String(item["id"])
    if (this.#over.has(turn)) {
      this.#late.set(id, index)
      return
    }
    this.#calls.set(id, lane)
    this.#results.push({ id, lane, index, pieces: piecesOf(item), failed: hasFailed(item) })
  }
}
