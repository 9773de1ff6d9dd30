/**
 * Tapes as text: writes headers, frames and ends as lines, and reads them back from bytes in any chunking.
 *
 * Reading never throws and never stops: what is wrong is listed with its line, what is right is kept. A line
 * without its `\n` at the end of the file is the cut of a recorder that was killed, not an error.
 */
import type * as Schema from "effect/Schema"
import { Framer, type FramerOptions, type Line } from "../wire/Framer.ts"
import { compileCheck } from "../wire/internal/Check.ts"
import { firstProblem } from "../wire/internal/Explain.ts"
import { renderPath } from "../wire/internal/JsonPath.ts"
import { shapeOf } from "../wire/internal/Shape.ts"
import { isRecord } from "../wire/Json.ts"
import { readJson } from "../wire/ReadJson.ts"
import { type Frame, FrameLine, type Speaker, type Tape, TapeEnd, TapeHeader } from "./Tape.ts"
import { type TapeVersion, tapeVersions, upgradeFrom, type VersionFault } from "./versions/Versions.ts"

/** A header as its line, `\n` included. */
export const encodeHeader = (header: TapeHeader): string => `${JSON.stringify(header)}\n`

/** A frame as its line, `\n` included. */
export const encodeFrame = (frame: Frame): string => `${JSON.stringify(toLine(frame))}\n`

/** The last line, `\n` included. `sha256` is over all bytes written before it. */
export const encodeEnd = (frames: number, sha256: string): string => `${JSON.stringify({ end: frames, sha256 })}\n`

const toLine = (frame: Frame): FrameLine => {
  const { wait } = frame
  switch (frame._tag) {
    case "Data":
      return [wait, frame.from, frame.channel, frame.data]
    case "Close":
      return [wait, frame.from, "close", { channel: frame.channel, ...(frame.ws !== undefined && { ws: frame.ws }) }]
    case "Open":
      return [wait, "agent", "open", { url: frame.url, headers: frame.headers }]
    case "Exit":
      return [wait, "agent", "exit", { code: frame.code, signal: frame.signal }]
    case "Marker":
      return [wait, "host", "marker", frame.text]
  }
}

const fromLine = (line: FrameLine): Frame => {
  const [wait, from, what, payload] = line
  switch (what) {
    case "close":
      return {
        _tag: "Close",
        wait,
        from,
        channel: payload.channel,
        ...(payload.ws !== undefined && { ws: payload.ws })
      }
    case "open":
      return { _tag: "Open", wait, url: payload.url, headers: payload.headers }
    case "exit":
      return { _tag: "Exit", wait, code: payload.code, signal: payload.signal }
    case "marker":
      return { _tag: "Marker", wait, text: payload }
    default:
      return { _tag: "Data", wait, from, channel: what, data: payload }
  }
}

/** One line of a tape file, read. */
export type TapeItem =
  | { readonly _tag: "Header"; readonly line: number; readonly header: TapeHeader }
  | { readonly _tag: "Frame"; readonly line: number; readonly frame: Frame }
  | { readonly _tag: "End"; readonly line: number; readonly end: TapeEnd }
  /** A line that is none of these, and why. `code`: it is the header of a tape of a version that cannot be read. */
  | { readonly _tag: "Wrong"; readonly line: number; readonly message: string; readonly code?: VersionFault["code"] }

/** Reads a tape from bytes, as they come. */
export interface TapeReader {
  readonly push: (chunk: Uint8Array) => Array<TapeItem>
  readonly end: () => Array<TapeItem>
}

