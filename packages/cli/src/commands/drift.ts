/** `agentwire drift`: records a CLI release and says what it changed, against the schemas and the library. */
import type { FoundCli } from "@agentwire/bridge/claude"
import {
  findTape,
  installCli,
  loadTape,
  missingFrom,
  outlineOf,
  type Recorded,
  readRecording,
  recordAll,
  recordings,
  scenarios,
  wireLines
} from "@agentwire/fixtures"
import { appliesTo, type Scenario } from "@agentwire/fixtures/scenario"
import { type Command, columns } from "../Command.ts"
import type { Console } from "../Console.ts"
import { representativeScenarios } from "../conform/live/cli/Representative.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { namedCli } from "../NamedCli.ts"
import { didYouMean } from "../Nearest.ts"
import { progressBar } from "../ProgressBar.ts"
import { Report } from "../Report.ts"

/** The command. */
export const drift: Command = {
  name: "drift",
  summary: "record a CLI release and say what it changed",
  usage: "--cli PATH|VERSION [--json] [SCENARIO...]",
  details: `Plays a representative set of scenarios to that CLI, with a scripted model API on loopback and
a home folder of its own, and reads what it says with the schemas: types that no schema
knows, lines that cannot be read, keys and values the schemas do not name, and odd keys:
missing or of another type. Then compares types and keys with those that the newest
version of the library of tapes has in the same scenarios. A VERSION that is not there is
installed into the cache. No account is needed; it takes less than two minutes. With
SCENARIO, plays those only.

With --json, one object:
{"cli","version","library","scenarios","unknown","invalid","drift","new","gone","problems"}

Exit code 0 when nothing changed, 1 when something did, 2 when it could not be determined.`,
  options: {
    cli: { type: "string", value: "PATH|VERSION", summary: "the CLI, as a program or as a version" },
    json: { type: "boolean", summary: "write one JSON object" }
  },
  run: async ({ positionals, values }, console) => {
    const which = values["cli"]
    if (typeof which !== "string") throw new UsageFailure("drift needs --cli PATH or --cli VERSION.")
    checkNames(positionals)
    const cli = await find(which, console)
    const { version } = cli
    const recorded = await record(cli, choose(positionals, version), console)
    const findings = judge(recorded)
    const summary = { cli: which, version, library: recordings.at(-1) ?? null, ...findings }
    await console.out(values["json"] === true ? JSON.stringify(summary) : render(summary))
    return sections.some(({ key }) => findings[key].length > 0) ? 1 : 0
  }
}

// --- the CLI ---------------------------------------------------------------------------------

const find = async (which: string, console: Console): Promise<FoundCli> => {
  if (/^\d+\.\d+\.\d+$/.test(which)) {
    console.progress(`Looking for ${which} …`)
    const cli = await installCli(which).catch((error: unknown) => {
      throw new Failure(`Version ${which} could not be installed: ${reasonOf(error)}`)
    })
    return { ...cli, version: which }
  }
  return namedCli(which)
}

const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  return text.split("\n").find((line) => /npm (ERR!|error) (?!code)/.test(line)) ?? text.split("\n")[0] ?? text
}

// --- what it says ----------------------------------------------------------------------------

const checkNames = (names: ReadonlyArray<string>): void => {
  const unheard = names.filter((name) => !scenarios.some((scenario) => scenario.name === name))
  if (unheard.length > 0)
    throw new UsageFailure(
      `There is no scenario ${unheard.join(", ")}.${didYouMean(
        unheard[0] ?? "",
        scenarios.map(({ name }) => name)
      )}`
    )
}

const choose = (names: ReadonlyArray<string>, version: string): ReadonlyArray<Scenario> => {
  const wanted = new Set(names.length > 0 ? names : representativeScenarios)
  return scenarios.filter((scenario) => wanted.has(scenario.name) && appliesTo(scenario, version))
}

