/**
 * What a session tells, read off its lines without a translator: texts, thoughts, calls. The judge of what must be
 * shown.
 *
 * Three things the wire does are known here (docs/wire/claude-code.md). An answer that was cut is sent again under
 * another id, whole or streamed (§5.12): what it repeats is told once. A stream can lose lines (§2, 2.1.37): where
 * the whole does not begin with what was streamed, both are told. The CLI normalises arguments (§7.49): what was
 * streamed is what is told.
 */
import { withoutHalf } from "./Shown.ts"
import { fresh, laneOf, type Session } from "./Translator.ts"

/** A text or a thought. */
export interface ToldMessage {
  readonly kind: "text" | "thinking"
  readonly lane: string | null
  /** The API's id of the answer, and the place among its blocks. */
  readonly answer: string
  readonly index: number
  content: string
  sealed: string
  /** The `assistant` line has come. */
  whole: boolean
  /** The id of the answer that sent it again, when it was cut. */
  again: string | undefined
  /** The stream lost lines of it: this is the whole, beside what came of the stream. */
  beside: boolean
  /** Nothing more of it is expected. */
  over: boolean
}

/** A call. */
export interface ToldCall {
  readonly id: string
  readonly name: string
  readonly lane: string | null
  /** The answer that told of it first; undefined when a request for permission did. */
  readonly answer: string | undefined
  /** The answer whose line has it whole: another than the first, when that was cut. */
  last: string | undefined
  streamed: string
  /** The input as the `assistant` line or the request has it. */
  input: unknown
  whole: boolean
}

/** What a session tells. */
export interface Told {
  /** In the order in which each begins to say something. */
  readonly messages: ReadonlyArray<ToldMessage>
  readonly calls: ReadonlyMap<string, ToldCall>
}

interface Block {
  readonly kind: "text" | "thinking" | "tool" | "other"
  readonly index: number
  /** For text and thinking, once there is something of it. */
  message: ToldMessage | undefined
  id: string
  sealed: string
  whole: boolean
}

interface Answer {
  readonly id: string
  readonly blocks: Array<Block>
}

/** One speaker, as the wire has it: what it is saying, and what it was cut off at. */
interface Speaker {
  current: Answer | undefined
  readonly answers: Map<string, Answer>
  cut: Array<ToldMessage>
}

/** What a session tells. */
export const told = (session: Session): Told => {
  const reader = new Reader()
  for (const [, { message, name }] of fresh(session)) {
    const lane = laneOf(message)
    switch (name) {
      case "stream_event/message_start":
        reader.start(lane, message.event.message.id)
        break
      case "stream_event/content_block_start":
        reader.block(lane, message.event.index, message.event.content_block as ContentBlock)
        break
      case "stream_event/content_block_delta":
        reader.delta(lane, message.event.index, message.event.delta as Delta)
        break
      case "stream_event/message_stop":
        reader.stop(lane, message.abandoned_blocks?.from_block_index)
        break
      case "assistant":
        for (const content of message.message.content)
          reader.whole(lane, message.message.id, message.message.model, content as ContentBlock)
        break
      case "control_request/can_use_tool":
        reader.request(message.request)
        break
      case "result/success":
      case "result/error_during_execution":
      case "result/error_max_turns":
      case "result/error_max_budget_usd":
      case "result/error_max_structured_output_retries":
        reader.endTurn()
        break
    }
  }
  return reader.end()
}

interface ContentBlock {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
  readonly data?: string
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
}

interface Delta {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly partial_json?: string
  readonly signature?: string
}

const kindOf = ({ type }: ContentBlock): Block["kind"] => {
  if (type === "text") return "text"
  if (type === "thinking" || type === "redacted_thinking") return "thinking"
  return type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use" ? "tool" : "other"
}

class Reader implements Told {
  messages: Array<ToldMessage> = []
  readonly calls = new Map<string, ToldCall>()
  readonly #speakers = new Map<string | null, Speaker>()

