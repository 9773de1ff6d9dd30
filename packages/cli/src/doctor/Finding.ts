/** What `agentwire doctor` says, as data: one finding for each check, and what they come to. */

/** `skipped` was not looked at: it was not asked for, or what it needs is missing. */
export type Status = "ok" | "warning" | "problem" | "skipped"

/** What a check found. */
export interface Finding {
  readonly status: Status
  /** One line. */
  readonly found: string
  /** What to do about it; where something can be typed, that. */
  readonly advice?: string
  /** The same for programs. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>
}

/** A finding and the check that made it. */
export interface Checked extends Finding {
  /** Stable: programs look findings up by it. */
  readonly check: string
}

/** Everything that was found, as `--json` prints it. */
export interface DoctorReport {
  /** Whether there is no problem. */
  readonly ok: boolean
  readonly problems: number
  readonly warnings: number
  readonly checks: ReadonlyArray<Checked>
}

/** What findings come to. */
export const reportOf = (checks: ReadonlyArray<Checked>): DoctorReport => {
  const count = (status: Status) => checks.filter((each) => each.status === status).length
  const problems = count("problem")
  return { ok: problems === 0, problems, warnings: count("warning"), checks }
}
