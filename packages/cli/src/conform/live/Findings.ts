/** The findings of a scenario. A server that does everything wrong gives a few of each rule, and a count of the rest. */
import type { Conform } from "@agentwire/protocol"
import { jsonOf } from "./Reading.ts"

/** How many findings of one rule are kept. */
const maxOfRule = 20

/** The longest excerpt, in characters. */
const maxExcerpt = 300

/** A finding about a conversation as a whole. */
export const findingOf = ({ id, level }: Conform.Rule, message: string, excerpt: unknown = ""): Conform.Finding => {
  const text = typeof excerpt === "string" ? excerpt : jsonOf(excerpt)
  const shown = text.length > maxExcerpt ? `${text.slice(0, maxExcerpt - 1)}…` : text
  return { rule: id, level, index: -1, message, excerpt: shown, prefix: 0 }
}

/** Collects findings. */
export class Findings {
  #kept: ReadonlyArray<Conform.Finding> = []
  #counts = new Map<string, number>()
  #leftOut = 0

  /** What is kept. */
  get kept(): ReadonlyArray<Conform.Finding> {
    return this.#kept
  }

  /** How many were not kept. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** Adds a finding, unless there are enough of its rule. */
  add(finding: Conform.Finding): void {
    const count = (this.#counts.get(finding.rule) ?? 0) + 1
    this.#counts.set(finding.rule, count)
    if (count > maxOfRule) this.#leftOut++
    else this.#kept = [...this.#kept, finding]
  }

  /** Takes back what was found in one answer, or in all since a moment. */
  forget(which: (finding: Conform.Finding) => boolean): void {
    this.#kept = this.#kept.filter((finding) => !which(finding))
    this.#counts = new Map()
    for (const { rule } of this.#kept) this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1)
  }
}