const record = async (
  cli: FoundCli,
  chosen: ReadonlyArray<Scenario>,
  console: Console
): Promise<ReadonlyArray<Recorded>> => {
  const stop = new AbortController()
  const interrupted = () => stop.abort()
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted)
  const bar = progressBar(chosen.length, console.progress)
  try {
    const recorded = await recordAll({
      cli,
      scenarios: chosen,
      version: cli.version,
      signal: stop.signal,
      onStart: ({ name }) => bar.start(name),
      onDone: ({ scenario }) => bar.end(scenario.name)
    })
    if (stop.signal.aborted) throw new Failure("Stopped before it was known.")
    if (recorded.every(({ played }) => played.frames.every(({ from }) => from === "host"))) {
      const stderr = recorded[0]?.played.stderr.trim().split("\n")[0]
      throw new Failure(`The CLI said nothing in any scenario${stderr ? `; on stderr: ${stderr}` : "."}`)
    }
    return recorded
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted)
  }
}

interface Findings {
  readonly scenarios: number
  readonly unknown: ReadonlyArray<string>
  readonly invalid: ReadonlyArray<string>
  readonly drift: ReadonlyArray<string>
  readonly new: ReadonlyArray<string>
  readonly gone: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
}

const judge = (recorded: ReadonlyArray<Recorded>): Findings => {
  const unknown = new Set<string>()
  const invalid = new Set<string>()
  const drifts = new Set<string>()
  for (const { played, scenario } of recorded) {
    const report = new Report({ file: scenario.name, maxFindings: 1000 })
    // Both sides: an answer is read as what was asked for.
    for (const { line } of played.frames) report.push(Buffer.from(`${line}\n`))
    report.end()
    const found = report.toJSON()
    for (const { subtype, type } of found.unknown) unknown.add(subtype === undefined ? type : `${type}/${subtype}`)
    for (const { error } of found.invalid) invalid.add(`${scenario.name}: ${error}`)
    for (const { example, message, path, problem } of found.drift)
      drifts.add(`${message} ${path}${problem === undefined ? ` = ${excerpt(example)}` : `: ${problem}`}`)
  }
  const newest = recordings.at(-1)
  const ours = outlineOf(fromCli(recorded.flatMap(({ played }) => played.frames)))
  const everything = outlineOf(newest === undefined ? [] : fromCli(readRecording(newest)))
  const same = outlineOf(recorded.flatMap(({ scenario }) => (newest === undefined ? [] : taped(scenario.name, newest))))
  return {
    scenarios: recorded.length,
    unknown: [...unknown],
    invalid: [...invalid],
    drift: [...drifts],
    new: missingFrom(everything, ours),
    gone: missingFrom(ours, same),
    problems: recorded.flatMap(({ problems, scenario }) => problems.map((problem) => `${scenario.name}: ${problem}`))
  }
}

const fromCli = (lines: ReadonlyArray<{ readonly from: string; readonly line: string }>): ReadonlyArray<string> =>
  lines.filter(({ from }) => from === "cli").map(({ line }) => line)

/** What the CLI says in the library's tapes of a scenario. */
const taped = (scenario: string, version: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (let run = 1; ; run++) {
    const entry = findTape({ scenario, version, run })
    if (entry === undefined) return lines
    lines.push(...fromCli(wireLines(scenario, loadTape(entry))))
  }
}

const excerpt = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "undefined"
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

// --- the report ------------------------------------------------------------------------------

const sections = [
  { key: "unknown", title: "Messages no schema knows" },
  { key: "invalid", title: "Lines that do not fit their schema" },
  { key: "drift", title: "Keys and values the schemas do not name, and odd keys" },
  { key: "new", title: "New: not in the library" },
  { key: "gone", title: "Gone: in the library, not here" },
  { key: "problems", title: "Did not go as the scenario says" }
] as const

const render = (
  found: Findings & { readonly cli: string; readonly version: string; readonly library: string | null }
): string => {
  const quiet = sections.every(({ key }) => found[key].length === 0)
  const head = `${found.version} against ${found.library}, ${found.scenarios} scenarios`
  return [
    `${head}: ${quiet ? "nothing new" : sections.map(({ key }) => `${found[key].length} ${key}`).join(", ")}`,
    ...sections
      .filter(({ key }) => found[key].length > 0)
      .map(({ key, title }) => `${title}\n${columns(found[key].map((row) => ["", row] as const))}`)
  ].join("\n\n")
}
