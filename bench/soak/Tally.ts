/** What happened in a soak, counted; and what its judges object to, with the events that show it. */
import { appendFileSync } from "node:fs"

/** Counts by name. */
export class Tally {
  readonly objections: Array<string> = []
  readonly #counts = new Map<string, Map<string, number>>()
  readonly #evidence: string

  /** Evidence goes to this file. */
  constructor(evidence: string) {
    this.#evidence = evidence
  }

  /** Counts something of a group. */
  count(group: string, name: string, by = 1): void {
    const counts = this.#counts.get(group) ?? new Map<string, number>()
    this.#counts.set(group, counts.set(name, (counts.get(name) ?? 0) + by))
  }

  /** How often something of a group happened; all of the group when no name is given. */
  total(group: string, name?: string): number {
    const counts = this.#counts.get(group)
    if (name !== undefined) return counts?.get(name) ?? 0
    return [...(counts?.values() ?? [])].reduce((sum, n) => sum + n, 0)
  }

  /** Notes objections. */
  object(...words: ReadonlyArray<string>): void {
    this.objections.push(...words)
  }

  /** Notes objections to some events, and keeps the events. */
  objectTo(objections: ReadonlyArray<string>, evidence: ReadonlyArray<unknown>): void {
    this.object(...objections)
    if (objections.length > 0) appendFileSync(this.#evidence, `${JSON.stringify({ objections, evidence })}\n`)
  }

  /** A group in a line, the most frequent first. */
  line(group: string): string {
    const counts = [...(this.#counts.get(group) ?? [])].sort(([, a], [, b]) => b - a)
    return counts.length === 0 ? "none" : counts.map(([name, n]) => `${name} ${n}`).join(", ")
  }
}
