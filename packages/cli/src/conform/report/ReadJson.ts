/** Reads a report that `--json` wrote, so that several can be put side by side. */

import { Framer, type FramerOptions, isRecord, type Line, parseJson } from "@agentwire/protocol/wire"
import { Failure } from "../../Failure.ts"
import type { WireEntry } from "../ScenarioResult.ts"
import { type Judged, type Run, type Subject, Tally, type Verdict, verdictOf } from "../Subject.ts"

/** Push bytes in; the run is there at the end. */
export class JsonReport {
  readonly #file: string
  readonly #framer: Framer
  readonly #tallies = new Map<
    string,
    { readonly kind: Subject["kind"]; readonly name: string; readonly tally: Tally }
  >()
  readonly #rows = new Map<string, Row>()
  #summary: Row | undefined

  constructor(file: string, limits: FramerOptions) {
    this.#file = file
    this.#framer = new Framer(limits)
  }

  /** Takes the next bytes. */
  push(chunk: Uint8Array): void {
    this.#take(this.#framer.push(chunk))
  }

  /** The run; `name` stands for its target where it is given. Throws a {@link Failure} when the report is not whole. */
  end(name: string | undefined, strict: boolean): Run {
    this.#take(this.#framer.end())
    if (this.#summary === undefined)
      throw new Failure(`${this.#file} is cut: its last line is not the summary of \`agentwire conform --json\`.`)
    const target = this.#summary["target"]
    const files = this.#summary["files"]
    if (Array.isArray(files)) for (const row of files) if (isRecord(row)) this.#rows.set(`file ${row["file"]}`, row)
    const keys = new Set([...this.#rows.keys(), ...this.#tallies.keys()])
    return {
      name: name ?? (typeof target === "string" ? target : this.#file),
      subjects: [...keys].map((key) => this.#subject(key, strict))
    }
  }

  #take(lines: ReadonlyArray<Line>): void {
    for (const { number, text } of lines) {
      if (text.trim() === "") continue
      const row = parsed(text)
      if (row === undefined || !this.#add(row))
        throw new Failure(`${this.#file} line ${number} is not of a report that \`agentwire conform --json\` wrote.`)
    }
  }

  #add(row: Row): boolean {
    if (isRecord(row["summary"])) {
      this.#summary = row
      return true
    }
    const kind = typeof row["file"] === "string" ? "file" : "scenario"
    const name = row[kind]
    if (typeof name !== "string") return false
    const key = `${kind} ${name}`
    if (isVerdict(row["verdict"])) {
      this.#rows.set(key, row)
      return true
    }
    const finding = findingOf(row)
    if (finding === undefined) return false
    const known = this.#tallies.get(key) ?? { kind, name, tally: new Tally() }
    this.#tallies.set(key, known)
    known.tally.add(finding)
    return true
  }

  #subject(key: string, strict: boolean): Subject {
    const row = this.#rows.get(key) ?? {}
    const { kind, name } = this.#tallies.get(key) ?? split(key)
    const tally = this.#tallies.get(key)?.tally ?? new Tally()
    const { counts, rules } = tally
    const { durationMs, events, reason, title, verdict, wire } = row
    // Of a file, only that it could not be read has a reason.
    const unreadable = kind === "file" && typeof reason === "string"
    return {
      kind,
      name,
      ...(typeof title === "string" && { title }),
      verdict: verdict === "skip" ? "skip" : unreadable ? "fail" : verdictOf(counts, strict),
      ...(typeof reason === "string" && { reason }),
      ...counts,
      ...(unreadable && { unreadable, errors: counts.errors + 1 }),
      ...(typeof events === "number" && { events }),
      rules,
      wire: Array.isArray(wire) ? wire.filter(isWireEntry) : [],
      ...(typeof durationMs === "number" && { durationMs })
    }
  }
}

type Row = Readonly<Record<string, unknown>>

const parsed = (text: string): Row | undefined => {
  const value = parseJson(text)
  return isRecord(value) ? value : undefined
}

const split = (key: string): Pick<Subject, "kind" | "name"> => {
  const [kind = ""] = key.split(" ", 1)
  return { kind: kind === "file" ? "file" : "scenario", name: key.slice(kind.length + 1) }
}

const isVerdict = (value: unknown): value is Verdict =>
  value === "pass" || value === "warn" || value === "fail" || value === "skip"

const isWireEntry = (value: unknown): value is WireEntry =>
  isRecord(value) && (value["dir"] === "sent" || value["dir"] === "received") && typeof value["text"] === "string"

const findingOf = (row: Row): Judged | undefined => {
  const { excerpt, expected, index, level, line, message, prefix, rule } = row
  if (typeof rule !== "string" || typeof message !== "string" || typeof index !== "number") return undefined
  if (level !== "error" && level !== "warning" && level !== "info") return undefined
  return {
    rule,
    level,
    index,
    message,
    excerpt: typeof excerpt === "string" ? excerpt : "",
    prefix: typeof prefix === "number" ? prefix : 0,
    ...(typeof line === "number" && { line }),
    ...(expected === true && { expected })
  }
}
