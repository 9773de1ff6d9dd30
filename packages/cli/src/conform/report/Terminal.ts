/** The report for a person at a terminal: by file or scenario, then by rule, with the event that shows it. */
import type { Conform } from "@agentwire/protocol"
import { escapeControls, type Paint, type Wrap } from "../../Paint.ts"
import { requirementOf, specOf } from "../Rules.ts"
import type { Judged, RuleTally, Run, Subject, Summary, Verdict } from "../Subject.ts"
import { matrixRows } from "./Matrix.ts"
import { countWords, findingWords, sizeWords } from "./Words.ts"

/** How many findings of a rule are shown. */
const shown = 5

const verdictPaint: Readonly<Record<Verdict, keyof Paint>> = {
  pass: "good",
  warn: "doubtful",
  fail: "bad",
  skip: "quiet"
}

const levelPaint: Readonly<Record<Conform.Level, keyof Paint>> = { error: "bad", warning: "doubtful", info: "quiet" }

/** One file or scenario. */
export const renderSubject = (subject: Subject, paint: Paint): string => {
  const { name, reason, title, verdict } = subject
  // Said elsewhere: as a finding, or where errors are said.
  const told =
    subject.unreadable === true ||
    subject.rules.some(({ samples }) => samples.some(({ message }) => message === reason))
  const about = [verdict === "skip" ? "" : countWords(subject), sizeWords(subject)].filter((part) => part !== "")
  const label = paint[verdictPaint[verdict]](verdict.toUpperCase())
  const head = `${label} ${paint.strong(escapeControls(name))}${title === undefined ? "" : ` ${escapeControls(title)}`}`
  return [
    `${head}${paint.quiet(`: ${subject.unreadable === true ? "could not be judged" : about.join(", ")}`)}`,
    ...(reason === undefined || told ? [] : [`  ${escapeControls(reason)}`]),
    ...subject.rules.map((rule) => renderRule(rule, paint))
  ].join("\n")
}

const renderRule = ({ count, expected, level, rule, samples }: RuleTally, paint: Paint): string => {
  const wrap: Wrap = paint[expected === count ? "quiet" : levelPaint[level]]
  const [requirement, spec] = [requirementOf(rule), specOf(rule)]
  const source = spec === undefined ? "" : paint.quiet(` [${spec}]`)
  const head = `  ${wrap(level)} ${paint.strong(escapeControls(rule))}${requirement === undefined ? "" : ` ${requirement}${source}`}`
  const more = count - Math.min(count, shown)
  return [
    head,
    ...samples.slice(0, shown).map((finding) => renderFinding(finding, paint)),
    ...(more > 0 ? [paint.quiet(`    … and ${more} more`)] : [])
  ].join("\n")
}

const renderFinding = (finding: Judged, paint: Paint): string => {
  const head = `    ${escapeControls(findingWords(finding))}`
  return finding.excerpt === "" ? head : `${head}\n${paint.quiet(`      ${escapeControls(finding.excerpt)}`)}`
}

/** The last line. */
export const renderSummary = (subjects: ReadonlyArray<Subject>, summary: Summary, paint: Paint): string => {
  const of = (verdict: Verdict): number => subjects.filter((subject) => subject.verdict === verdict).length
  const verdicts = (["pass", "warn", "fail", "skip"] as const)
    .map((verdict) => ({ verdict, count: of(verdict) }))
    .filter(({ count }) => count > 0)
    .map(({ count, verdict }) => `${count} ${verdict}`)
  const label = paint[verdictPaint[summary.verdict]](summary.verdict.toUpperCase())
  return `${label}: ${countWords(summary)}${verdicts.length === 0 ? "" : paint.quiet(` (${verdicts.join(", ")})`)}`
}

/** Several runs side by side: a line for each subject, a column for each run. */
export const renderMatrix = (runs: ReadonlyArray<Run>, paint: Paint): string => {
  const rows = matrixRows(runs).map(({ cells, name, title }) => ({
    cells,
    label: escapeControls(title === undefined ? name : `${name} ${title}`)
  }))
  const width = Math.max(0, ...rows.map(({ label }) => label.length))
  const widths = runs.map(({ name }) => Math.max(4, escapeControls(name).length))
  const line = (label: string, cells: ReadonlyArray<string>) => `${label.padEnd(width)}  ${cells.join("  ")}`.trimEnd()
  return [
    line(
      "",
      runs.map(({ name }, index) => escapeControls(name).padEnd(widths[index] ?? 0))
    ),
    ...rows.map(({ cells, label }) =>
      line(
        label,
        cells.map((cell, index) => {
          const word = cell?.verdict ?? "-"
          const space = " ".repeat(Math.max(0, (widths[index] ?? 0) - word.length))
          return `${cell === undefined ? word : paint[verdictPaint[cell.verdict]](word)}${space}`
        })
      )
    )
  ].join("\n")
}
