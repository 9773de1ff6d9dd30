/** One reader for each way to record events: bytes in any chunking become events with their lines. */
import type * as Agui from "@agentwire/protocol/agui"
import * as Conform from "@agentwire/protocol/conform"
import { Framer, type Line, parseJson } from "@agentwire/protocol/wire"
import { Failure } from "../Failure.ts"
import { Held, type Limits } from "../Limits.ts"

/** An event and its line, or something wrong between the events. */
export type EventItem =
  | { readonly _tag: "Event"; readonly event: unknown; readonly line?: number }
  | { readonly _tag: "Finding"; readonly finding: Conform.Finding; readonly line?: number }

/** Takes the bytes of one file. */
export interface EventReader {
  readonly push: (chunk: Uint8Array) => ReadonlyArray<EventItem>
  readonly end: () => ReadonlyArray<EventItem>
}

/** Makes a reader; `name` is how failures call the file. */
export type Read = (name: string, dialect: Agui.Dialect, limits: Limits) => EventReader

// --- NDJSON ----------------------------------------------------------------------------------

/** One event per line. */
export const ndjson: Read = (_, dialect, limits) => {
  const framer = new Framer(limits)
  // What is wrong with a line of NDJSON is what would be wrong with it as a frame of SSE, where the rule is written.
  const checker = Conform.makeSseChecker({ dialect })
  const wrongUtf8 = Conform.makeSseChecker({ dialect }).push(asFrame(notUtf8))
  let events = 0
  const placed = ({ number }: Line, items: ReadonlyArray<Conform.SseItem>): ReadonlyArray<EventItem> =>
    items.flatMap((item): ReadonlyArray<EventItem> => {
      if (item._tag === "Event") return []
      const message = item.finding.message.replace(/^Frame \d+/, `Line ${number}`)
      return [{ _tag: "Finding", finding: { ...item.finding, message, prefix: events }, line: number }]
    })
  const read = (line: Line): ReadonlyArray<EventItem> => {
    const { number, text } = line
    if (line._tag === "Text" && (text === "" || text.trim() === "")) return []
    const event = parseJson(number === 1 ? text.replace(/^\uFEFF/, "") : text)
    const wrong = [
      ...(line._tag === "Broken" && line.reason === "NOT_UTF8" ? placed(line, wrongUtf8) : []),
      ...(event === undefined
        ? placed(line, checker.push(asFrame(Buffer.from(text.slice(0, shownBytes) || "(too long)"))))
        : [])
    ]
    if (event === undefined) return wrong
    events++
    return [...wrong, { _tag: "Event", event, line: number }]
  }
  return { push: (chunk) => framer.push(chunk).flatMap(read), end: () => framer.end().flatMap(read) }
}

/** How much of a line that is not JSON is looked at to say why. */
const shownBytes = 1 << 20

const notUtf8 = Uint8Array.of(0x22, 0xff, 0x22)

const asFrame = (content: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from("data: "), content, Buffer.from("\n\n")])

// --- SSE -------------------------------------------------------------------------------------

const LF = 10
const CR = 13

/** The body of a response. */
export const sse: Read = (_, dialect) => frames(dialect, 1)

const frames = (dialect: Agui.Dialect, firstNumber: number): EventReader => {
  const reader = Conform.makeSseChecker({ dialect })
  let line = firstNumber
  /** Where the frame began that the next blank line ends. */
  let frame: number | undefined
  let isBlank = true
  const place = (items: ReadonlyArray<Conform.SseItem>): ReadonlyArray<EventItem> =>
    items.map((item) => ({ ...item, line: frame ?? line }))
  return {
    push: (chunk) => {
      const found: Array<EventItem> = []
      const give = (from: number, to: number): void => {
        const items = reader.push(chunk.subarray(from, to))
        if (items.length > 0) found.push(...place(items))
      }
      let given = 0
      for (let from = 0; from < chunk.length; ) {
        isBlank &&= chunk[from] === LF || chunk[from] === CR
        if (!isBlank) frame ??= line
        const end = chunk.indexOf(LF, from)
        if (end === -1) break
        from = end + 1
        if (isBlank) {
          // Frame by frame, so that what comes back belongs to this one.
          give(given, from)
          given = from
          frame = undefined
        }
        isBlank = true
        line++
      }
      if (given < chunk.length) give(given, chunk.length)
      return found
    },
    end: () => place(reader.end())
  }
}

/** The longest head that is looked at. */
const maxHead = 1 << 16

/** Heads one after the other, where there was a redirect or `100 Continue`; the last one is the response's. */
const heads =
  /^(?:HTTP\/[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n(?=HTTP\/))*HTTP\/\S+ (\d+)[^\n]*\n((?:[^\r\n][^\n]*\n)*)\r?\n/

/** A response with its head, as `curl -i` shows it. */
export const response: Read = (name, dialect) => {
  let start: Uint8Array = new Uint8Array(0)
  let body: EventReader | undefined
  const begin = (isEnd: boolean): ReadonlyArray<EventItem> => {
    const text = Buffer.from(start).toString("latin1")
    const [all, status, fields = ""] = heads.exec(text) ?? []
    if (all === undefined) {
      if (!isEnd && start.length < maxHead) return []
      throw new Failure(`${name} begins like an HTTP response, but its head does not end.`)
    }
    // What follows may become another head.
    const next = text.slice(all.length, all.length + "HTTP/".length)
    if (!isEnd && "HTTP/".startsWith(next)) return []
    const found = Conform.checkResponseHead({ status: Number(status), headers: headersOf(fields) })
    body = frames(dialect, all.split("\n").length)
    return [
      ...found.map((finding): EventItem => ({ _tag: "Finding", finding, line: 1 })),
      ...body.push(start.subarray(all.length))
    ]
  }
  return {
    push: (chunk) => {
      if (body !== undefined) return body.push(chunk)
      start = Buffer.concat([start, chunk])
      return begin(false)
    },
    end: () => [...(body === undefined ? begin(true) : []), ...(body?.end() ?? [])]
  }
}

const headersOf = (fields: string): Record<string, string> =>
  Object.fromEntries(
    fields
      .split(/\r?\n/)
      .filter((field) => field.includes(":"))
      .map((field) => [field.slice(0, field.indexOf(":")).toLowerCase(), field.slice(field.indexOf(":") + 1).trim()])
  )

// --- a document ------------------------------------------------------------------------------

/** An array of events, or one event, over several lines. Such a document has to be read whole. */
export const document: Read = (name, _, limits) => {
  const held = new Held(name, limits)
  const chunks: Array<Uint8Array> = []
  return {
    push: (chunk) => {
      held.add(chunk.length)
      chunks.push(chunk)
      return []
    },
    end: () => {
      const value = parseJson(
        Buffer.concat(chunks)
          .toString()
          .replace(/^\uFEFF/, "")
      )
      if (value === undefined)
        throw new Failure(
          `${name} begins like a JSON document, but is not one. As NDJSON it must have one event per line.`
        )
      return (Array.isArray(value) ? value : [value]).map((event): EventItem => ({ _tag: "Event", event }))
    }
  }
}
