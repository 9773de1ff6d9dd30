/**
 * A client of the gateway that was written from docs/gateway.md alone: what it has of a conversation after some events, or
 * after the messages of a history. It knows nothing of the model, nor of the writer.
 */

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Something that was said or done, as this client has it. */
export interface Entry {
  readonly kind: "prompt" | "text" | "thinking" | "tool_use" | "tool_result" | "task"
  readonly id: string
  readonly by: string | null
  value: Record<string, unknown>
}

/** What an event is on the wire. */
export interface Told {
  readonly event: string
  readonly payload: Json
}

const textKeys: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "signature",
  input_json_delta: "partial_json"
}

/** A client, and what it holds against the server. */
export class ReadingClient {
  readonly entries: Array<Entry> = []
  /** What is not as it was promised. */
  readonly faults: Array<string> = []
  /** How turns ended. */
  readonly stops: Array<Json> = []
  readonly questions = new Map<string, Json>()
  inTurn = false
  /** The blocks of the messages that are open, by who speaks. */
  readonly #open = new Map<string | null, Map<number, Entry>>()
  #at: readonly [seq: number, part: number] = [-2, 0]

  /** The messages of a history. */
  history(messages: ReadonlyArray<Json>): void {
    for (const message of messages)
      for (const block of message["content"] as ReadonlyArray<Json>) {
        const by = message["parent_tool_use_id"] as string | null
        if (message["role"] === "user" && block["type"] !== "tool_result")
          this.#say("prompt", String(message["id"]), by, block)
        else if (block["type"] === "tool_result") this.#result(by, block)
        else this.#begin(by, block)
      }
  }

  /** An event. */
  hear({ event, payload }: Told): void {
    const type = event.replace(/^session\./, "")
    if (type === "event") return
    this.#inOrder(payload)
    const by = (payload["parent_tool_use_id"] ?? null) as string | null
    const message = (payload["message"] ?? {}) as Json
    switch (type) {
      case "turn_start":
        this.inTurn = true
        return
      case "turn_stop":
        if (this.#open.has(null)) this.#fault("a turn ends in a message")
        this.inTurn = false
        this.stops.push(payload)
        return
      case "user_message":
        for (const block of message["content"] as ReadonlyArray<Json>)
          this.#say("prompt", String(message["id"]), by, block)
        return
      case "message_start":
        if (this.#open.has(by)) this.#fault("a message begins in another")
        this.#open.set(by, new Map())
        return
      case "content_block_start": {
        const blocks = this.#blocks(by)
        const index = Number(payload["index"])
        if (blocks.has(index)) this.#fault(`block ${index} begins twice`)
        blocks.set(index, this.#begin(by, payload["content_block"] as Json))
        return
      }
      case "content_block_delta": {
        const entry = this.#blocks(by).get(Number(payload["index"]))
        const delta = payload["delta"] as Json
        const key = textKeys[String(delta["type"])]
        if (entry === undefined || key === undefined) this.#fault("a delta without its block")
        else entry.value[key] = `${entry.value[key] ?? ""}${delta[key]}`
        return
      }
      case "content_block_stop":
        if (!this.#blocks(by).delete(Number(payload["index"]))) this.#fault("a block ends that is not open")
        return
      case "message_delta":
        if (this.#blocks(by).size > 0) this.#fault("a message ends in a block")
        return
      case "message_stop":
        if (!this.#open.delete(by)) this.#fault("a message ends that is not open")
        return
      case "request_tool_results":
        for (const result of payload["tool_results"] as ReadonlyArray<Json>) this.#result(by, result)
        return
      case "task": {
        const id = String(payload["task_id"])
        const known = this.entries.find((entry) => entry.kind === "task" && entry.id === id)
        if (known === undefined) this.entries.push({ kind: "task", id, by, value: { ...(payload["content"] as Json) } })
        else Object.assign(known.value, payload["content"])
        return
      }
      case "request_opened": {
        const request = payload["request"] as Json
        this.questions.set(String(request["id"]), request)
        return
      }
      case "request_closed":
        if (!this.questions.delete(String(payload["requestId"]))) this.#fault("a question closes that is not open")
        return
      case "branched": {
        const last = this.entries.findLastIndex(({ id }) => id === payload["after"])
        this.entries.splice(last + 1)
        return
      }
    }
  }

  #fault(words: string): void {
    this.faults.push(`${words} at ${this.#at.join(".")}`)
  }

  /** Numbers go up; the parts of one entry are counted, and the last has none. */
  #inOrder({ part, seq }: Json): void {
    const at = [Number(seq), part === undefined ? Number.POSITIVE_INFINITY : Number(part)] as const
    const [before, beforePart] = this.#at
    const isNext = at[0] > before || (at[0] === before && at[1] > beforePart)
    this.#at = at
    if (!isNext) this.#fault("the numbers go back")
  }

  #blocks(by: string | null): Map<number, Entry> {
    const blocks = this.#open.get(by)
    if (blocks === undefined) this.#fault("a block outside of a message")
    return blocks ?? new Map<number, Entry>()
  }

  #say(kind: Entry["kind"], id: string, by: string | null, block: Json): void {
    const known = this.entries.find((entry) => entry.kind === kind && entry.id === id)
    if (known === undefined) this.entries.push({ kind, id, by, value: { content: [block] } })
    else known.value["content"] = [...(known.value["content"] as ReadonlyArray<Json>), block]
  }

  #result(by: string | null, result: Json): void {
    const { content, exit_code, is_error, tool_use_id } = result
    const value = { content, is_error, ...(exit_code !== undefined && { exit_code }) }
    this.entries.push({ kind: "tool_result", id: String(tool_use_id), by, value })
  }

  /** A block that is known goes on: what it comes with is all it has until now. */
  #begin(by: string | null, { id, type, ...value }: Json): Entry {
    const kind = type as Entry["kind"]
    const known = this.entries.find((entry) => entry.kind === kind && entry.id === id)
    const content = kind === "task" ? { ...(value["content"] as Json) } : { ...value }
    if (known !== undefined) {
      known.value = content
      return known
    }
    const entry: Entry = { kind, id: String(id), by, value: content }
    this.entries.push(entry)
    return entry
  }
}

/** The entries without what says nothing: the same call may have its input whole, or as it was streamed. */
export const plain = (entries: ReadonlyArray<Entry>): ReadonlyArray<Json> =>
  entries.map(({ by, id, kind, value }) => {
    if (kind !== "tool_use") return { kind, id, by, ...value }
    const { input, partial_json: streamed, ...rest } = value
    const args = typeof streamed === "string" && streamed !== "" ? streamed : JSON.stringify(input)
    return { kind, id, by, ...rest, input: asJson(args) }
  })

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
