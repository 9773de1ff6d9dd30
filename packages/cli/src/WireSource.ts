/**
 * The messages of a file, whichever kind it is: NDJSON as an agent writes it, or a tape, of any runtime. A tape says which
 * that is; NDJSON shows it in its first lines. A tape's messages are those of both sides, say which, and have the tape's
 * line numbers.
 */

import type { Decoded } from "@agentwire/protocol/claude"
import * as Tape from "@agentwire/protocol/tape"
import type { FramerOptions } from "@agentwire/protocol/wire"
import { Failure } from "./Failure.ts"
import type { AnyDecoded, AnyDecoder, Reading } from "./runtime/Reading.ts"
import { type RuntimeKind, runtimeOfTape, runtimes } from "./runtime/Runtimes.ts"
import { type Wire, wireOfLines, wireOfNothing, wireOfTape } from "./runtime/Wires.ts"

/** A message and, on a tape, who sent it; or a line of a tape that is none. */
export type WireItem = (AnyDecoded & { readonly from?: Tape.Speaker }) | (Tape.TapeItem & { readonly _tag: "Wrong" })

/** What a tape tells beside the messages. */
export interface TapeNotes {
  readonly header?: Tape.TapeHeader
  /** How the agent's process ended. */
  readonly exit?: Tape.ExitFrame
}

interface Reader {
  readonly push: (chunk: Uint8Array) => ReadonlyArray<WireItem> | Promise<ReadonlyArray<WireItem>>
  readonly end: () => ReadonlyArray<WireItem> | Promise<ReadonlyArray<WireItem>>
  readonly notes?: () => TapeNotes
}

/** Enough of a line to know it by. */
const enough = 64

/** How much is looked through for a line that can be known. */
const patience = 64 * 1024

/** How a file is read. */
export interface WireOptions extends FramerOptions {
  /** Its name, for what is said of it. */
  readonly file?: string
  /** Whose messages it has; default: what it shows. */
  readonly runtime?: RuntimeKind
}

/** Takes bytes, gives messages. Throws a {@link Failure} at a tape that cannot be read, or is another runtime's. */
export class WireSource {
  readonly #options: WireOptions
  #start: Uint8Array = new Uint8Array(0)
  #reader: Reader | undefined
  #wire: Wire | undefined
  #reading: Reading | undefined

  constructor(options: WireOptions = {}) {
    this.#options = options
  }

  /** How its lines are read; what nothing tells until they are known. */
  get wire(): Wire {
    return this.#wire ?? wireOfNothing(this.#options.runtime)
  }

  /** How its messages are read. Throws before it gave one. */
  get reading(): Reading {
    if (this.#reading === undefined) throw new Error("How messages are read is known with the first of them.")
    return this.#reading
  }

  /** What the lines that end in this chunk are. */
  async push(chunk: Uint8Array): Promise<ReadonlyArray<WireItem>> {
    if (this.#reader !== undefined) return this.#reader.push(chunk)
    this.#start = Buffer.concat([this.#start, chunk])
    return this.#begin(this.#start.length >= patience)
  }

  /** What the unfinished last line is, when there is one. */
  async end(): Promise<ReadonlyArray<WireItem>> {
    const before = this.#reader === undefined ? await this.#begin(true) : []
    return [...before, ...((await this.#reader?.end()) ?? [])]
  }

  /** What was read so far besides messages; nothing when the file is not a tape. */
  notes(): TapeNotes {
    return this.#reader?.notes?.() ?? {}
  }

  /** Begins to read as soon as it is known what, or has to be. */
  async #begin(isLast: boolean): Promise<ReadonlyArray<WireItem>> {
    const text = Buffer.from(this.#start.subarray(0, patience)).toString("latin1")
    if (!isLast && text.length < enough && !text.includes("\n")) return []
    if (Tape.isTapeHeader(text.slice(0, enough)))
      this.#reader = tapeSource(this.#options, async (wire) => {
        this.#wire = wire
        this.#reading = await wire.load()
        return this.#reading
      })
    else {
      const starts = startsOf(text, isLast)
      this.#wire = wireOfLines(starts, this.#options.runtime) ?? (isLast ? this.wire : undefined)
      if (this.#wire === undefined) return []
      this.#reading = await this.#wire.load()
      this.#reader = this.#reading.decoder(this.#options)
    }
    const start = this.#start
    this.#start = new Uint8Array(0)
    return this.#reader.push(start)
  }
}

/** A message for those who know Claude Code's only. Throws a {@link Failure} where the file is another runtime's. */
export const claudeMessage = <A extends AnyDecoded>(
  one: A,
  { wire }: WireSource,
  file = "The file"
): Decoded & Pick<A, Extract<keyof A, "from">> => {
  if (wire.runtime === "claude") return one as A & Decoded
  throw new Failure(
    `${file} is a session of ${runtimes[wire.runtime].title}, which can be decoded and translated; what was made of it is judged without --source.`
  )
}

/** How the lines of a text begin, as far as they are there. */
const startsOf = (text: string, isLast: boolean): ReadonlyArray<string> =>
  text.split("\n").flatMap((line, index, lines) => {
    const isWhole = isLast || index < lines.length - 1 || line.length >= enough
    return isWhole ? [line.slice(0, 1000)] : []
  })

const tapeSource = (options: WireOptions, found: (wire: Wire) => Promise<Reading>): Reader => {
  const reader = Tape.tapeReader(options)
  const decoders = new Map<Tape.Speaker, AnyDecoder>()
  let reading: Reading | undefined
  let last = 0
  let notes: TapeNotes = {}
  const begin = async (header: Tape.TapeHeader): Promise<void> => {
    notes = { ...notes, header }
    const { kind, title } = runtimeOfTape(header)
    if (options.runtime !== undefined && options.runtime !== kind)
      throw new Failure(
        `${options.file ?? "The file"} is a tape of ${title}, not of ${runtimes[options.runtime].title}. Leave --runtime out: a tape says whose it is.`
      )
    reading = await found(wireOfTape(header))
  }
  const newDecoder = async (from: Tape.Speaker): Promise<AnyDecoder> => {
    reading ??= await found(wireOfNothing(options.runtime))
    const fresh = reading.decoder(options)
    decoders.set(from, fresh)
    return fresh
  }
  const take = async (items: ReadonlyArray<Tape.TapeItem>): Promise<ReadonlyArray<WireItem>> => {
    const taken: Array<WireItem> = []
    for (const item of items) {
      last = item.line
      if (item._tag === "Wrong") {
        if (item.code !== undefined) throw new Failure(`${options.file ?? "The file"} ${item.message}.`)
        taken.push(item)
      }
      if (item._tag === "Header") await begin(item.header)
      if (item._tag === "Frame" && item.frame._tag === "Exit") notes = { ...notes, exit: item.frame }
      if (item._tag !== "Frame" || item.frame._tag !== "Data" || item.frame.channel === "stderr") continue
      const { data, from } = item.frame
      const decoder = decoders.get(from) ?? (await newDecoder(from))
      for (const one of decoder.push(Tape.bytesOf(data))) taken.push({ ...one, line: item.line, from })
    }
    return taken
  }
  return {
    notes: () => notes,
    push: (chunk) => take(reader.push(chunk)),
    end: async () => {
      // A last line without its newline is where a recording was cut: no fault of the session's.
      const found = await take(reader.end().filter(({ _tag }) => _tag !== "Wrong"))
      const unfinished = [...decoders].flatMap(([from, { end }]) => end().map((one) => ({ ...one, line: last, from })))
      return [...found, ...unfinished]
    }
  }
}
