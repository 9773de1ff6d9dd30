/**
 * The messages of a file, whichever kind it is: NDJSON as a CLI writes it, or a tape. A tape's messages are those of
 * both sides, say which, and have the tape's line numbers.
 */
import { Tape } from "@agentwire/protocol"
import { type Decoded, decoder } from "@agentwire/protocol/claude"
import type { FramerOptions } from "@agentwire/protocol/wire"
import { Failure } from "./Failure.ts"

/** A message and, on a tape, who sent it; or a line of a tape that is none. */
export type Wire = (Decoded & { readonly from?: Tape.Speaker }) | (Tape.TapeItem & { readonly _tag: "Wrong" })

/** What a tape tells beside the messages. */
export interface TapeNotes {
  readonly header?: Tape.TapeHeader
  /** How the agent's process ended. */
  readonly exit?: Tape.ExitFrame
}

interface Reader {
  readonly push: (chunk: Uint8Array) => ReadonlyArray<Wire>
  readonly end: () => ReadonlyArray<Wire>
  readonly notes?: () => TapeNotes
}

/** Enough to know a tape's first line by. */
const enough = 64

/** How a file is read. */
export interface WireOptions extends FramerOptions {
  /** Its name, for what is said of it. */
  readonly file?: string
}

/** Takes bytes, gives messages. Throws a {@link Failure} at a tape of a version that cannot be read. */
export class WireSource implements Reader {
  readonly #options: WireOptions
  #start: Uint8Array = new Uint8Array(0)
  #reader: Reader | undefined

  constructor(options: WireOptions = {}) {
    this.#options = options
  }

  /** What the lines that end in this chunk are. */
  push(chunk: Uint8Array): ReadonlyArray<Wire> {
    if (this.#reader !== undefined) return this.#reader.push(chunk)
    this.#start = Buffer.concat([this.#start, chunk])
    return this.#start.length < enough && !this.#start.includes(10) ? [] : this.#begin()
  }

  /** What the unfinished last line is, when there is one. */
  end(): ReadonlyArray<Wire> {
    const before = this.#reader === undefined ? this.#begin() : []
    return [...before, ...(this.#reader?.end() ?? [])]
  }

  /** What was read so far besides messages; nothing when the file is not a tape. */
  notes(): TapeNotes {
    return this.#reader?.notes?.() ?? {}
  }

  #begin(): ReadonlyArray<Wire> {
    const isTape = Tape.isTapeHeader(Buffer.from(this.#start.subarray(0, enough)).toString("latin1"))
    this.#reader = (isTape ? tapeSource : plainSource)(this.#options)
    return this.#reader.push(this.#start)
  }
}

const plainSource = (options: WireOptions): Reader => decoder(options)

const tapeSource = (options: WireOptions): Reader => {
  const reader = Tape.tapeReader(options)
  const decoders = new Map<Tape.Speaker, ReturnType<typeof decoder>>()
  let last = 0
  let notes: TapeNotes = {}
  const take = (items: ReadonlyArray<Tape.TapeItem>): ReadonlyArray<Wire> =>
    items.flatMap((item): ReadonlyArray<Wire> => {
      last = item.line
      if (item._tag === "Wrong") {
        if (item.code !== undefined) throw new Failure(`${options.file ?? "The file"} ${item.message}.`)
        return [item]
      }
      if (item._tag === "Header") notes = { ...notes, header: item.header }
      if (item._tag === "Frame" && item.frame._tag === "Exit") notes = { ...notes, exit: item.frame }
      if (item._tag !== "Frame" || item.frame._tag !== "Data" || item.frame.channel === "stderr") return []
      const { data, from } = item.frame
      const known = decoders.get(from) ?? decoder(options)
      decoders.set(from, known)
      return known.push(Tape.bytesOf(data)).map((one) => ({ ...one, line: item.line, from }))
    })
  return {
    notes: () => notes,
    push: (chunk) => take(reader.push(chunk)),
    end: () => {
      // A last line without its newline is where a recording was cut: no fault of the session's.
      const found = take(reader.end().filter(({ _tag }) => _tag !== "Wrong"))
      const unfinished = [...decoders].flatMap(([from, { end }]) => end().map((one) => ({ ...one, line: last, from })))
      return [...found, ...unfinished]
    }
  }
}
