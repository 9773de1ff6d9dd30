/**
 * Raw SSE bytes, in any chunking, to events and what is wrong with the framing.
 *
 * Frames are cut as AG-UI clients cut them (docs/wire/ag-ui.md §3.2), but for line ends: CR and CRLF are reported once
 * and read as LF, so that the rest of the stream can be judged too.
 */
import type { Dialect } from "../agui/Dialect.ts"
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

/** Reads one SSE response. Never throws. */
export interface SseReader {
  /** What the frames that end in these bytes are. */
  readonly push: (bytes: Uint8Array) => ReadonlyArray<SseItem>
  /** What the unfinished last frame is, when there is one. */
  readonly end: () => ReadonlyArray<SseItem>
}

/** The longest frame client 1.0.0 takes, in characters. */
export const maxFrameLength = 10 * 1024 * 1024

/** Reads one SSE response. */
export const makeSseReader = ({ dialect = "1.0" }: SseOptions = {}): SseReader => {
  const decoder = new TextDecoder("utf-8")
  const strict = new TextDecoder("utf-8", { fatal: true })
  let items: Array<SseItem> = []
  let utf8 = true
  let events = 0
  const told = new Set<string>()
  /** The last line so far, and the data lines of the frame so far. */
  let line = ""
  let data: Array<string> = []
  let frameLength = 0
  let endedInCr = false

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
    events++
    try {
      items.push({ _tag: "Event", event: JSON.parse(text) as unknown })
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unknown"
      events--
      report(wireRules["AGUI-WIRE-002"], `Frame ${events + 1} is not a JSON document: ${reason}.`, text)
    }
  }

  const endLine = (): void => {
    const text = line
    line = ""
    if (text === "") endFrame()
    else if (text.startsWith("data:")) data.push(text.slice(text.startsWith("data: ") ? 6 : 5))
    else if (text.startsWith("{") || text.startsWith("["))
      reportOnce(wireRules["AGUI-WIRE-003"], `The line ${quote(text)} is no data field and is skipped.`, text)
  }

  const checkLength = (): void => {
    if (frameLength <= maxFrameLength) return
    reportOnce(wireRules["AGUI-WIRE-005"], `A frame is longer than ${maxFrameLength} characters.`, "")
  }

  const take = (text: string): void => {
    // A CRLF may be cut in two by the network.
    let from = endedInCr && text.startsWith("\n") ? 1 : 0
    if (text !== "") endedInCr = text.endsWith("\r")
    const ends = /\r\n?|\n/g
    ends.lastIndex = from
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      line += text.slice(from, end.index)
      frameLength += end.index - from + 1
      from = end.index + end[0].length
      if (end[0] !== "\n")
        reportOnce(wireRules["AGUI-WIRE-001"], "A line ends in CR or CRLF; clients end the run there.", line)
      checkLength()
      endLine()
    }
    line += text.slice(from)
    frameLength += text.length - from
    checkLength()
  }

  const checkUtf8 = (bytes: Uint8Array | undefined): void => {
    if (!utf8) return
    try {
      if (bytes === undefined) strict.decode()
      else strict.decode(bytes, { stream: true })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      utf8 = false
      report(wireRules["AGUI-WIRE-004"], "The stream has bytes that are not UTF-8.", "")
    }
  }

  const taken = (): ReadonlyArray<SseItem> => {
    const result = items
    items = []
    return result
  }

  return {
    push: (bytes) => {
      checkUtf8(bytes)
      take(decoder.decode(bytes, { stream: true }))
      return taken()
    },
    end: () => {
      checkUtf8(undefined)
      take(decoder.decode())
      if (line !== "" || data.length > 0) {
        if (line.startsWith("data:") || data.length > 0)
          report(wireRules["AGUI-WIRE-006"], "The last frame does not end in an empty line.", line)
        if (line !== "") endLine()
        endFrame()
      }
      return taken()
    }
  }
}

/** The status line and headers of a response to a run. */
export interface ResponseHead {
  readonly status: number
  /** By name, in whatever case. */
  readonly headers: Readonly<Record<string, string>>
}

const protobuf = "application/vnd.ag-ui.event+proto"

/** What is wrong with the head of the response to a run that should start. */
export const checkResponseHead = ({ headers, status }: ResponseHead): ReadonlyArray<Finding> => {
  if (status !== 200)
    return [findingOfStream(wireRules["AGUI-WIRE-007"], `The run is answered with status ${status}, not 200.`)]
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")
  const type = entry?.[1] ?? ""
  if (type === protobuf) return []
  const [essence = ""] = type.split(";")
  switch (essence.trim().toLowerCase()) {
    case "text/event-stream":
      return []
    case protobuf:
      return [
        findingOfStream(
          wireRules["AGUI-WIRE-009"],
          `The content-type ${quote(type)} is not exactly ${quote(protobuf)}, so clients read no events.`
        )
      ]
    default:
      return [
        findingOfStream(
          wireRules["AGUI-WIRE-008"],
          type === "" ? "There is no content-type." : `The content-type is ${quote(type)}.`
        )
      ]
  }
}
