/** `agentwire conform`: judges recorded AG-UI events, a live server or a CLI by the rules, and reports. */
import type { Command, ExitCode, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { ReaderGone } from "../Console.ts"
import type { ExpectedFailures } from "../conform/ExpectedFailures.ts"
import { FileCheck, type FileCheckOptions } from "../conform/FileCheck.ts"
import { writeList } from "../conform/List.ts"
import { checkScenario } from "../conform/LiveCheck.ts"
import type { LiveSelection } from "../conform/live/index.ts"
import { parseUrl } from "../conform/live/Target.ts"
import { loadReports } from "../conform/Merge.ts"
import {
  cliOf,
  dialectOption,
  expectedOf,
  inputOf,
  type Mode,
  modeOf,
  options,
  promptsOf,
  reporterOptions,
  targetName,
  targetOf,
  timeoutOf,
  tokenOf
} from "../conform/Options.ts"
import { ruleIds } from "../conform/Rules.ts"
import { Reporter } from "../conform/report/Reporter.ts"
import type { ScenarioResult } from "../conform/ScenarioResult.ts"
import { type Selection, selectionOf } from "../conform/Selection.ts"
import { loadSource } from "../conform/Source.ts"
import { type Subject, type Summary, Tally } from "../conform/Subject.ts"
import { describe, Failure } from "../Failure.ts"
import { chunksOf } from "../InputFile.ts"
import { limitsOf } from "../Limits.ts"
import { progressBar } from "../ProgressBar.ts"
import { runtimeKinds } from "../runtime/Runtimes.ts"

/** The command. */
export const conform: Command = {
  name: "conform",
  summary: "judge AG-UI events, a server or a CLI",
  usage: "FILE...|URL|--cli PATH|--app-server CMD|--merge REPORT...|--list [OPTIONS]",
  details: `FILE holds recorded AG-UI events: NDJSON, the bytes of an SSE response (as curl -N or
curl -iN shows them) or a JSON array, gzipped or not; "-" reads standard input. With --source,
a tape or the CLI's NDJSON, the events are also compared with the session they were made from.
NDJSON and SSE may be of any size. A JSON array, --source and the events that are compared
with it, and --merge are held in memory, up to --max-size.

URL is a live server: numbered scenarios are played to it. --cli PATH does the same with a
CLI, Claude Code or Codex by its files or its name or as --runtime says, and a scripted
model. --app-server CMD starts a server of Codex's app-server protocol for each scenario
("codex app-server"), in a home of its own and with a scripted model; at a ws:// URL, only
what needs no model is played. --merge puts reports that --json wrote side by side;
NAME=REPORT gives one a name.

IDS are ids of rules or scenarios, with * and ?, separated by commas. The file of expected
failures has one entry per line: a rule, a scenario or file, or one of those and a rule.

With --json, one object per line: findings {"rule","level","index","message","excerpt",
"prefix","line"?,"expected"?,"file" or "scenario"}, scenarios {"scenario","title","verdict",
"reason"?,"durationMs","wire"}, and last {"summary":{"verdict":"pass"|"warn"|"fail",
"errors","warnings","infos"},"expected"?,"agentwire","target" or "files"}.
With --merge, one object: {"runs":[NAME...],"subjects":[{"name","title"?,"verdicts"}],
"summary","agentwire"}: verdicts has one for each run, null where it has none.
With --list, one for each: {"rule","family","level","dialects","requirement","spec"} or
{"scenario","title","needs"?}.

Exit code 0 when it passes, 1 when it fails, 2 when it could not be determined.`,
  options,
  run: async (input, console) => {
    const mode = modeOf(input)
    return runs[mode](input, console)
  }
}

const exitCode = ({ verdict }: Summary): ExitCode => (verdict === "fail" ? 1 : 0)

const runs: Readonly<Record<Mode, (input: Input, console: Console) => Promise<ExitCode>>> = {
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
    const { liveScenarios, runLive } = await import("../conform/live/index.ts")
    return scenarios(input, console, targetName(target), liveScenarios, (selection) => runLive(target, selection))
  },

  cli: async (input, console) => {
    const cli = cliOf(input)
    const { cliScenarios, runCli } = await import("../conform/live/index.ts")
    return scenarios(input, console, cli.path, cliScenarios(cli.runtime), (selection) => runCli(cli, selection))
  },

  "app-server": async (input, console) => {
    const { appServerScenarios, appServerTarget, runAppServer } = await import("../conform/appserver/index.ts")
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
    const { cliScenarios, liveScenarios } = await import("../conform/live/index.ts")
    const { appServerScenarios } = await import("../conform/appserver/index.ts")
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
