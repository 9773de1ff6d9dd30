/**
 * Turns what happened into the lines of a tape: cuts bytes into lines, times them, redacts them, encodes them.
 */
import * as Tape from "@agentwire/protocol/tape"
import { LineCutter } from "./LineCutter.ts"
import type { Redactor } from "./Redaction.ts"
import type { TapEvent, TapeOutcome, TapeWriter } from "./TapEvent.ts"
import type { TapeSink } from "./TapeSink.ts"

/** Options of {@link Taper}. */
export interface TaperOptions {
  readonly header: Omit<Tape.TapeHeader, "tape" | "redacted" | "startedAt">
  /** When it started, as of `performance.now()`. */
  readonly startedAt: number
  readonly redactor: Redactor
  readonly sink: Pick<TapeSink, "header" | "frame" | "end">
}

type Way = Pick<Tape.DataFrame, "from" | "channel">
type Untimed<A> = A extends unknown ? Omit<A, "wait"> : never

/** Writes one tape. */
export class Taper implements TapeWriter {
  readonly #redactor: Redactor
  readonly #sink: TaperOptions["sink"]
  readonly #cutters = new Map<string, LineCutter>()
  readonly #startedAt: number
  #elapsed = 0

  constructor({ header, redactor, sink, startedAt }: TaperOptions) {
    this.#redactor = redactor
    this.#sink = sink
    this.#startedAt = startedAt
    const date = new Date(performance.timeOrigin + startedAt).toISOString()
    const full = { tape: Tape.tapeVersion, ...header, startedAt: date, redacted: [] } as const
    sink.header(Tape.encodeHeader(redactor.header(full)))
  }

  /** Takes what happened next. */
  note(event: TapEvent): void {
    const { at, ...frame } = event
    switch (frame._tag) {
      case "Data":
        this.#data(at, frame, this.#cutter(frame).push(frame.bytes))
        break
      case "Message":
        this.#add(at, { ...frame, _tag: "Data", channel: "ws" })
        break
      case "Close":
        this.#data(at, frame, this.#cutter(frame).end())
        this.#add(at, frame)
        break
      default:
        this.#add(at, frame)
    }
  }

  /** Writes what is held back, and the end. */
  end(): Promise<TapeOutcome> {
    for (const frame of this.#redactor.end()) this.#sink.frame(Tape.encodeFrame(frame))
    return this.#sink.end()
  }

  #cutter({ channel, from }: Way): LineCutter {
    const key = `${from} ${channel}`
    const cutter = this.#cutters.get(key) ?? new LineCutter()
    this.#cutters.set(key, cutter)
    return cutter
  }

  #data(at: number, { channel, from }: Way, pieces: ReadonlyArray<Uint8Array>): void {
    for (const piece of pieces) this.#add(at, { _tag: "Data", from, channel, data: payload(piece) })
  }

  #add(at: number, frame: Untimed<Tape.Frame>): void {
    // Rounding the sum and not each wait keeps the length of the tape right.
    const elapsed = Math.max(this.#elapsed, Math.round(at - this.#startedAt))
    const wait = elapsed - this.#elapsed
    this.#elapsed = elapsed
    for (const given of this.#redactor.push({ ...frame, wait })) this.#sink.frame(Tape.encodeFrame(given))
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** As `Tape.payloadOf`, for long lines too: Node's base64 needs no array of single characters. */
const payload = (bytes: Uint8Array): Tape.DataFrame["data"] => {
  try {
    return strict.decode(bytes)
  } catch {
    return { base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64") }
  }
}
