/**
 * The report for programs: one object per line. A finding has `rule`, `level`, `index`, `message`, `excerpt`, `prefix`,
 * its `file` or `scenario`, and where they apply `line` and `expected`. A scenario has its verdict and its wire log.
 * The last object is the summary, with what the findings alone do not say: the target or the files.
 */
import { version } from "../../Version.ts"
import type { Judged, Run, Subject, Summary } from "../Subject.ts"
import { matrixRows } from "./Matrix.ts"

/** The line of a finding. */
export const findingLine = ({ kind, name }: Pick<Subject, "kind" | "name">, finding: Judged): string =>
  JSON.stringify({ [kind]: name, ...finding })

/** The line of a scenario, after those of its findings. */
export const scenarioLine = ({ durationMs, name, reason, title, verdict, wire }: Subject): string =>
  JSON.stringify({
    scenario: name,
    title,
    verdict,
    ...(reason !== undefined && { reason }),
    durationMs,
    wire
  })

/** The last line. */
export const summaryLine = (
  target: string | undefined,
  subjects: ReadonlyArray<Subject>,
  { errors, expected, infos, verdict, warnings }: Summary
): string =>
  JSON.stringify({
    summary: { verdict, errors, warnings, infos },
    ...(expected > 0 && { expected }),
    agentwire: version(),
    ...(target !== undefined && { target }),
    ...(subjects.some(({ kind }) => kind === "file") && {
      files: subjects.filter(({ kind }) => kind === "file").map(fileRow)
    })
  })

/** The line of several runs side by side. */
export const mergedLine = (runs: ReadonlyArray<Run>, { errors, infos, verdict, warnings }: Summary): string =>
  JSON.stringify({
    runs: runs.map(({ name }) => name),
    subjects: matrixRows(runs).map(({ cells, name, title }) => ({
      name,
      ...(title !== undefined && { title }),
      verdicts: cells.map((cell) => cell?.verdict ?? null)
    })),
    summary: { verdict, errors, warnings, infos },
    agentwire: version()
  })

const fileRow = ({ errors, events, infos, name, reason, verdict, warnings }: Subject) => ({
  file: name,
  verdict,
  ...(reason !== undefined && { reason }),
  errors,
  warnings,
  infos,
  ...(events !== undefined && { events })
})
