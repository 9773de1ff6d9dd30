/**
 * Plays scenarios to a Claude Code CLI, with a scripted model API on loopback and a home folder of its own, and judges
 * what it says: by the schemas, and by what is known of its version. No account is needed.
 */
import type { FoundCli } from "@agentwire/bridge/claude"
import { type Played, playScenario, scenarios } from "@agentwire/fixtures"
import { appliesTo, type Scenario } from "@agentwire/fixtures/scenario"
import { Conform, Tape } from "@agentwire/protocol"
import { Failure } from "../../../Failure.ts"
import { namedCli } from "../../../NamedCli.ts"
import { Report } from "../../../Report.ts"
import type { ScenarioResult } from "../../ScenarioResult.ts"
import { findingOf } from "../Findings.ts"
import { isSelected, type LiveSelection } from "../Runner.ts"
import { WireLog } from "../WireLog.ts"
import { type CliRuleId, cliRules } from "./CliRules.ts"
import { answerBreaches, factBreaches } from "./Facts.ts"
import { representativeScenarios } from "./Representative.ts"

/** What is played: most messages, and what shows facts and answers of a version besides. */
const names: ReadonlyArray<string> = [
  ...representativeScenarios,
  "no_init",
  "api_403",
  "set_permission_mode",
  "control_misc",
  "control_read"
]

const chosen: ReadonlyArray<Scenario> = names.flatMap((name) => scenarios.find((one) => one.name === name) ?? [])

const idOf = ({ name }: Scenario): string => `CLI-${name}`

/** The scenarios that {@link runCli} plays. */
export const cliScenarios: ReadonlyArray<{ readonly id: string; readonly title: string }> = chosen.map((scenario) => ({
  id: idOf(scenario),
  title: scenario.about
}))

/** How many are played at the same time. */
const concurrency = 2

/** Plays the scenarios to the CLI at a path. Throws a {@link Failure} when there is none, or it is mute. */
export const runCli = async (path: string, selection: LiveSelection): Promise<ReadonlyArray<ScenarioResult>> => {
  const program = await namedCli(path)
  const wanted = chosen.filter((scenario) => isSelected(idOf(scenario), selection))
  const results = new Map<Scenario, ScenarioResult>()
  const queue = [...wanted]
  let spoke = false
  let stderr = ""
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next && selection.signal?.aborted !== true; next = queue.shift()) {
      selection.onStart?.(idOf(next))
      const { played, result } = await judgeScenario(next, program, selection)
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
  readonly played?: Played
  readonly result: ScenarioResult
}

const judgeScenario = async (
  scenario: Scenario,
  cli: FoundCli,
  { signal, timeoutMs }: LiveSelection
): Promise<Done> => {
  const started = Date.now()
  const common = { scenario: idOf(scenario), title: scenario.about }
  const { version } = cli
  if (!appliesTo(scenario, version)) {
    const reason = `not for version ${version}`
    return { result: { ...common, verdict: "skip", reason, findings: [], wire: [], durationMs: 0 } }
  }
  const time = AbortSignal.timeout(timeoutMs)
  const until = signal === undefined ? time : AbortSignal.any([signal, time])
  const played = await playScenario({ cli, scenario, signal: until, version })
  const log = new WireLog((text) => text)
  for (const { from, line } of played.frames) log.add(from === "cli" ? "received" : "sent", line)
  const findings = judgeSession(scenario.name, version, played)
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

/** What is wrong with a session of a scenario. */
export const judgeSession = (
  scenario: string,
  version: string | undefined,
  { frames, problems, tapes }: Pick<Played, "frames" | "problems" | "tapes">
): ReadonlyArray<Conform.Finding> => [
  ...tapes.flatMap(judgeSchemas),
  ...(version === undefined ? [] : judgeVersion(scenario, version, frames)),
  ...problems.map((problem) => finding("CLI-PLAY-001", problem))
]

const judgeSchemas = (tape: Tape.Tape): ReadonlyArray<Conform.Finding> => {
  const report = new Report({ file: "", maxFindings: 20 })
  report.push(Buffer.from(Tape.encodeTape(tape)))
  report.end()
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

const judgeVersion = (scenario: string, version: string, frames: Played["frames"]): ReadonlyArray<Conform.Finding> => [
  ...factBreaches(scenario, version, frames).map(({ assumed, expected, fact, seen, source }) =>
    finding(assumed ? "CLI-FACT-002" : "CLI-FACT-001", `${fact} is ${seen}, not ${expected} (${source}).`)
  ),
  ...answerBreaches(version, frames).map(({ assumed, expected, seen, subtype }) =>
    finding(assumed ? "CLI-ANSWER-002" : "CLI-ANSWER-001", `${subtype} is answered as ${seen}, not ${expected}.`)
  )
]

const finding = (rule: CliRuleId, message: string, excerpt?: unknown): Conform.Finding =>
  findingOf(cliRules[rule], message, excerpt)
