/** Turns what the scenarios of a live run came to into subjects of a report. */
import type { Conform } from "@agentwire/protocol"
import type { ExpectedFailures } from "./ExpectedFailures.ts"
import type { ScenarioResult } from "./ScenarioResult.ts"
import type { Selection } from "./Selection.ts"
import { type Judged, type Subject, Tally, verdictOf } from "./Subject.ts"

/** How scenarios are judged. */
export interface LiveCheckOptions {
  readonly selection: Pick<Selection, "rule">
  readonly strict: boolean
  readonly expected?: ExpectedFailures
  /** What no report may show. */
  readonly secret?: string
}

/** A scenario, and its findings one by one. */
export interface Checked {
  readonly subject: Subject
  readonly findings: ReadonlyArray<Judged>
}

/** Judges the result of a scenario. */
export const checkScenario = (result: ScenarioResult, options: LiveCheckOptions): Checked => {
  const { durationMs, reason, scenario, title, wire } = result
  const common = { kind: "scenario", name: scenario, title, wire, durationMs } as const
  if (result.verdict === "skip") {
    const none = { errors: 0, warnings: 0, infos: 0, expected: 0, rules: [] }
    const subject: Subject = { ...common, ...none, verdict: "skip", ...(reason !== undefined && { reason }) }
    return { subject, findings: [] }
  }
  options.expected?.begin(scenario, options.selection.rule)
  const tally = new Tally()
  const findings: Array<Judged> = []
  for (const finding of [...result.findings, ...own(result)]) {
    if (finding.rule !== scenario && !options.selection.rule(finding.rule)) continue
    const judged: Judged = options.expected?.has(scenario, finding) === true ? { ...finding, expected: true } : finding
    tally.add(judged)
    findings.push(judged)
  }
  const { counts, rules } = tally
  const verdict = verdictOf(counts, options.strict)
  return { subject: { ...common, ...counts, verdict, ...(reason !== undefined && { reason }), rules }, findings }
}

/** What the scenario itself says went wrong, where no finding says it. */
const own = ({ findings, reason, scenario, verdict }: ScenarioResult): ReadonlyArray<Conform.Finding> => {
  const level = verdict === "fail" ? "error" : verdict === "warn" ? "warning" : undefined
  if (level === undefined) return []
  const told = findings.some((finding) => finding.level === "error" || finding.level === level)
  const message = reason ?? "The scenario did not go as it should."
  return told ? [] : [{ rule: scenario, level, index: -1, message, excerpt: "", prefix: 0 }]
}
