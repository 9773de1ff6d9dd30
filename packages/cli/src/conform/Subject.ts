/**
 * What a report is about: one file of recorded events or one scenario of a live run, with what was found in it. Its
 * size is bounded, whatever the number of findings is: of each rule the first {@link maxSamples} are kept, all are
 * counted.
 */
import type { Conform } from "@agentwire/protocol"
import type { ScenarioResult, WireEntry } from "./ScenarioResult.ts"

/** A finding as the reports show it. */
export interface Judged extends Conform.Finding {
  /** The line of the file it is in, from 1, where there is one. */
  readonly line?: number
  /** The file of expected failures has it: it does not count. */
  readonly expected?: true
}

/** How many findings of a rule a subject keeps. */
const maxSamples = 100

/** What was found of one rule. */
export interface RuleTally {
  readonly rule: string
  readonly level: Conform.Level
  /** How many findings there are, expected ones included. */
  readonly count: number
  readonly expected: number
  /** The first of them. */
  readonly samples: ReadonlyArray<Judged>
}

/** How many findings of each level count. */
export interface Counts {
  readonly errors: number
  readonly warnings: number
  readonly infos: number
  /** Findings that were expected: they are in no other count. */
  readonly expected: number
}

/** The verdict on a subject. */
export type Verdict = ScenarioResult["verdict"]

/** A file or a scenario, judged. */
export interface Subject extends Counts {
  readonly kind: "file" | "scenario"
  /** The file as it was given, or the id of the scenario. */
  readonly name: string
  readonly title?: string
  readonly verdict: Verdict
  /** Why it was skipped, or why it could not be judged. */
  readonly reason?: string
  /** It could not be read to its end: {@link reason} says why. That counts as one error. */
  readonly unreadable?: true
  /** How many events there were, in a file. */
  readonly events?: number
  /** The worst first. */
  readonly rules: ReadonlyArray<RuleTally>
  readonly wire: ReadonlyArray<WireEntry>
  readonly durationMs?: number
}

/** The subjects of one server, CLI, or set of files. */
export interface Run {
  readonly name: string
  readonly subjects: ReadonlyArray<Subject>
}

/** Collects the findings of a subject. */
export class Tally {
  readonly #rules = new Map<string, { level: Conform.Level; count: number; expected: number; samples: Array<Judged> }>()
  readonly #counts = { error: 0, warning: 0, info: 0 }
  #expected = 0

  /** Counts a finding. */
  add(finding: Judged): void {
    const { expected, level, rule } = finding
    if (expected === true) this.#expected++
    else this.#counts[level]++
    const known = this.#rules.get(rule) ?? { level, count: 0, expected: 0, samples: [] }
    this.#rules.set(rule, known)
    known.count++
    if (expected === true) known.expected++
    if (known.samples.length < maxSamples) known.samples.push(finding)
    if (severity[level] < severity[known.level]) known.level = level
  }

  /** The counts so far. */
  get counts(): Counts {
    const { error, info, warning } = this.#counts
    return { errors: error, warnings: warning, infos: info, expected: this.#expected }
  }

  /** The findings so far, by rule, the worst first. */
  get rules(): ReadonlyArray<RuleTally> {
    return [...this.#rules]
      .map(([rule, found]) => ({ rule, ...found }))
      .sort((a, b) => severity[a.level] - severity[b.level])
  }
}

const severity: Readonly<Record<Conform.Level, number>> = { error: 0, warning: 1, info: 2 }

/** The verdict that counts make. */
export const verdictOf = (
  { errors, warnings }: Pick<Counts, "errors" | "warnings">,
  strict: boolean
): "pass" | "warn" | "fail" => {
  if (errors > 0 || (strict && warnings > 0)) return "fail"
  return warnings > 0 ? "warn" : "pass"
}

/** What all subjects come to. */
export interface Summary extends Counts {
  readonly verdict: "pass" | "warn" | "fail"
}

/** Adds subjects up. */
export const summarize = (subjects: ReadonlyArray<Subject>, strict: boolean): Summary => {
  const total = { errors: 0, warnings: 0, infos: 0, expected: 0 }
  for (const subject of subjects) {
    total.errors += subject.errors
    total.warnings += subject.warnings
    total.infos += subject.infos
    total.expected += subject.expected
  }
  return { verdict: verdictOf(total, strict), ...total }
}
