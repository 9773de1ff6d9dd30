/**
 * Plays scenarios to a CLI, Claude Code or Codex, with a scripted model API on loopback and a home folder of its own, and
 * judges what it says: by the schemas, and by what is known of its version. No account is needed.
 */
import type { FoundCli } from "@agentwire/bridge/claude"
import * as Conform from "@agentwire/protocol/conform"
import * as Tape from "@agentwire/protocol/tape"
import { Failure } from "../../../Failure.ts"
import { namedCli } from "../../../NamedCli.ts"
import { Report } from "../../../Report.ts"
import type { RuntimeKind } from "../../../runtime/Runtimes.ts"
import type { ScenarioResult } from "../../ScenarioResult.ts"
import { findingOf } from "../Findings.ts"
import { isSelected, type LiveSelection } from "../Runner.ts"
import { WireLog } from "../WireLog.ts"
import type { CliPlayed, CliScenario, CliSession } from "./CliKind.ts"
import { cliKinds } from "./CliKinds.ts"
import { type CliRuleId, cliRules } from "./CliRules.ts"

/** The scenarios that {@link runCli} plays to the CLI of a runtime. */
export const cliScenarios = (runtime: RuntimeKind): ReadonlyArray<{ readonly id: string; readonly title: string }> =>
  cliKinds[runtime].scenarios.map((scenario) => ({ id: idOf(runtime, scenario), title: scenario.about }))

const idOf = (runtime: RuntimeKind, { name }: CliScenario): string => `${cliKinds[runtime].prefix}-${name}`

/** How many are played at the same time. */
const concurrency = 2

/** Which CLI is judged. */
export interface CliSubject {
  /** Its path, or its name in the PATH. */
  readonly path: string
  readonly runtime: RuntimeKind
}

/** Plays the scenarios to a CLI. Throws a {@link Failure} when there is none, or it is mute. */
export const runCli = async (
  { path, runtime }: CliSubject,
  selection: LiveSelection
): Promise<ReadonlyArray<ScenarioResult>> => {
  const program = await namedCli(path, runtime)
  const wanted = cliKinds[runtime].scenarios.filter((scenario) => isSelected(idOf(runtime, scenario), selection))
  const results = new Map<CliScenario, ScenarioResult>()
  const queue = [...wanted]
  let spoke = false
  let stderr = ""
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next && selection.signal?.aborted !== true; next = queue.shift()) {
      selection.onStart?.(idOf(runtime, next))
      const { played, result } = await judgeScenario(next, program, runtime, selection)
      spoke ||= played === undefined || played.frames.some(({ from }) => from === "cli")
      stderr ||= played?.stderr.trim().split("\n")[0] ?? ""
      results.set(next, result)
      selection.onResult?.(result)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  if (results.size > 0 && !spoke && selection.signal?.aborted !== true) {
    throw new Failure(`The CLI said nothing in any scenario${stderr ? `; on stderr: ${stderr}` : "."}`)
  }
  return wanted.flatMap((scenario) => results.get(scenario) ?? [])
}

interface Done {
  readonly played?: CliPlayed
  readonly result: ScenarioResult
}

const judgeScenario = async (
  scenario: CliScenario,
  cli: FoundCli,
  runtime: RuntimeKind,
  { signal, timeoutMs }: LiveSelection
): Promise<Done> => {
  const started = Date.now()
  const common = { scenario: idOf(runtime, scenario), title: scenario.about }
  const { version } = cli
  if (!scenario.appliesTo(version)) {
    const reason = `not for version ${version}`
    return { result: { ...common, verdict: "skip", reason, findings: [], wire: [], durationMs: 0 } }
  }
  const time = AbortSignal.timeout(timeoutMs)
  const until = signal === undefined ? time : AbortSignal.any([signal, time])
  const played = await scenario.play({ cli, signal: until })
  const log = new WireLog((text) => text)
  for (const { from, line } of played.frames) log.add(from === "cli" ? "received" : "sent", line)
  const findings = await judgeSession({ runtime, scenario: scenario.name, version }, played)
  const late = time.aborted ? [finding("CLI-PLAY-001", `It did not end within ${timeoutMs} ms.`)] : []
  const all = [...findings, ...late]
  const stopped = signal?.aborted === true
  return {
    played,
    result: {
      ...common,
      verdict: stopped ? "skip" : Conform.verdictOf(all).verdict,
      ...(stopped && { reason: "stopped by the user" }),
      findings: all,
      wire: log.entries,
      durationMs: Date.now() - started
    }
  }
}

/** Which session is judged. */
export interface JudgedSession {
  readonly runtime: RuntimeKind
  readonly scenario: string
  readonly version: string
}

/** What is wrong with a session of a scenario. */
export const judgeSession = async (
  { runtime, scenario, version }: JudgedSession,
  { frames, problems, tapes }: CliSession
): Promise<ReadonlyArray<Conform.Finding>> => [
  ...(await Promise.all(tapes.map(judgeSchemas))).flat(),
  ...cliKinds[runtime].breaches(scenario, version, frames).map(({ message, rule }) => finding(rule, message)),
  ...problems.map((problem) => finding("CLI-PLAY-001", problem))
]

const judgeSchemas = async (tape: Tape.Tape): Promise<ReadonlyArray<Conform.Finding>> => {
  const report = new Report({ file: "", maxFindings: 20 })
  await report.push(Buffer.from(Tape.encodeTape(tape)))
  await report.end()
  const { drift, invalid, unknown } = report.toJSON()
  return [
    ...unknown.map(({ line, subtype, type }) =>
      finding("CLI-SCHEMA-001", `Line ${line}: no schema knows ${subtype === undefined ? type : `${type}/${subtype}`}.`)
    ),
    ...invalid.map(({ error, line }) => finding("CLI-SCHEMA-002", `Line ${line}: ${error.replace(/\s+/g, " ")}`)),
    ...drift.map(({ count, example, message, path }) =>
      finding("CLI-SCHEMA-003", `${message} has ${path}, ${count} times.`, example)
    )
  ]
}

const finding = (rule: CliRuleId, message: string, excerpt?: unknown): Conform.Finding =>
  findingOf(cliRules[rule], message, excerpt)
