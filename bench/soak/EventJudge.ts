/**
 * Judges a stream of events on one thread: that it conforms, that nothing in it is from another thread, and that it
 * ends with the end of a run.
 */

import { Agui, Conform } from "@agentwire/protocol"
import { isRecord } from "@agentwire/protocol/wire"
import { countMarks } from "./Mark.ts"

/** An event as far as a client looks at it. */
export interface SeenEvent {
  readonly type: string
  readonly runId?: string
  readonly code?: string
  readonly outcome?: { readonly type: string; readonly interrupts?: ReadonlyArray<{ readonly id: string }> }
}

/** How many objections of one stream are told: what is wrong once is wrong often. */
const maxObjections = 3

/** How many of the last events are kept as evidence. */
const kept = 400

/** A judge of one stream. */
export class EventJudge {
  readonly objections: Array<string> = []
  /** How many events there were. */
  events = 0
  /** How often the thread's own mark was there. */
  own = 0
  last: SeenEvent | undefined
  /** The last events before the first objection, and some that followed. */
  readonly evidence: Array<unknown> = []
  readonly #mark: string
  readonly #name: string
  readonly #checker: Conform.Checker

  constructor(name: string, mark: string, options: Conform.CheckOptions) {
    this.#name = name
    this.#mark = mark
    this.#checker = Conform.makeChecker(options)
  }

  /** Looks at the next event. */
  push(event: unknown): void {
    this.events++
    if (isEvent(event)) this.last = event
    this.evidence.push(event)
    if (this.objections.length === 0 && this.evidence.length > 2 * kept) this.evidence.splice(0, kept)
    this.take(this.#checker.push(event))
    this.look(JSON.stringify(event))
  }

  /** Takes what another judge found in the same stream. */
  take(findings: ReadonlyArray<Conform.Finding>): void {
    for (const { excerpt, level, message, rule } of findings)
      if (level === "error") this.object(`breaks ${rule}: ${message} ${excerpt}`)
  }

  /** Looks for marks in a text. */
  look(text: string): void {
    const { foreign, own } = countMarks(text, this.#mark)
    this.own += own
    if (foreign > 0) this.object(`has ${foreign} marks of another thread: ${text.slice(0, 300)}`)
  }

  /** Whether the last event ended a run. */
  get hasEnded(): boolean {
    return this.last !== undefined && Agui.endsRun(this.last)
  }

  /** Says what is wrong with a stream that ends here. */
  end(): void {
    this.take(this.#checker.end())
    if (this.events > 0 && !this.hasEnded)
      this.object(`ends with ${this.last?.type ?? "nothing"} instead of the end of a run`)
  }

  /** Notes an objection. */
  object(words: string): void {
    if (this.objections.length < maxObjections) this.objections.push(`${this.#name} ${words}`)
  }
}

const isEvent = (value: unknown): value is SeenEvent => isRecord(value) && typeof value["type"] === "string"

/** Judges the bytes of a response as they come, and gives its events. */
export const judgeBytes = (
  judge: EventJudge,
  dialect: Agui.Dialect
): { readonly push: (bytes: Uint8Array) => ReadonlyArray<SeenEvent>; readonly end: () => void } => {
  const reader = Conform.makeSseChecker({ dialect })
  const take = (items: ReadonlyArray<Conform.SseItem>): ReadonlyArray<SeenEvent> =>
    items.flatMap((item) => {
      if (item._tag === "Finding") {
        judge.take([item.finding])
        return []
      }
      judge.push(item.event)
      return isEvent(item.event) ? [item.event] : []
    })
  return {
    push: (bytes) => take(reader.push(bytes)),
    end: () => {
      take(reader.end())
      judge.end()
    }
  }
}
