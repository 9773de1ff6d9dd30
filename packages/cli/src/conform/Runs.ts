/** What `agentwire conform` does, by what it judges. */
import type { ExitCode, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { ReaderGone } from "../Console.ts"
import { describe, Failure } from "../Failure.ts"
import { chunksOf } from "../InputFile.ts"
import { limitsOf } from "../Limits.ts"
import { progressBar } from "../ProgressBar.ts"
import { runtimeKinds } from "../runtime/Runtimes.ts"
import type { ExpectedFailures } from "./ExpectedFailures.ts"
import { FileCheck, type FileCheckOptions } from "./FileCheck.ts"
import { writeList } from "./List.ts"
import { checkScenario } from "./LiveCheck.ts"
import type { LiveSelection } from "./live/index.ts"
import { parseUrl } from "./live/Target.ts"
import { loadReports } from "./Merge.ts"
import {
  cliOf,
  dialectOption,
  expectedOf,
  inputOf,
  type Mode,
  promptsOf,
  reporterOptions,
  targetName,
  targetOf,
  timeoutOf,
  tokenOf
} from "./Options.ts"
import { ruleIds } from "./Rules.ts"
import { Reporter } from "./report/Reporter.ts"
import type { ScenarioResult } from "./ScenarioResult.ts"
import { type Selection, selectionOf } from "./Selection.ts"
import { loadSource } from "./Source.ts"
import { type Subject, type Summary, Tally } from "./Subject.ts"

const exitCode = ({ verdict }: Summary): ExitCode => (verdict === "fail" ? 1 : 0)

/** What is done in each mode. */
export const runs: Readonly<Record<Mode, (input: Input, console: Console) => Promise<ExitCode>>> = {
  files: async (input, console) => {
    const expected = await expectedOf(input)
    const [dialect, request] = [dialectOption(input), await inputOf(input)]
    const limits = limitsOf(input)
    const source = input.values["source"]
    const options: FileCheckOptions = {
      check: { ...(dialect !== undefined && { dialect }), ...(request !== undefined && { input: request }) },
      selection: selectionOf(input.lists["only"] ?? [], input.lists["skip"] ?? [], { rules: ruleIds, scenarios: [] }),
      strict: input.values["strict"] === true,
      ...(expected !== undefined && { expected }),
      limits,
      ...(typeof source === "string" && { source: await loadSource(source, limits) })
    }
    const reporter = new Reporter(reporterOptions(input), console)
    let failed = false
    for (const file of input.positionals) {
      const subject = await judge(file, options, reporter, console, input.values["debug"] === true)
      failed ||= subject.unreadable === true
      await reporter.subject(subject)
    }
    await reportStale(expected, input, reporter, console)
    const summary = await reporter.end("recorded events", undefined)
    return failed ? 2 : exitCode(summary)
  },

  live: async (input, console) => {
    const target = targetOf(input)
    parseUrl(target.url)
    const { liveScenarios, runLive } = await import("./live/index.ts")
    return scenarios(input, console, targetName(target), liveScenarios, (selection) => runLive(target, selection))
  },

  cli: async (input, console) => {
    const cli = cliOf(input)
    const { cliScenarios, runCli } = await import("./live/index.ts")
    return scenarios(input, console, cli.path, cliScenarios(cli.runtime), (selection) => runCli(cli, selection))
  },

  "app-server": async (input, console) => {
    const { appServerScenarios, appServerTarget, runAppServer } = await import("./appserver/index.ts")
    const named = String(input.values["app-server"])
    const target = appServerTarget(named, tokenOf(input))
    return scenarios(input, console, named, appServerScenarios, (selection) => runAppServer(target, selection))
  },

  merge: async (input, console) => {
    const reporter = new Reporter(reporterOptions(input), console)
    return exitCode(
      await reporter.merged(await loadReports(input.positionals, input.values["strict"] === true, limitsOf(input)))
    )
  },

  list: async (input, console) => {
    const { cliScenarios, liveScenarios } = await import("./live/index.ts")
    const { appServerScenarios } = await import("./appserver/index.ts")
    const played = appServerScenarios.map(({ id, model, title }) => ({
      id,
      title,
      ...(model !== undefined && { needs: "a model that the suite scripts" })
    }))
    await writeList(input, [...liveScenarios, ...runtimeKinds.flatMap(cliScenarios), ...played], console)
    return 0
  }
}

// --- files -----------------------------------------------------------------------------------

const judge = async (
  file: string,
  options: FileCheckOptions,
  reporter: Reporter,
  console: Console,
  debug: boolean
): Promise<Subject> => {
  const check = new FileCheck(file, options)
  const about = { kind: "file", name: file } as const
  try {
    let shown = Date.now()
    let bytes = 0
    for await (const chunk of chunksOf(file, console.stdin)) {
      await reporter.findings(about, check.push(chunk))
      bytes += chunk.length
      if (Date.now() - shown > 500) {
        shown = Date.now()
        console.progress(`${file}: ${Math.round(bytes / 1e6)} MB, ${check.events} events …`)
      }
    }
    await reporter.findings(about, check.end())
    const { subject } = check
    if (subject.events === 0 && subject.rules.length === 0) throw new Failure(`${file} has no events.`)
    return subject
  } catch (error) {
    if (error instanceof ReaderGone) throw error
    if (!(error instanceof Failure)) throw error
    console.err(describe(error, debug))
    const { subject } = check
    return { ...subject, verdict: "fail", unreadable: true, reason: error.message, errors: subject.errors + 1 }
  }
}

/** Entries of the file of expected failures that are out of date are findings in that file. */
const reportStale = async (
  expected: ExpectedFailures | undefined,
  { values }: Input,
  reporter: Reporter,
  console: Console
): Promise<void> => {
  const file = values["expected-failures"]
  if (expected === undefined || typeof file !== "string") return
  for (const { line, text } of expected.untested)
    console.err(`${file} line ${line}: "${text}" was not put to the test.`)
  const { stale } = expected
  if (stale.length === 0) return
  const tally = new Tally()
  for (const finding of stale) tally.add(finding)
  const subject: Subject = { kind: "file", name: file, verdict: "fail", ...tally.counts, rules: tally.rules, wire: [] }
  await reporter.findings(subject, stale)
  await reporter.subject(subject)
}

// --- scenarios -------------------------------------------------------------------------------

const scenarios = async (
  input: Input,
  console: Console,
  target: string,
  known: ReadonlyArray<{ readonly id: string }>,
  play: (selection: LiveSelection) => Promise<ReadonlyArray<ScenarioResult>>
): Promise<ExitCode> => {
  const expected = await expectedOf(input)
  const prompts = await promptsOf(input)
  const ids = { rules: ruleIds, scenarios: known.map(({ id }) => id) }
  const selection: Selection = selectionOf(input.lists["only"] ?? [], input.lists["skip"] ?? [], ids)
  const options = { selection, strict: input.values["strict"] === true, ...(expected !== undefined && { expected }) }
  const reporter = new Reporter(reporterOptions(input), console)
  const chosen = selection.scenarios ?? ids.scenarios
  let done = 0
  const bar = progressBar(chosen.length, console.progress)
  // Results come while others still run; what they write must come one after the other.
  let writing: Promise<void> = Promise.resolve()
  const onResult = (result: ScenarioResult): void => {
    const { findings, subject } = checkScenario(result, options)
    writing = writing.then(async () => {
      await reporter.findings(subject, findings)
      await reporter.subject(subject)
      done++
      bar.end(result.scenario)
    })
    // Whoever awaits it below is told of a failure; until then it is not one that nobody handles.
    writing.catch(() => {})
  }
  const stop = new AbortController()
  const interrupted = (): void => stop.abort()
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted)
  try {
    await play({
      ...(selection.scenarios !== undefined && { only: selection.scenarios }),
      ...prompts,
      timeoutMs: timeoutOf(input),
      onStart: bar.start,
      onResult,
      signal: stop.signal
    })
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted)
  }
  await writing
  await reportStale(expected, input, reporter, console)
  const summary = await reporter.end(target, target)
  if (stop.signal.aborted) throw new Failure(`Stopped: ${done} of ${chosen.length} scenarios are in the report.`)
  return exitCode(summary)
}
