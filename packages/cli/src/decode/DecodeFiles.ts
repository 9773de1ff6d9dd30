/** What `agentwire decode` does: reads files one after the other, and says what is in each. */
import { columns, type ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import { describe, Failure } from "../Failure.ts"
import { chunksOf } from "../InputFile.ts"
import { Report, type ReportOptions } from "../Report.ts"

/** How the files are read, and how it is said. */
export interface DecodeOptions extends Omit<ReportOptions, "file"> {
  readonly isJson: boolean
  readonly debug: boolean
}

/** Says what is in each file; a file that cannot be read does not keep the others from being read. */
export const decodeFiles = async (
  files: ReadonlyArray<string>,
  { debug, isJson, ...reading }: DecodeOptions,
  console: Console
): Promise<ExitCode> => {
  let worst: ExitCode = 0
  for (const file of files) {
    const report = new Report({ file, ...reading })
    try {
      await read(file, report, console)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      console.err(describe(error, debug))
      worst = 2
      continue
    }
    await console.out(isJson ? JSON.stringify(report.toJSON()) : render(report))
    if (report.exitCode > worst) worst = report.exitCode
  }
  return worst
}

const read = async (file: string, report: Report, console: Console): Promise<void> => {
  let bytes = 0
  let shown = Date.now()
  for await (const chunk of chunksOf(file, console.stdin)) {
    await report.push(chunk)
    bytes += chunk.length
    if (Date.now() - shown > 500) {
      shown = Date.now()
      console.progress(`${file}: ${Math.round(bytes / 1e6)} MB, ${report.lines} lines …`)
    }
  }
  await report.end()
}

const shownFindings = 20

const render = (report: Report): string => {
  const { drift, file, invalid, known, lines, unknown } = report.toJSON()
  const verdict = [
    `${known} known`,
    `${report.unknownCount} unknown`,
    `${report.invalidCount} invalid`,
    `${drift.length} ${drift.length === 1 ? "drift" : "drifts"}`
  ].join(", ")
  return [
    `${file}: ${lines} ${lines === 1 ? "line" : "lines"}: ${verdict}`,
    section(
      "Messages",
      report.counts.map(([name, number]) => [String(number).padStart(8), name])
    ),
    section(
      "Unknown",
      unknown.map(({ line, subtype, type }) => [`line ${line}`, subtype === undefined ? type : `${type}/${subtype}`]),
      report.unknownCount
    ),
    section(
      "Drift",
      drift.map(({ count, example, message, path, problem }) => [
        `${message} ${path}`,
        `${problem ?? excerpt(example)} (${count}×)`
      ])
    ),
    section(
      "Invalid",
      invalid.map(({ error, line }) => [`line ${line}`, error]),
      report.invalidCount
    )
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}

const section = (title: string, rows: ReadonlyArray<readonly [string, string]>, total = rows.length): string => {
  if (rows.length === 0) return ""
  const cut = title === "Messages" ? rows : rows.slice(0, shownFindings)
  const more = total - cut.length
  return `${title}\n${columns(cut)}${more > 0 ? `\n  … and ${more} more` : ""}`
}

const excerpt = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "undefined"
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
