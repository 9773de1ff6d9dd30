/** `agentwire doctor` without its command line: runs the checks in order and gives the report. */
import * as Tape from "@agentwire/protocol/tape"
import * as Effect from "effect/Effect"
import { escapeControls } from "../Paint.ts"
import { secretValues } from "../record/Redaction.ts"
import { tokenVariable } from "../serve/OptionWords.ts"
import type { Check } from "./checks/Check.ts"
import { cli, login, transport, version } from "./checks/Cli.ts"
import { codex, codexApprovals, codexLogin, codexRoundTrip, codexSandbox, codexVersion } from "./checks/Codex.ts"
import { agentwire, node, packages } from "./checks/Installed.ts"
import { roundTrip } from "./checks/RoundTrip.ts"
import { port, state } from "./checks/Serving.ts"
import { type Checked, type DoctorReport, type Finding, reportOf } from "./Finding.ts"
import type { Surroundings } from "./Surroundings.ts"

/** All checks, in the order they are run and shown. */
export const checks: ReadonlyArray<Check> = [
  node,
  agentwire,
  cli,
  version,
  transport,
  login,
  roundTrip,
  state,
  port,
  ...packages,
  codex,
  codexVersion,
  codexLogin,
  codexRoundTrip,
  codexSandbox,
  codexApprovals
]

/** Notified as checks run. */
export interface Watcher {
  readonly onStart?: (check: Check) => void
  readonly onEnd?: (check: Check) => void
}

/** Runs the checks, one after the other. */
export const runChecks = (surroundings: Surroundings, { onEnd, onStart }: Watcher = {}): Effect.Effect<DoctorReport> =>
  Effect.forEach(checks, (check) =>
    Effect.suspend(() => {
      onStart?.(check)
      return check.inspect(surroundings)
    }).pipe(
      Effect.map((finding): Checked => ({ check: check.name, ...withoutSecrets(finding, surroundings) })),
      Effect.tap(() => Effect.sync(() => onEnd?.(check)))
    )
  ).pipe(Effect.map(reportOf))

/** Texts may have words of a program that was run with the person's environment. */
const withoutSecrets = (finding: Finding, { env }: Surroundings): Finding => {
  const values = secretValues(env, [tokenVariable])
  const clean = (text: string) => escapeControls(Tape.redactText(text, { values }))
  return {
    ...finding,
    found: clean(finding.found),
    ...(finding.advice !== undefined && { advice: clean(finding.advice) })
  }
}
