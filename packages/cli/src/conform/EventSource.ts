/**
 * The events of a file, whichever way they were recorded: NDJSON, the bytes of an SSE response (with or without the
 * head that `curl -i` shows), or a JSON document that is an array of events. The format is detected from the content.
 */
import type * as Agui from "@agentwire/protocol/agui"
import { decodeLine } from "@agentwire/protocol/claude"
import * as Tape from "@agentwire/protocol/tape"
import { parseJson } from "@agentwire/protocol/wire"
import { Failure } from "../Failure.ts"
import type { Limits } from "../Limits.ts"
import { document, type EventItem, type EventReader, ndjson, type Read, response, sse } from "./EventReader.ts"

/** How much of a file may pass before its format must be known. */
const enough = 1 << 16

/** Takes bytes, gives events. Throws a {@link Failure} for what is not a recording of events. */
export class EventSource implements EventReader {
  readonly #name: string
  readonly #dialect: Agui.Dialect
  readonly #limits: Limits
  #start: Uint8Array = new Uint8Array(0)
  #reader: EventReader | undefined

  /** `name` is how failures call the file. */
  constructor(name: string, limits: Limits, dialect: Agui.Dialect = "1.0") {
    this.#name = name
    this.#limits = limits
    this.#dialect = dialect
  }

  /** What ends in this chunk. */
  push(chunk: Uint8Array): ReadonlyArray<EventItem> {
    if (this.#reader !== undefined) return this.#reader.push(chunk)
    this.#start = Buffer.concat([this.#start, chunk])
    return this.#begin(false)
  }

  /** What is left at the end. */
  end(): ReadonlyArray<EventItem> {
    const before = this.#reader === undefined ? this.#begin(true) : []
    return [...before, ...(this.#reader?.end() ?? [])]
  }

  /** The first line decides, or, when it does not, as much as there is: never where a chunk happens to end. */
  #begin(isEnd: boolean): ReadonlyArray<EventItem> {
    const text = textOf(this.#start)
    const isAll = isEnd || this.#start.length >= enough
    const line = /^\s*\S[^\n]*\n/.exec(text)?.[0] ?? (isAll ? text : undefined)
    const format = line === undefined ? undefined : (formatOf(line) ?? (isAll ? formatOf(text) : undefined))
    if (format === undefined && !isAll) return []
    if (format === undefined) {
      const first = text.trimStart().slice(0, 40).split("\n")[0]?.trimEnd()
      throw new Failure(
        `${this.#name} is not a recording of AG-UI events: it is neither NDJSON nor SSE, but begins with ${JSON.stringify(first)}.`
      )
    }
    this.#reader = format.read(this.#name, this.#dialect, this.#limits)
    return this.#reader.push(this.#start)
  }
}

const formatOf = (start: string): Format | undefined => formats.find(({ fits }) => fits(start))

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, enough))

interface Format {
  readonly fits: (start: string) => boolean
  readonly read: Read
}

const refuse =
  (why: string): Read =>
  (name) => {
    throw new Failure(`${name} ${why}`)
  }

/** The first that fits is it. */
const formats: ReadonlyArray<Format> = [
  { fits: (start) => start.trim() === "", read: ndjson },
  {
    fits: (start) => Tape.isTapeHeader(start),
    read: refuse("is a tape of a CLI session, not AG-UI events. To compare events with it, give it as --source.")
  },
  { fits: (start) => start.startsWith("HTTP/"), read: response },
  {
    fits: (start) =>
      !/^\s*[[{]/.test(start) && (/^(?:data|event|id|retry)?:/.test(start.trimStart()) || /^data:/m.test(start)),
    read: sse
  },
  { fits: (start) => /^\s*(?:\[|\{\s*\n)/.test(start), read: document },
  {
    fits: (start) => decodeLine(firstLine(start))._tag === "Known",
    read: refuse(
      "is a session of the Claude Code CLI, not AG-UI events. To compare events with it, give it as --source."
    )
  },
  {
    fits: (start) => isReportLine(parseJson(firstLine(start))),
    read: refuse("is a report of `agentwire conform --json`. Reports are put side by side with --merge.")
  },
  { fits: (start) => /^\s*\{/.test(start) || parseJson(firstLine(start)) !== undefined, read: ndjson }
]

const firstLine = (start: string): string => start.trimStart().split("\n", 1)[0] ?? ""

const isReportLine = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  !("type" in value) &&
  ("summary" in value || ("verdict" in value && "scenario" in value) || ("rule" in value && "level" in value))
