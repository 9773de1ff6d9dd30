/** Writes the reports of a run: findings to standard output while they come, files at the end. */
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Console } from "../../Console.ts"
import { Failure, UsageFailure, writeFailure } from "../../Failure.ts"
import { replaceFile } from "../../ReplaceFile.ts"
import { type Judged, type Run, type Subject, type Summary, summarize } from "../Subject.ts"
import { html } from "./Html.ts"
import { findingLine, mergedLine, scenarioLine, summaryLine } from "./Json.ts"
import { junit } from "./Junit.ts"
import { sarif } from "./Sarif.ts"
import { renderMatrix, renderSubject, renderSummary } from "./Terminal.ts"

/** The report files there are, by option. */
const formats = { junit, sarif, html } as const

/** The name of a report file's option. */
export type ReportFormat = keyof typeof formats

/** What is to be written. */
export interface ReporterOptions {
  /** JSON on standard output, instead of text. */
  readonly json: boolean
  readonly strict: boolean
  readonly files: Readonly<Partial<Record<ReportFormat, string>>>
}

/** Takes what is found, writes what is asked for. */
export class Reporter {
  readonly #options: ReporterOptions
  readonly #console: Console
  readonly #subjects: Array<Subject> = []

  /** Makes the folders of the report files, so that a long run does not end in vain. */
  constructor(options: ReporterOptions, console: Console) {
    this.#options = options
    this.#console = console
    for (const file of Object.values(options.files)) prepare(file)
  }

  /** Takes findings as they come. */
  async findings(subject: Pick<Subject, "kind" | "name">, findings: ReadonlyArray<Judged>): Promise<void> {
    if (!this.#options.json || findings.length === 0) return
    await this.#console.out(findings.map((finding) => findingLine(subject, finding)).join("\n"))
  }

  /** Takes a file or scenario when it is through. */
  async subject(subject: Subject): Promise<void> {
    this.#subjects.push(subject)
    if (!this.#options.json) await this.#console.out(renderSubject(subject, this.#console.paint))
    else if (subject.kind === "scenario") await this.#console.out(scenarioLine(subject))
  }

  /** Ends the report of one run. */
  async end(name: string, target: string | undefined): Promise<Summary> {
    const { json, strict } = this.#options
    const summary = summarize(this.#subjects, strict)
    this.#write([{ name, subjects: this.#subjects }])
    await this.#console.out(
      json
        ? summaryLine(target, this.#subjects, summary)
        : `${this.#subjects.length > 0 ? "\n" : ""}${renderSummary(this.#subjects, summary, this.#console.paint)}`
    )
    return summary
  }

  /** Reports several runs side by side. */
  async merged(runs: ReadonlyArray<Run>): Promise<Summary> {
    const subjects = runs.flatMap((run) => run.subjects)
    const summary = summarize(subjects, this.#options.strict)
    this.#write(runs)
    const { paint } = this.#console
    await this.#console.out(
      this.#options.json
        ? mergedLine(runs, summary)
        : `${renderMatrix(runs, paint)}\n\n${renderSummary(subjects, summary, paint)}`
    )
    return summary
  }

  #write(runs: ReadonlyArray<Run>): void {
    for (const format of ["junit", "sarif", "html"] as const) {
      const file = this.#options.files[format]
      if (file !== undefined) write(file, formats[format](runs, this.#options.strict))
    }
  }
}

const prepare = (file: string): void => {
  if (file === "" || file === "-")
    throw new UsageFailure("A report file needs a name: only --json goes to standard output.")
  if (existsSync(file) && statSync(file).isDirectory())
    throw new Failure(`Cannot write ${file}: it is a folder, not a file.`)
  attempt(file, () => mkdirSync(dirname(file), { recursive: true }))
}

const write = (file: string, text: string): void =>
  attempt(file, () => replaceFile(file, 0o666, (path) => writeFileSync(path, text)))

const attempt = (file: string, action: () => void): void => {
  try {
    action()
  } catch (error) {
    throw writeFailure(file, error)
  }
}
