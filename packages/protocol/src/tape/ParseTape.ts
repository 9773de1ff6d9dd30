/**
 * Tapes put together from their bytes: what is in its place is kept, what is not is listed. However large the file is,
 * the list stays short, and what is held stays within a limit where one is given.
 */
import type { FramerOptions } from "../wire/Framer.ts"
import { JsonScan } from "../wire/JsonScan.ts"
import type { Frame, Tape, TapeEnd, TapeHeader } from "./Tape.ts"
import { type TapeItem, type TapeReader, tapeReader } from "./TapeCodec.ts"
import { type TapeVersion, tapeVersions, type VersionFault } from "./versions/Versions.ts"

/** A line that does not belong to a tape. */
export interface WrongLine {
  readonly line: number
  readonly message: string
  /** Where it is the header of a tape of a version that cannot be read: the message then follows the file's name. */
  readonly code?: VersionFault["code"]
}

/** A reader that also knows where things belong: what is out of its place is `Wrong`, what was cut is left out. */
export const orderedTapeReader = (
  options?: FramerOptions,
  versions: ReadonlyArray<TapeVersion> = tapeVersions
): TapeReader => {
  const reader = tapeReader(options, versions)
  let hasHeader = false
  let hasEnd = false
  let isFirst = true
  const placed = (item: TapeItem): TapeItem => {
    const wasFirst = isFirst
    isFirst = false
    const belongs =
      item._tag === "Wrong" ||
      (item._tag === "Header" ? wasFirst : item._tag === "Frame" ? hasHeader && !hasEnd : !hasEnd)
    if (!belongs)
      return { _tag: "Wrong", line: item.line, message: `this ${item._tag.toLowerCase()} does not belong here` }
    hasHeader ||= item._tag === "Header"
    hasEnd ||= item._tag === "End"
    return item
  }
  return {
    push: (chunk) => reader.push(chunk).map(placed),
    // A line without its end is the cut of a recorder that was killed.
    end: () =>
      reader
        .end()
        .filter(({ _tag }) => _tag !== "Wrong")
        .map(placed)
  }
}

/** How much of a tape is held. */
export interface TapeLimits extends FramerOptions {
  /**
   * The longest text of a tape that is held, in bytes; each line counts as at least 256, and each JSON value in it as
   * 64, because that is what they take. Default: any.
   */
  readonly maxBytes?: number
}

/** A tape is larger than may be held. */
export class TapeTooLarge extends Error {
  readonly code = "TAPE_TOO_LARGE"
  override readonly name = "TapeTooLarge"
  /** The line at which the limit was reached. */
  readonly line: number

  constructor(maxBytes: number, line: number) {
    super(`the tape takes more than ${maxBytes} bytes of memory at line ${line}`)
    this.line = line
  }
}

/** What became of a file that should be a tape. */
export interface ParsedTape {
  /** Absent when the first line is not a header. */
  readonly tape: Tape | undefined
  /** The first lines that are wrong. */
  readonly wrong: ReadonlyArray<WrongLine>
  /** How many there are. */
  readonly wrongCount: number
}

/** How many lines that are wrong are listed. */
const maxWrong = 1000

const leastLine = 256
const leastValue = 64

/** Puts a tape together. `push` throws {@link TapeTooLarge} once there is more than may be held. */
export class TapeBuilder {
  readonly #maxBytes: number
  readonly #reader: TapeReader
  readonly #frames: Array<Frame> = []
  readonly #wrong: Array<WrongLine> = []
  readonly #scans = { host: new JsonScan({ lines: true }), agent: new JsonScan({ lines: true }) }
  #wrongCount = 0
  #header: TapeHeader | undefined
  #end: TapeEnd | undefined
  #bytes = 0
  #lines = 0

  constructor({ maxBytes = Number.POSITIVE_INFINITY, ...options }: TapeLimits = {}) {
    this.#maxBytes = maxBytes
    this.#reader = orderedTapeReader(options)
  }

  /** Whether it cannot become a tape any more, because its first line is not a header. */
  get isHopeless(): boolean {
    return this.#header === undefined && this.#wrongCount > 0
  }

  /** Takes the next bytes. */
  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    for (const item of this.#reader.push(chunk)) this.#add(item)
    this.#check()
  }

  /** The tape, when all bytes are there. */
  end(): ParsedTape {
    for (const item of this.#reader.end()) this.#add(item)
    const header = this.#header
    const tape = header && { header, frames: this.#frames, ...(this.#end !== undefined && { end: this.#end }) }
    return { tape, wrong: this.#wrong, wrongCount: this.#wrongCount }
  }

  #add(item: TapeItem): void {
    this.#lines = item.line
    switch (item._tag) {
      case "Header":
        this.#header = item.header
        return
      case "Frame":
        this.#frames.push(item.frame)
        if (this.#maxBytes < Number.POSITIVE_INFINITY) this.#count(item.frame)
        return
      case "End":
        this.#end = item.end
        return
      case "Wrong":
        if (this.#wrongCount++ < maxWrong) {
          const { code, line, message } = item
          this.#wrong.push({ line, message, ...(code !== undefined && { code }) })
        }
    }
  }

  #count(frame: Frame): void {
    if (frame._tag === "Data" && typeof frame.data === "string") this.#scans[frame.from].push(frame.data)
    if (this.#lines % 1000 === 0) this.#check()
  }

  #check(): void {
    const { agent, host } = this.#scans
    const weight = Math.max(this.#bytes, leastLine * this.#frames.length, leastValue * (agent.values + host.values))
    if (weight > this.#maxBytes) throw new TapeTooLarge(this.#maxBytes, this.#lines)
  }
}

/** A tape from the text of its file, or why it is not one. Lines that are wrong are left out and listed. */
export const parseTape = (bytes: Uint8Array, limits?: TapeLimits): ParsedTape => {
  const builder = new TapeBuilder(limits)
  // In pieces: what is made of all lines at once would take more than the tape.
  for (let from = 0; from < bytes.length; from += piece) builder.push(bytes.subarray(from, from + piece))
  return builder.end()
}

const piece = 1 << 18
