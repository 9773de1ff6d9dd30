/**
 * Collects what `agentwire decode` says of one file, NDJSON or a tape. Its size is bounded, whatever the file's is.
 */
import type { Tape } from "@agentwire/protocol"
import type { Drift } from "@agentwire/protocol/codec"
import type { ExitCode } from "./Command.ts"
import type { Answered, AnyDecoded, Listener } from "./runtime/Reading.ts"
import type { RuntimeKind } from "./runtime/Runtimes.ts"
import { type WireItem, WireSource } from "./WireSource.ts"

/** What is reported of one file, as `--json` prints it. */
export interface ReportJson {
  readonly file: string
  /** Lines that are not empty. */
  readonly lines: number
  readonly known: number
  readonly unknown: ReadonlyArray<{ readonly line: number; readonly type: string; readonly subtype?: string }>
  readonly invalid: ReadonlyArray<{ readonly line: number; readonly error: string }>
  readonly drift: ReadonlyArray<DriftRow>
}

/** One thing the schemas do not name, or name otherwise, with how often it was seen. */
export interface DriftRow {
  readonly path: string
  /** The message it was in, as `type` or `type/subtype`. */
  readonly message: string
  readonly example: unknown
  readonly count: number
  /** `odd-key`: the schema names it, but it is missing or of another type. */
  readonly code?: "odd-key"
  /** Of an odd key: what was expected, and what was there. */
  readonly problem?: string
}

/** How a report reads its file and how much of it it keeps. */
export interface ReportOptions {
  readonly file: string
  /** How many unknown and invalid lines, and how many drifts, are listed. All are counted. */
  readonly maxFindings: number
  readonly maxLineBytes?: number
  /** Whose messages of a tape are reported. Default: the agent's. A host may say what it likes. */
  readonly from?: Tape.Speaker | "both"
  /** Whose messages they are. Default: what the file shows. */
  readonly runtime?: RuntimeKind
}

/** Push bytes in, read the findings out. */
export class Report {
  lines = 0
  unknownCount = 0
  invalidCount = 0
  readonly #options: ReportOptions
  readonly #source: WireSource
  readonly #counts = new Map<string, number>()
  readonly #unknown: Array<ReportJson["unknown"][number]> = []
  readonly #invalid: Array<ReportJson["invalid"][number]> = []
  readonly #drift = new Map<string, DriftRow>()
  #listener: Listener | undefined

  constructor(options: ReportOptions) {
    this.#options = options
    this.#source = new WireSource(options)
  }

  /** Takes the next bytes of the file. */
  async push(chunk: Uint8Array): Promise<void> {
    this.#take(await this.#source.push(chunk))
  }

  /** Takes the end of the file. */
  async end(): Promise<void> {
    this.#take(await this.#source.end())
  }

  /** How many messages there are of each name, most first. */
  get counts(): ReadonlyArray<readonly [string, number]> {
    return [...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  }

  /** What the file's findings make the command end with. */
  get exitCode(): ExitCode {
    if (this.invalidCount > 0) return 2
    return this.unknownCount > 0 || this.#drift.size > 0 ? 1 : 0
  }

  /** The report as data. */
  toJSON(): ReportJson {
    return {
      file: this.#options.file,
      lines: this.lines,
      known: this.lines - this.unknownCount - this.invalidCount,
      unknown: this.#unknown,
      invalid: this.#invalid,
      drift: [...this.#drift.values()]
    }
  }

  #take(items: ReadonlyArray<WireItem>): void {
    for (const one of items) {
      if (one._tag === "Wrong") {
        this.lines++
        this.#addInvalid(one.line, `not a line of a tape: ${one.message}`)
        continue
      }
      // Both sides are heard, whoever is reported: where the file has them, an answer is read as what it answers.
      this.#listener ??= this.#source.reading.listener()
      const answered = this.#listener.take(one, one.from)
      const { from = "agent" } = this.#options
      if (one.from === undefined || from === "both" || from === one.from) this.#add(one, answered)
    }
  }

  #add(decoded: AnyDecoded, answered: Answered | undefined): void {
    this.lines++
    switch (decoded._tag) {
      case "Known":
        this.#counts.set(decoded.name, (this.#counts.get(decoded.name) ?? 0) + 1)
        for (const found of this.#source.reading.drift(decoded.message)) this.#addDrift(decoded.name, found)
        if (answered !== undefined) this.#addAnswer(decoded.line, answered)
        return
      case "Unknown": {
        const { line, subtype, type } = decoded
        if (this.unknownCount++ < this.#options.maxFindings) {
          const known = { line, type: excerpt(type) }
          this.#unknown.push(subtype === undefined ? known : { ...known, subtype: excerpt(subtype) })
        }
        return
      }
      case "Invalid":
        this.#addInvalid(decoded.line, decoded.error.message)
    }
  }

  #addAnswer(line: number, { drift, name, payload }: Answered): void {
    if (payload._tag === "Invalid") this.#addInvalid(line, `${name}: ${payload.error.message}`)
    else for (const found of drift()) this.#addDrift(name, found)
  }

  #addInvalid(line: number, error: string): void {
    if (this.invalidCount++ < this.#options.maxFindings) this.#invalid.push({ line, error: excerpt(error) })
  }

  #addDrift(message: string, { example, path, ...odd }: Drift): void {
    const key = `${message} ${excerpt(path)}${odd.code === undefined ? "" : ` ${odd.code}`}`
    const row = this.#drift.get(key)
    if (row !== undefined) this.#drift.set(key, { ...row, count: row.count + 1 })
    else if (this.#drift.size < this.#options.maxFindings)
      this.#drift.set(key, { path: excerpt(path), message, example: exampleOf(example), count: 1, ...odd })
  }
}

/** How much of a text of the file is kept. */
const maxLength = 1000

/** A text that is short enough to keep; written anew, because a part of a string keeps the whole of it in memory. */
const excerpt = (text: string): string =>
  text.length > maxLength ? `${Buffer.from(text.slice(0, maxLength)).toString()}…` : text

/** A value that is short enough to keep; of a longer one, the beginning of its JSON. */
const exampleOf = (value: unknown): unknown => {
  if (typeof value === "string") return excerpt(value)
  if (typeof value !== "object" || value === null) return value
  const text = JSON.stringify(value)
  return text.length > maxLength ? excerpt(text) : value
}
