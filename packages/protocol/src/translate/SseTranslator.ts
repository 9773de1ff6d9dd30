/**
 * The translator for a live session: bytes of the agent in, server-sent events out.
 *
 * It gives what folding `step` over the decoded lines gives. It is faster because the text that the main thread is
 * streaming is kept aside: as long as only that text grows, the state is not touched, and it is brought up to
 * date before anything else happens.
 */
import { encodeSse } from "../agui/Sse.ts"
import type { Speaker } from "../tape/Tape.ts"
import { defaultMaxLineBytes, Framer, type FramerOptions, type Line } from "../wire/Framer.ts"
import { Aside } from "./Aside.ts"
import { DeltaReader, layoutOf } from "./DeltaLine.ts"
import { FrameBytes } from "./FrameBytes.ts"
import { type LiveRuntime, liveRuntimes, type Piece } from "./LiveRuntimes.ts"
import type { TranslateOptions } from "./Options.ts"
import type { FoldStates, RuntimeMessages, RuntimeName } from "./Runtimes.ts"
import { type FinishReason, finish, initialState, type State, step } from "./Translator.ts"

/** Options of the live translator. */
export interface SseTranslatorOptions<R extends string = "claude"> extends TranslateOptions<R>, FramerOptions {
  /**
   * Whether every line is checked against its schema. `false` trusts a text delta whose line has the layout of the
   * one before it, which was checked; all else is checked. Default `true`.
   */
  readonly validate?: boolean
}

const lineFeed = 10

/** How many bytes are read together, where the lines before them had no text to trust. */
const leastStretch = 32

/** Bytes of an agent in, frames of server-sent events out. */
export class SseTranslator<R extends RuntimeName = "claude"> {
  readonly #live: LiveRuntime<FoldStates[R], RuntimeMessages[R]>
  readonly #hear: (line: Line, from: Speaker) => RuntimeMessages[R] | undefined
  readonly #framers: Readonly<Record<Speaker, Framer>>
  readonly #validate: boolean
  readonly #maxLineBytes: number
  readonly #out = new FrameBytes()
  #state: State<R>
  #aside: Aside<FoldStates[R]> | undefined
  /** How the lines of the newest text are read: it may go on after something else. */
  #taught: { readonly by: Piece; readonly reader: DeltaReader | undefined } | undefined

  constructor(options: SseTranslatorOptions<R>) {
    this.#state = initialState(options)
    this.#live = liveRuntimes[this.#state.runtime]
    this.#hear = this.#live.listener()
    this.#framers = { agent: new Framer(options), host: new Framer(options) }
    this.#validate = options.validate ?? true
    this.#maxLineBytes = options.maxLineBytes ?? defaultMaxLineBytes
  }

  /**
   * The frames of the lines that end in this chunk. `from`: who wrote it. Of Codex the host's side is worth having, if
   * there is one: what its requests ask is what makes sense of the answers.
   */
  push(chunk: Uint8Array, from: Speaker = "agent"): string {
    this.#read(chunk, from)
    return this.#out.takeText()
  }

  /** The same as bytes, for those who send them on: they need not become a string. */
  pushBytes(chunk: Uint8Array, from: Speaker = "agent"): Uint8Array {
    this.#read(chunk, from)
    return this.#out.take()
  }

  /** The frames that end what is open. */
  end(reason?: FinishReason): string {
    this.#finish(reason)
    return this.#out.takeText()
  }

  /** The same as bytes. */
  endBytes(reason?: FinishReason): Uint8Array {
    this.#finish(reason)
    return this.#out.take()
  }

  #finish(reason: FinishReason | undefined): void {
    for (const from of ["host", "agent"] as const) this.#lines(this.#framers[from].end(), from)
    this.#catchUp()
    for (const event of finish(this.#state, reason)) this.#out.addText(encodeSse(event))
  }

  #read(chunk: Uint8Array, from: Speaker): void {
    if (this.#validate || from === "host") this.#lines(this.#framers[from].push(chunk), from)
    else this.#readTrusting(chunk)
  }

  #readTrusting(chunk: Uint8Array): void {
    let stretch = 0
    for (let at = 0; at < chunk.length; ) {
      const trusted = this.#trust(chunk, at)
      if (trusted === chunk.length) return
      // Lines without a text to trust are read together, more each time: one by one they cost more.
      stretch = trusted > at ? 0 : stretch
      const end = chunk.indexOf(lineFeed, trusted + stretch)
      stretch = 2 * stretch + leastStretch
      at = end === -1 ? chunk.length : end + 1
      this.#lines(this.#framers.agent.push(chunk.subarray(trusted, at)), "agent")
    }
  }

  /** Takes the lines from a place on that look like those before them; gives the place of the first that does not. */
  #trust(chunk: Uint8Array, from: number): number {
    const aside = this.#aside
    const reader = aside?.reader
    if (aside === undefined || reader === undefined || !this.#framers.agent.isBetweenLines) return from
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length)
    let at = from
    while (reader.read(chunk, view, at)) {
      aside.takeRead(reader, chunk, this.#out)
      at = reader.end
    }
    return at
  }

  #lines(lines: ReadonlyArray<Line>, from: Speaker): void {
    for (const line of lines) this.#check(line, from)
  }

  #check(line: Line, from: Speaker): void {
    const message = this.#hear(line, from)
    if (message === undefined) return
    const piece = this.#live.pieceOf(message)
    if (piece !== undefined && this.#aside?.take(piece, this.#out) === true) return
    this.#catchUp()
    const [state, events] = step(this.#state, message)
    this.#state = state
    for (const event of events) this.#out.addText(encodeSse(event))
    if (piece !== undefined && line._tag === "Text") this.#aside = this.#asideOf(piece, line.text)
  }

  /** The text that a piece was of, if it can be kept aside: nothing but its next piece can matter to it. */
  #asideOf(piece: Piece, line: string): Aside<FoldStates[R]> | undefined {
    const { fold, writer } = this.#state
    const open = this.#live.openText(fold, piece)
    const shown = open && writer.items.get(open.id)
    if (open === undefined || shown?.kind !== "text" || shown.tag !== undefined || writer.waiting.size > 0)
      return undefined
    return new Aside(open, this.#validate ? undefined : this.#readerFor(piece, line))
  }

  #readerFor(piece: Piece, line: string): DeltaReader | undefined {
    if (this.#taught === undefined || !isOfOneText(this.#taught.by, piece)) {
      const layout = layoutOf(line, this.#live.keys, (other) => this.#pieceIn(other, piece))
      this.#taught = { by: piece, reader: layout && new DeltaReader(layout, this.#maxLineBytes) }
    }
    return this.#taught.reader
  }

  /** The piece of the same text in another line, as the codec reads it. */
  #pieceIn(line: string, piece: Piece): Piece | undefined {
    // By itself: what is heard in a session is remembered.
    const message = this.#live.listener()({ _tag: "Text", number: 1, text: line }, "agent")
    const other = message && this.#live.pieceOf(message)
    return other && isOfOneText(other, piece) ? other : undefined
  }

  #catchUp(): void {
    if (this.#aside === undefined) return
    const { runtime, writer } = this.#state
    this.#state = { runtime, fold: this.#aside.settled(), writer }
    this.#aside = undefined
  }
}

const isOfOneText = (one: Piece, other: Piece): boolean =>
  one.item === other.item && one.thread === other.thread && one.turn === other.turn