  #speaker(lane: string | null): Speaker {
    const known = this.#speakers.get(lane)
    if (known !== undefined) return known
    const speaker: Speaker = { current: undefined, answers: new Map(), cut: [] }
    this.#speakers.set(lane, speaker)
    return speaker
  }

  start(lane: string | null, id: string): void {
    const speaker = this.#speaker(lane)
    if (speaker.answers.has(id)) return
    this.#next(speaker)
    speaker.current = { id, blocks: [] }
    speaker.answers.set(id, speaker.current)
  }

  /** What the answer before left unfinished may be sent again by the one that comes now, and by no later one. */
  #next(speaker: Speaker): void {
    const unfinished = (speaker.current?.blocks ?? []).flatMap(({ message }) =>
      message === undefined || message.whole || message.over ? [] : [message]
    )
    const before = speaker.cut
    speaker.cut = []
    for (const message of unfinished) {
      const first = before.find((cut) => cut !== message && cut.kind === message.kind)
      speaker.cut.push(first === undefined ? message : this.#merge(first, message))
    }
    for (const message of [...before, ...unfinished]) if (!speaker.cut.includes(message)) message.over = true
  }

  /** Two starts of an answer: one, when one is the beginning of the other. */
  #merge(first: ToldMessage, second: ToldMessage): ToldMessage {
    const goesOn = second.content.startsWith(first.content)
    if (!goesOn && (second.whole || !first.content.startsWith(second.content))) return second
    if (goesOn) Object.assign(first, { content: second.content, whole: second.whole, sealed: second.sealed })
    first.again = `${second.answer}:${second.index}`
    const at = this.messages.indexOf(second)
    if (at !== -1) this.messages.splice(at, 1)
    second.over = true
    return first
  }

  /** The answer is complete, but for what the CLI says it has abandoned. */
  stop(lane: string | null, from = Number.POSITIVE_INFINITY): void {
    for (const { index, message } of this.#speaker(lane).current?.blocks ?? [])
      if (message !== undefined && index < from) message.over = true
  }

  /** No answer of the main thread goes on. */
  endTurn(): void {
    const main = this.#speaker(null)
    this.#next(main)
    main.current = undefined
    main.cut = []
  }

  /** No more lines come. */
  end(): this {
    for (const speaker of this.#speakers.values()) this.#next(speaker)
    for (const message of this.messages) message.content = withoutHalf(message.content)
    this.messages = this.messages.filter(({ content, sealed }) => content !== "" || sealed !== "")
    for (const call of this.calls.values()) call.streamed = withoutHalf(call.streamed)
    return this
  }

  block(lane: string | null, index: number, content: ContentBlock): void {
    const answer = this.#speaker(lane).current
    if (answer === undefined || answer.blocks.some((block) => block.index === index)) return
    const block = makeBlock(index, content)
    answer.blocks.push(block)
    if (block.kind === "thinking") this.#seal(lane, answer, block, content.data ?? "")
    if (block.kind === "tool") this.#call(lane, answer.id, content, false)
    if (block.kind === "text" || block.kind === "thinking")
      this.#say(lane, answer, block, content.text ?? content.thinking ?? "")
  }

  delta(lane: string | null, index: number, { partial_json = "", signature = "", text, thinking }: Delta): void {
    const answer = this.#speaker(lane).current
    const block = answer?.blocks.find((one) => one.index === index)
    if (answer === undefined || block === undefined || block.whole) return
    const call = this.calls.get(block.id)
    if (block.kind === "tool" && call !== undefined && !call.whole) call.streamed += partial_json
    this.#seal(lane, answer, block, signature)
    this.#say(lane, answer, block, text ?? thinking ?? "")
  }

  whole(lane: string | null, id: string, model: string, content: ContentBlock): void {
    const speaker = this.#speaker(lane)
    const known = speaker.answers.get(id)
    const answer = known ?? { id, blocks: [] }
    if (known === undefined) {
      speaker.answers.set(id, answer)
      // What the CLI says in the model's place does not take the place of an answer.
      if (model !== "<synthetic>") this.#next(speaker)
    }
    const kind = kindOf(content)
    const candidates = answer.blocks.filter(
      (block) => block.kind === kind && (kind === "tool" ? block.id === content.id : !block.whole)
    )
    // An empty block has no line of its own.
    const streamed = candidates.find((block) => block.message !== undefined) ?? candidates[0]
    const block = streamed ?? makeBlock(answer.blocks.length, content)
    if (streamed === undefined) answer.blocks.push(block)
    block.whole = true
    if (kind === "tool") this.#call(lane, id, content, true)
    if (kind !== "text" && kind !== "thinking") return
    this.#complete(lane, answer, block, content.text ?? content.thinking ?? "", content.signature ?? content.data ?? "")
  }

  request({ input, tool_name: name, tool_use_id: id }: ToolRequest): void {
    // On 2.1.197 the request comes before any message that tells of the call (§5.5).
    if (!this.calls.has(id))
      this.calls.set(id, { id, name, lane: null, answer: undefined, last: undefined, streamed: "", input, whole: true })
  }

  #call(lane: string | null, answer: string, { id = "", input, name = "" }: ContentBlock, whole: boolean): void {
    const call = this.calls.get(id) ?? { id, name, lane, answer, last: answer, streamed: "", input, whole: false }
    this.calls.set(id, call)
    if (whole && !call.whole) Object.assign(call, { input, whole, last: answer })
  }

  #seal(lane: string | null, answer: Answer, block: Block, signature: string): void {
    if (signature === "") return
    block.sealed += signature
    this.#open(lane, answer, block).sealed = block.sealed
  }

  /** Adds to a block. */
  #say(lane: string | null, answer: Answer, block: Block, piece: string): void {
    if (piece !== "") this.#open(lane, answer, block).content += piece
  }

  /** The message of a block of text or thinking: from its first word on, or its seal when it has none. */
  #open(lane: string | null, answer: Answer, block: Block): ToldMessage {
    const kind = block.kind === "thinking" ? "thinking" : "text"
    const message: ToldMessage = block.message ?? {
      kind,
      lane,
      answer: answer.id,
      index: block.index,
      content: "",
      sealed: "",
      whole: false,
      again: undefined,
      beside: false,
      over: false
    }
    if (block.message === undefined) this.messages.push(message)
    block.message = message
    return message
  }

  #complete(lane: string | null, answer: Answer, block: Block, whole: string, sealed: string): void {
    const streamed = block.message?.content ?? ""
    if (whole.startsWith(streamed)) this.#say(lane, answer, block, whole.slice(streamed.length))
    else {
      // Lines were lost: what is there cannot be mended, so the whole is told beside it.
      block.message = undefined
      this.#say(lane, answer, block, whole)
      Object.assign(block.message ?? {}, { beside: true })
    }
    if (block.kind === "thinking" && sealed !== "") this.#open(lane, answer, block)
    if (block.message === undefined) return
    block.message.whole = true
    block.message.sealed = sealed === "" ? block.sealed : sealed
    this.#mend(this.#speaker(lane), answer, block.message)
  }

  /** A whole text that begins with one that was cut is that one, sent again. */
  #mend(speaker: Speaker, answer: Answer, message: ToldMessage): void {
    const first = speaker.cut.find((cut) => cut.kind === message.kind && cut.answer !== answer.id)
    if (first === undefined) return
    speaker.cut = speaker.cut.filter((cut) => cut !== first)
    if (this.#merge(first, message) === message) first.over = true
  }
}

interface ToolRequest {
  readonly tool_name: string
  readonly tool_use_id: string
  readonly input: unknown
}

const makeBlock = (index: number, content: ContentBlock): Block => ({
  kind: kindOf(content),
  index,
  message: undefined,
  id: content.id ?? "",
  sealed: "",
  whole: false
})
