/**
 * Raw SSE bytes, in any chunking, to events and what is wrong with the framing.
 *
 * Events are read as AG-UI clients read them (docs/wire/ag-ui.md §3.2): of the fields only `data:` counts, and the last
 * event needs no empty line behind it. Except for line ends: CR and CRLF are reported once and read as LF, so that the
 * rest of the stream can be judged too.
 */
import type { Dialect } from "../agui/Dialect.ts"
import { readJson } from "../wire/ReadJson.ts"
import { defaultMaxSseLength, type SseLine, SseLines } from "../wire/SseLines.ts"
import { type Finding, findingOfStream, quote } from "./Finding.ts"
import type { Rule } from "./Rule.ts"
import { wireRules } from "./rules/Wire.ts"

/** What a piece of an SSE stream turns out to be. Findings carry the index of the event that follows, or -1. */
export type SseItem =
  | { readonly _tag: "Event"; readonly event: unknown }
  | { readonly _tag: "Finding"; readonly finding: Finding }

/** What is known of the stream besides its bytes. */
export interface SseOptions {
  /** Whose rules; 1.0 when left out. */
  readonly dialect?: Dialect
}

/** Judges one SSE response. Never throws. */
export interface SseChecker {
  /** What the frames that end in these bytes are. */
  readonly push: (bytes: Uint8Array) => ReadonlyArray<SseItem>
  /** What the unfinished last frame is, when there is one. */
  readonly end: () => ReadonlyArray<SseItem>
}

/** The longest frame client 1.0.0 takes, in characters. */
export const maxFrameLength = 10 * 1024 * 1024

/** Judges one SSE response. */
export const makeSseChecker = ({ dialect = "1.0" }: SseOptions = {}): SseChecker => {
  const lines = new SseLines()
  const strict = new TextDecoder("utf-8", { fatal: true })
  let items: Array<SseItem> = []
  let utf8 = true
  let events = 0
  const told = new Set<string>()
  /** The data lines of the frame so far, and how long all of its lines are. */
  let data: Array<string> = []
  let frameLength = 0

  const report = (rule: Rule, message: string, excerpt: string): void => {
    if (!rule.dialects.includes(dialect)) return
    items.push({ _tag: "Finding", finding: findingOfStream(rule, message, events, excerpt) })
  }

  const reportOnce = (rule: Rule, message: string, excerpt: string): void => {
    if (told.has(rule.id)) return
    told.add(rule.id)
    report(rule, message, excerpt)
  }

  const endFrame = (): void => {
    frameLength = 0
    if (data.length === 0) return
    const text = data.join("\n")
    data = []
    const read = readJson(text)
    if (read.isRead) {
      items.push({ _tag: "Event", event: read.value })
      events++
    } else {
      const problem = read.code === "NOT_JSON" ? "is not a JSON document" : "is not a JSON document that can be read"
      report(wireRules["AGUI-WIRE-002"], `Frame ${events + 1} ${problem}: ${read.message}.`, text)
    }
  }

  const readLine = (text: string): void => {
    if (text === "") endFrame()
    else if (text.startsWith("data:")) {
      // A frame that never ends is not held: what is too long is no JSON any more, either.
      if (frameLength <= defaultMaxSseLength) data.push(text.slice(text.startsWith("data: ") ? 6 : 5))
    } else if (text.startsWith("{") || text.startsWith("["))
      reportOnce(wireRules["AGUI-WIRE-003"], `The line ${quote(text)} is not a data field and is skipped.`, text)
  }

  const checkLength = (length: number): void => {
    if (length <= maxFrameLength) return
    reportOnce(wireRules["AGUI-WIRE-005"], `A frame is longer than ${maxFrameLength} characters.`, "")
  }

  const judgeLine = ({ endsInReturn, length, text }: SseLine): void => {
    frameLength += length + 1
    if (endsInReturn)
      reportOnce(wireRules["AGUI-WIRE-001"], "A line ends in CR or CRLF; clients end the run there.", text)
    checkLength(frameLength)
    readLine(text)
  }

  const checkUtf8 = (bytes: Uint8Array | undefined): void => {
    if (!utf8) return
    try {
      if (bytes === undefined) strict.decode()
      else strict.decode(bytes, { stream: true })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      utf8 = false
    }
  }

  const found = (): ReadonlyArray<SseItem> => {
    const result = items
    items = []
    return result
  }

  return {
    push: (bytes) => {
      checkUtf8(bytes)
      for (const line of lines.push(bytes)) judgeLine(line)
      checkLength(frameLength + lines.pendingLength)
      return found()
    },
    end: () => {
      checkUtf8(undefined)
      // Which chunk they were in depends on the network, so it is said at the end.
      if (!utf8) report(wireRules["AGUI-WIRE-004"], "The stream has bytes that are not UTF-8.", "")
      const text = lines.end()?.text ?? ""
      if (text.startsWith("data:") || data.length > 0)
        report(wireRules["AGUI-WIRE-006"], "The last frame does not end in an empty line.", text)
      if (text !== "") readLine(text)
      endFrame()
      return found()
    }
  }
}
