/**
 * The text that the main thread is streaming, kept aside: as long as only that grows, the state of the translation is not
 * touched, and its pieces go out as they come. What it has grown by is put together once something else happens.
 */
import { textFrameHead } from "../agui/Sse.ts"
import { addRecent, addRecentWords, type Recent } from "../claude/fold/Recent.ts"
import type { DeltaReader } from "./DeltaLine.ts"
import { FrameBytes } from "./FrameBytes.ts"
import type { OpenText, Piece } from "./LiveRuntimes.ts"

const encoder = new TextEncoder()

const frameEnd = encoder.encode('"}\n\n')

/** A text kept aside. `F`: what the fold of its runtime remembers. */
export class Aside<F> {
  readonly #open: OpenText<F>
  /** Reads its lines, where they are not to be checked. */
  readonly reader: DeltaReader | undefined
  /** The frame of a piece, up to the piece itself. */
  readonly #frame: Uint8Array
  #recent: Recent | undefined
  #text = ""
  /** Behind the text, what came as bytes: the inside of a JSON string. */
  readonly #raw = new FrameBytes()
  #isEscaped = false

  constructor(open: OpenText<F>, reader: DeltaReader | undefined) {
    this.#open = open
    this.#recent = open.recent
    this.#frame = encoder.encode(`${textFrameHead(open.id)}"`)
    this.reader = reader
  }

  /** Takes a piece, and writes its frame; false when it is of something else, or needs more thought. */
  take(piece: Piece, out: FrameBytes): boolean {
    const { item, thread, turn } = this.#open
    const { text, uuid } = piece
    if (piece.item !== item || piece.thread !== thread || (piece.turn !== undefined && piece.turn !== turn))
      return false
    if (text === "" || isHighSurrogate(text.charCodeAt(text.length - 1))) return false
    if (this.#recent !== undefined && uuid !== undefined) {
      const recent = addRecent(this.#recent, uuid)
      if (recent === this.#recent) return true
      this.#recent = recent
    }
    if (this.#raw.length > 0) this.#text = this.#whole()
    this.#text += text
    out.addJson(text, this.#frame, frameEnd)
    return true
  }

  /** Takes the piece that its reader has just read. */
  takeRead(reader: DeltaReader, bytes: Uint8Array, out: FrameBytes): void {
    if (this.#recent !== undefined) {
      const recent = addRecentWords(this.#recent, reader.uuid)
      if (recent === this.#recent) return
      this.#recent = recent
    }
    if (reader.isEscaped) this.#isEscaped = true
    this.#raw.add(bytes, reader.from, reader.to)
    out.add(bytes, reader.from, reader.to, this.#frame, frameEnd)
  }

  /** The fold with all that the text has grown by. */
  settled(): F {
    return this.#open.grown(this.#whole(), this.#recent)
  }

  #whole(): string {
    const raw = this.#raw.takeText()
    const said = this.#isEscaped ? (JSON.parse(`"${raw}"`) as string) : raw
    this.#isEscaped = false
    return this.#text + said
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
