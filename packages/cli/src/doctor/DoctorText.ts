/** The report of `agentwire doctor` for people. */
import type { Paint } from "../Paint.ts"
import type { Check } from "./checks/Check.ts"
import type { Checked, DoctorReport, Status } from "./Finding.ts"

const styles: Readonly<Record<Status, keyof Paint>> = {
  ok: "good",
  warning: "doubtful",
  problem: "bad",
  skipped: "quiet"
}

const statusWidth = Math.max(...Object.keys(styles).map(({ length }) => length))

/** The report, one check a line, with what to do below those that are not ok. */
export const doctorText = (
  { checks, problems, warnings }: DoctorReport,
  all: ReadonlyArray<Check>,
  paint: Paint
): string => {
  const titles = new Map(all.map(({ name, title }) => [name, title]))
  const titleOf = ({ check }: Checked): string => titles.get(check) ?? check
  const titleWidth = Math.max(...checks.map((each) => titleOf(each).length))
  const indent = " ".repeat(statusWidth + titleWidth + 4)
  const lines = checks.flatMap((each) => [
    `${paint[styles[each.status]](each.status.padEnd(statusWidth))}  ${titleOf(each).padEnd(titleWidth)}  ${each.found}`,
    ...(each.advice === undefined ? [] : [`${indent}${paint.strong(each.advice)}`])
  ])
  return [...lines, "", summaryOf(problems, warnings)].join("\n")
}

const summaryOf = (problems: number, warnings: number): string =>
  problems + warnings === 0
    ? "Everything is in order."
    : `${counted(problems, "problem")}, ${counted(warnings, "warning")}.`

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`
