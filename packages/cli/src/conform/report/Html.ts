/**
 * The report as one HTML page that needs nothing but itself: a matrix of files or scenarios and verdicts, several
 * servers side by side, and below it what was found in each, with its wire log.
 */
import { version } from "../../Version.ts"
import { requirementOf, specOf } from "../Rules.ts"
import { type Judged, type RuleTally, type Run, type Subject, summarize } from "../Subject.ts"
import { style } from "./HtmlStyle.ts"
import { escapeMarkup } from "./Markup.ts"
import { type MatrixRow, matrixRows } from "./Matrix.ts"
import { countWords, findingWords, sizeWords } from "./Words.ts"

/** How much of a wire log the page has, in characters. */
const maxWire = 64_000

/** The whole page. */
export const html = (runs: ReadonlyArray<Run>, strict: boolean): string => {
  const rows = matrixRows(runs)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>AG-UI conformance: ${escapeMarkup(runs.map(({ name }) => name).join(", "))}</title>
<style>${style}</style>
</head>
<body>
<h1>AG-UI conformance</h1>
<p class="soft">agentwire ${escapeMarkup(version())}${strict ? ", strict: warnings fail" : ""}</p>
<p class="filter"><label><input type="checkbox" id="unclean"> Show only warnings and failures</label></p>
<div class="scroll"><table>
<thead><tr><th scope="col">${rows.some(({ cells }) => cells.some((cell) => cell?.kind === "scenario")) ? "Scenario" : "File"}</th>${runs.map(columnHead(strict)).join("")}</tr></thead>
<tbody>
${rows.map(matrixRow).join("\n")}
</tbody>
</table></div>
<h2>What was found</h2>
${rows.map((row, index) => details(row, index, runs)).join("\n")}
</body>
</html>
`
}

const columnHead =
  (strict: boolean) =>
  ({ name, subjects }: Run): string => {
    const summary = summarize(subjects, strict)
    return `<th scope="col">${escapeMarkup(name)}<br>${verdictSpan(summary.verdict)} <span class="soft">${countWords(summary)}</span></th>`
  }

const verdictSpan = (verdict: string): string => `<span class="verdict ${verdict}">${verdict}</span>`

const isClean = ({ cells }: MatrixRow): boolean =>
  cells.every((cell) => cell === undefined || cell.verdict === "pass" || cell.verdict === "skip")

const matrixRow = (row: MatrixRow, index: number): string => {
  const cells = row.cells.map((cell) => {
    if (cell === undefined) return '<td class="soft">not run</td>'
    const about = cell.rules.length === 0 ? "" : ` <span class="soft">${countWords(cell)}</span>`
    return `<td><a href="#s${index}">${verdictSpan(cell.verdict)}</a>${about}</td>`
  })
  return `<tr${isClean(row) ? ' class="clean"' : ""}><th scope="row">${label(row)}</th>${cells.join("")}</tr>`
}

const label = ({ name, title }: MatrixRow): string =>
  `<code>${escapeMarkup(name)}</code>${title === undefined ? "" : ` ${escapeMarkup(title)}`}`

const details = (row: MatrixRow, index: number, runs: ReadonlyArray<Run>): string =>
  `<section${isClean(row) ? ' class="clean"' : ""}>
<h3 id="s${index}">${label(row)}</h3>
<div class="sides">
${row.cells.map((cell, at) => (cell === undefined ? "" : side(cell, runs[at]?.name ?? ""))).join("\n")}
</div>
</section>`

const side = (subject: Subject, run: string): string => {
  const { reason, rules, verdict, wire } = subject
  const about = [verdict === "skip" ? "" : countWords(subject), sizeWords(subject)].filter((part) => part !== "")
  return `<div class="side">
<p>${verdictSpan(verdict)} <strong>${escapeMarkup(run)}</strong> <span class="soft">${about.join(", ")}</span></p>
${reason === undefined ? "" : `<p>${escapeMarkup(reason)}</p>`}
${rules.map(ruleBlock).join("\n")}
${wire.length === 0 ? "" : `<details class="wire"><summary>Wire log</summary>${wireLog(subject)}</details>`}
</div>`
}

const ruleBlock = ({ count, level, rule, samples }: RuleTally): string => {
  const spec = specOf(rule)
  const more = count - samples.length
  return `<p><span class="verdict ${level}">${level}</span> <code>${escapeMarkup(rule)}</code> ${escapeMarkup(requirementOf(rule) ?? "")}${spec === undefined ? "" : ` <span class="soft">[${escapeMarkup(spec)}]</span>`}</p>
<ul>
${samples.map(findingItem).join("\n")}
${more > 0 ? `<li class="soft">and ${more} more</li>` : ""}
</ul>`
}

const findingItem = (finding: Judged): string =>
  `<li>${escapeMarkup(findingWords(finding))}${finding.excerpt === "" ? "" : `<pre>${escapeMarkup(finding.excerpt)}</pre>`}</li>`

const wireLog = ({ events, wire }: Subject): string => {
  let left = maxWire
  const shown = wire.filter(({ text }) => {
    left -= text.length
    return left >= 0
  })
  const more = (events ?? wire.length) - shown.length
  return [
    ...shown.map(({ dir, text }) => `<pre class="${dir}">${escapeMarkup(text)}</pre>`),
    ...(more > 0 ? [`<p class="soft">and ${more} more</p>`] : [])
  ].join("\n")
}
