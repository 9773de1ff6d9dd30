/**
 * The translator for a live session: bytes of the CLI in, bytes of server-sent events out.
 *
 * It gives what folding `step` over the decoded lines gives. It is faster because the text that the main thread is
 * streaming is kept aside: as long as only that text grows, the state is not touched, and it is brought up to
 * date before anything else happens.
 */
import { encodeSse, textFrameHead } from "../agui/Sse.ts"
import { codec, type Decoded } from "../claude/Codec.ts"
import { grownBlock, isHighSurrogate } from "../claude/fold/Block.ts"
import { speakerOf } from "../claude/fold/Fields.ts"
import { withBlock } from "../claude/fold/Lane.ts"
import { addRecent, type Recent } from "../claude/fold/Recent.ts"
import { afterDelta, type Block, type Reply } from "../claude/fold/State.ts"
import { Framer, type FramerOptions, type Line } from "../wire/Framer.ts"
import { type DeltaLayout, layoutOf, readDelta } from "./DeltaLine.ts"
import type { TranslateOptions } from "./Options.ts"
import { type FinishReason, finish, initialState, type State, step } from "./Translator.ts"

/** Options of the live translator. */
export interface SseTranslatorOptions extends TranslateOptions, FramerOptions {
  /**
   * Whether every line is checked against its schema. `false` trusts a text delta whose line has the layout of the
   * one before it, which was checked; all else is checked. Default `true`.
   */
  readonly validate?: boolean
}

/** The text the main thread is streaming. */
interface Aside {
  readonly reply: Reply
  readonly index: number
  readonly block: Block
  /** What its lines look like, when they are not to be checked. */
  readonly layout: DeltaLayout | undefined
  /** The frame of a piece, up to the piece itself. */
  readonly frame: string
  text: string
  recent: Recent
}

/** Bytes of the CLI in, frames of server-sent events out. */
export class SseTranslator {
  readonly #framer: Framer
  readonly #validate: boolean
  #state: State
  #aside: Aside | undefined
  #frames = ""

  constructor(options: SseTranslatorOptions) {
    this.#framer = new Framer(options)
    this.#validate = options.validate ?? true
    this.#state = initialState(options)
  }

  /** The frames of the lines that end in this chunk. */
  push(chunk: Uint8Array): string {
    this.#lines(this.#framer.push(chunk))
    return this.#taken()
  }

  /** The frames that end what is open. */
  end(reason?: FinishReason): string {
    this.#lines(this.#framer.end())
    this.#catchUp()
    for (const event of finish(this.#state, reason)) this.#frames += encodeSse(event)
    return this.#taken()
  }

  #taken(): string {
    const frames = this.#frames
    this.#frames = ""
    return frames
  }

  #lines(lines: ReadonlyArray<Line>): void {
    for (const line of lines) if (!this.#trust(line)) this.#check(line)
  }

  /** Takes a line that looks like those before it; false when it does not. */
  #trust(line: Line): boolean {
    const layout = this.#aside?.layout
    const delta = layout === undefined || line._tag !== "Text" ? undefined : readDelta(layout, line.text)
    return delta !== undefined && this.#append(delta.text, delta.uuid, delta.raw)
  }

  #check(line: Line): void {
    const decoded = codec.decodeFramed(line)
    if (decoded === undefined) return
    const delta = deltaOf(decoded)
    if (delta !== undefined && this.#isAside(delta) && this.#append(delta.text, delta.uuid)) return
    this.#catchUp()
    const [state, events] = step(this.#state, decoded)
    this.#state = state
    if (delta !== undefined && line._tag === "Text")
      this.#aside = asideOf(state, delta.index, this.#validate ? undefined : layoutOf(line.text, delta))
    for (const event of events) this.#frames += encodeSse(event)
  }

  #isAside({ index, reply }: Delta): boolean {
    return (
      this.#aside !== undefined &&
      index === this.#aside.index &&
      (reply === undefined || reply === this.#aside.reply.id)
    )
  }

  /** Goes on with the text that is kept aside; false when the piece needs more thought. */
  #append(text: string, uuid: string, raw: string = insideJson(text)): boolean {
    const aside = this.#aside
    if (aside === undefined || text === "" || isHighSurrogate(text.charCodeAt(text.length - 1))) return false
    const recent = addRecent(aside.recent, uuid)
    if (recent === aside.recent) return true
    aside.recent = recent
    aside.text += text
    // Piece by piece: a template would make a string of its own first, which costs twice as much.
    this.#frames += aside.frame
    this.#frames += '"'
    this.#frames += raw
    this.#frames += '"}\n\n'
    return true
  }

  #catchUp(): void {
    if (this.#aside === undefined) return
    const { block, index, recent, reply, text } = this.#aside
    const { fold, runtime, writer } = this.#state
    const current = withBlock(reply, index, grownBlock(block, block.sent + text, ""))
    this.#state = { runtime, fold: afterDelta(fold, recent, { ...fold.main, current }), writer }
    this.#aside = undefined
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what JSON has to escape
const escapes = /["\\\x00-\x1f\ud800-\udfff]/

/** A text as the inside of a JSON string. */
const insideJson = (text: string): string => (escapes.test(text) ? JSON.stringify(text).slice(1, -1) : text)

/** The open text of the main thread, if it can be kept aside: nothing but its next piece can matter to it. */
const asideOf = ({ fold, writer }: State, index: number, layout: DeltaLayout | undefined): Aside | undefined => {
  const reply = fold.main.current
  const block = reply?.blocks[index]
  if (reply === undefined || reply.stopped || block === undefined || writer.waiting.size > 0) return undefined
  const plain = block.kind === "text" && block.open && !block.whole && block.half === "" && block.again === undefined
  return plain && writer.items.has(block.id)
    ? { reply, index, block, layout, frame: textFrameHead(block.id), text: "", recent: fold.recent }
    : undefined
}

interface Delta {
  readonly index: number
  readonly text: string
  readonly uuid: string
  readonly reply: string | undefined
}

const deltaOf = (decoded: Decoded): Delta | undefined => {
  if (decoded._tag !== "Known" || decoded.name !== "stream_event/content_block_delta") return undefined
  const { api_message_id: reply, event, uuid } = decoded.message
  const { delta, index } = event
  return delta.type === "text_delta" && speakerOf(decoded.message) === null && typeof uuid === "string"
    ? { index, text: delta.text, uuid, reply: typeof reply === "string" ? reply : undefined }
    : undefined
}
