/** Judges one file of recorded events while it is read, in memory that does not grow with it. */

import type { Decoded } from "@agentwire/protocol/claude"
import * as Conform from "@agentwire/protocol/conform"
import { defaultLimits, Held, type Limits } from "../Limits.ts"
import { EventSource } from "./EventSource.ts"
import type { ExpectedFailures } from "./ExpectedFailures.ts"
import { LineIndex } from "./LineIndex.ts"
import type { WireEntry } from "./ScenarioResult.ts"
import type { Selection } from "./Selection.ts"
import { type Judged, type Subject, Tally, verdictOf } from "./Subject.ts"

/** How files are judged. */
export interface FileCheckOptions {
  readonly check: Conform.CheckOptions
  readonly selection: Pick<Selection, "rule">
  readonly strict: boolean
  readonly expected?: ExpectedFailures
  /** The session that the events were made from. With it the events of the file are kept in memory. */
  readonly source?: ReadonlyArray<Decoded>
  readonly limits?: Limits
}

/** How many events at the start of a file the wire log has. */
const logged = 200

/** How much of each. */
const maxLogged = 1000

/** Push bytes in, take findings out; the subject is there at the end. */
export class FileCheck {
  events = 0
  readonly #file: string
  readonly #options: FileCheckOptions
  readonly #source: EventSource
  readonly #checker: Conform.Checker
  readonly #lines = new LineIndex()
  readonly #tally = new Tally()
  readonly #wire: Array<WireEntry> = []
  readonly #kept: Array<unknown> = []
  readonly #held: Held

  constructor(file: string, options: FileCheckOptions) {
    this.#file = file
    this.#options = options
    const { limits = defaultLimits } = options
    this.#source = new EventSource(file === "-" ? "Standard input" : file, limits, options.check.dialect)
    this.#held = new Held(file, limits)
    this.#checker = Conform.makeChecker(options.check)
    options.expected?.begin(file, options.selection.rule)
  }

  /** What the next bytes of the file show. */
  push(chunk: Uint8Array): ReadonlyArray<Judged> {
    if (this.#options.source !== undefined) this.#held.add(chunk.length)
    return this.#read(this.#source.push(chunk))
  }

  /** What events show that were never bytes. */
  pushEvents(events: Iterable<unknown>): ReadonlyArray<Judged> {
    const found: Array<Judged> = []
    for (const event of events) this.#event(event, found)
    return found
  }

  /** What the end of the file shows. */
  end(): ReadonlyArray<Judged> {
    const found = [...this.#read(this.#source.end())]
    this.#judge(this.#checker.end(), found)
    const { check, source } = this.#options
    if (source !== undefined) this.#judge(Conform.checkFidelity(source, this.#kept, check), found)
    return found
  }

  /** The file, judged so far. */
  get subject(): Subject {
    const { counts, rules } = this.#tally
    const verdict = verdictOf(counts, this.#options.strict)
    return { kind: "file", name: this.#file, verdict, ...counts, events: this.events, rules, wire: this.#wire }
  }

  #read(items: ReturnType<EventSource["push"]>): ReadonlyArray<Judged> {
    const found: Array<Judged> = []
    for (const item of items) {
      if (item._tag === "Finding") {
        this.#judge([item.finding], found, item.line)
        continue
      }
      if (item.line !== undefined) this.#lines.add(item.line)
      if (this.#wire.length < logged)
        this.#wire.push({ dir: "received", text: JSON.stringify(item.event).slice(0, maxLogged) })
      this.#event(item.event, found)
    }
    return found
  }

  #event(event: unknown, into: Array<Judged>): void {
    this.events++
    if (this.#options.source !== undefined) this.#kept.push(event)
    this.#judge(this.#checker.push(event), into)
  }

  #judge(findings: ReadonlyArray<Conform.Finding>, into: Array<Judged>, at?: number): void {
    const { expected, selection } = this.#options
    for (const finding of findings) {
      if (!selection.rule(finding.rule)) continue
      const line = at ?? this.#lines.lineOf(finding.index)
      const judged: Judged = {
        ...finding,
        ...(line !== undefined && { line }),
        ...(expected?.has(this.#file, finding) === true && { expected: true })
      }
      this.#tally.add(judged)
      into.push(judged)
    }
  }
}