/** Whether a line, wherever it is from, is the first line of a tape. */
export const isTapeHeader = (line: string): boolean => /^\s*\{\s*"tape"\s*:/.test(line)

/** A reader of tape files, of all versions that there are. */
export const tapeReader = (
  options?: FramerOptions,
  versions: ReadonlyArray<TapeVersion> = tapeVersions
): TapeReader => {
  const framer = new Framer(options)
  /** Makes a line of the tape's version one of the newest. */
  let upgrade = (line: unknown): unknown => line
  const readLine = (line: Line): TapeItem => {
    const { number } = line
    if (line._tag === "Broken")
      return wrongAt(number, line.reason === "NOT_UTF8" ? "not UTF-8" : `too long: ${line.bytes} bytes`)
    // There may be millions of them.
    if (line.text === "") return wrongAt(number, "the line is empty")
    const read = readJson(line.text)
    if (!read.isRead) return wrongAt(number, read.code === "NOT_JSON" ? `not JSON: ${read.message}` : read.message)
    const version = isRecord(read.value) ? read.value["tape"] : undefined
    if (typeof version === "number") {
      const found = upgradeFrom(version, versions)
      if (typeof found !== "function") return { ...wrongAt(number, found.message), code: found.code }
      upgrade = found
    }
    return itemOf(upgrade(read.value), number)
  }
  const read = (lines: ReadonlyArray<Line>) => lines.map(readLine)
  return { push: (chunk) => read(framer.push(chunk)), end: () => read(framer.end()) }
}

type Wrong = Extract<TapeItem, { readonly _tag: "Wrong" }>

const wrongAt = (line: number, message: string): Wrong => ({ _tag: "Wrong", line, message })

/** What a line of the newest version is. */
const itemOf = (value: unknown, line: number): TapeItem => {
  if (Array.isArray(value)) {
    if (!isFrame(value)) return new Misfit(line, FrameLine, value)
    const frame = fromLine(value as unknown as FrameLine)
    return isDecodable(frame) ? { _tag: "Frame", line, frame } : wrongAt(line, "$[3].base64: expected base64")
  }
  if (isRecord(value) && "end" in value)
    return isEnd(value) ? { _tag: "End", line, end: value as TapeEnd } : new Misfit(line, TapeEnd, value)
  return isHeader(value) ? { _tag: "Header", line, header: value as TapeHeader } : new Misfit(line, TapeHeader, value)
}

const isFrame = compileCheck(FrameLine)
const isEnd = compileCheck(TapeEnd)
const isHeader = compileCheck(TapeHeader)

/** A line that does not fit. Why is found out when somebody asks: of millions of such lines a few are told. */
class Misfit {
  readonly _tag = "Wrong"
  readonly line: number
  readonly #schema: Schema.Top
  readonly #value: unknown

  constructor(line: number, schema: Schema.Top, value: unknown) {
    this.line = line
    this.#schema = schema
    this.#value = value
  }

  get message(): string {
    const { message, path } = firstProblem(shapeOf(this.#schema.ast), this.#value)
    return `${renderPath(path)}: ${message}`
  }
}

/** Whether a payload that is base64 is as this package writes it; `atob` throws at what is none. */
const isDecodable = (frame: Frame): boolean =>
  frame._tag !== "Data" ||
  typeof frame.data === "string" ||
  (/^[A-Za-z0-9+/]*={0,2}$/.test(frame.data.base64) && frame.data.base64.length % 4 === 0)

/** A tape as the text of its file, without the end line: that needs a hash over this. */
export const encodeTape = ({ frames, header }: Pick<Tape, "frames" | "header">): string =>
  encodeHeader(header) + frames.map(encodeFrame).join("")

/** A line of the wire on a tape. */
export interface TapeLine {
  readonly from: Speaker
  readonly line: Line
}

/** Gives the lines each side spoke (stderr is not the wire) as they are finished. */
export interface TapeLineReader {
  readonly push: (frame: Frame) => ReadonlyArray<TapeLine>
  readonly end: () => ReadonlyArray<TapeLine>
}

/** A reader of the lines on a tape. */
export const tapeLineReader = (options?: FramerOptions): TapeLineReader => {
  const framers = { host: new Framer(options), agent: new Framer(options) }
  const spoken = (from: Speaker, lines: ReadonlyArray<Line>) => lines.map((line): TapeLine => ({ from, line }))
  return {
    push: (frame) =>
      frame._tag === "Data" && frame.channel !== "stderr"
        ? spoken(frame.from, framers[frame.from].push(bytesOf(frame.data)))
        : [],
    end: () => [...spoken("host", framers.host.end()), ...spoken("agent", framers.agent.end())]
  }
}

/** The lines each side spoke, in the order they were finished. */
export const tapeLines = (frames: Iterable<Frame>): ReadonlyArray<TapeLine> => {
  const reader = tapeLineReader()
  const lines: Array<TapeLine> = []
  for (const frame of frames) for (const line of reader.push(frame)) lines.push(line)
  return [...lines, ...reader.end()]
}

const utf8 = new TextEncoder()

/** The bytes of a payload. */
export const bytesOf = (data: string | { readonly base64: string }): Uint8Array =>
  typeof data === "string" ? utf8.encode(data) : bytesOfLatin1(atob(data.base64))

/** In a loop: `Uint8Array.from` would make a list of all characters first. */
const bytesOfLatin1 = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Bytes as a payload: text where they are UTF-8. */
export const payloadOf = (bytes: Uint8Array): string | { readonly base64: string } => {
  try {
    return strict.decode(bytes)
  } catch {
    return { base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) }
  }
}
