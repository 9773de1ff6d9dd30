/** `agentwire drift`: records a CLI release and says what it changed, against the schemas and the library. */
import type { FoundCli } from "@agentwire/bridge/claude"
import { missingFrom, outlineOf, type WireLine } from "@agentwire/fixtures"
import { type Command, columns } from "../Command.ts"
import type { Console } from "../Console.ts"
import { type DriftLibrary, type DriftRun, driftLibraries } from "../drift/Libraries.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { namedCli } from "../NamedCli.ts"
import { didYouMean } from "../Nearest.ts"
import { oneOf } from "../OptionValue.ts"
import { progressBar } from "../ProgressBar.ts"
import { Report } from "../Report.ts"
import { findRuntime } from "../record/RuntimeVersion.ts"
import { type RuntimeKind, runtimeKinds } from "../runtime/Runtimes.ts"
import { wireOfLines, wireOfNothing } from "../runtime/Wires.ts"

/** The command. */
export const drift: Command = {
  name: "drift",
  summary: "record a CLI release and say what it changed",
  usage: "--cli PATH|VERSION [--runtime RUNTIME] [--json] [SCENARIO...]",
  details: `Plays a representative set of scenarios to that CLI, with a scripted model API on loopback and
a home folder of its own, and reads what it says with the schemas: types that no schema
knows, lines that cannot be read, keys and values the schemas do not name, and odd keys:
missing or of another type. Then compares types and keys with those that the newest
version of the library of tapes has in the same scenarios. A VERSION that is not there is
installed into the cache. No account is needed; it takes less than two minutes. With
SCENARIO, plays those only. A CLI is Claude Code or Codex by its files, its name or its
version (0.x is Codex), or as --runtime says.

With --json, one object:
{"cli","version","library","scenarios","unknown","invalid","drift","new","gone","problems"}

Exit code 0 when nothing changed, 1 when something did, 2 when it could not be determined.`,
  options: {
    cli: { type: "string", value: "PATH|VERSION", summary: "the CLI, as a program or as a version" },
    runtime: {
      type: "string",
      value: runtimeKinds.join("|"),
      summary: "what the CLI is (default: what its files, its name or its version say)"
    },
    json: { type: "boolean", summary: "write one JSON object" }
  },
  run: async ({ positionals, values }, console) => {
    const which = values["cli"]
    if (typeof which !== "string") throw new UsageFailure("drift needs --cli PATH or --cli VERSION.")
    const kind = oneOf("runtime", runtimeKinds, values["runtime"]) ?? kindOf(which)
    const library = driftLibraries[kind]
    checkNames(positionals, library)
    const cli = await find(which, kind, console)
    const { version } = cli
    const recorded = await record(cli, library, choose(positionals, library, version), console)
    const findings = judge(recorded, kind)
    const summary = { cli: which, version, library: library.newest ?? null, ...findings }
    await console.out(values["json"] === true ? JSON.stringify(summary) : render(summary))
    return sections.some(({ key }) => findings[key].length > 0) ? 1 : 0
  }
}

// --- the CLI ---------------------------------------------------------------------------------

const isVersion = (which: string): boolean => /^\d+\.\d+\.\d+$/.test(which)

/** The runtime of a CLI, by its version or its files. */
const kindOf = (which: string): RuntimeKind =>
  isVersion(which) ? (driftLibraries.codex.hasVersion(which) ? "codex" : "claude") : findRuntime([which]).runtime.kind

const find = async (which: string, kind: RuntimeKind, console: Console): Promise<FoundCli> => {
  if (isVersion(which)) {
    console.progress(`Looking for ${which} …`)
    const cli = await driftLibraries[kind].install(which).catch((error: unknown) => {
      throw new Failure(`Version ${which} could not be installed: ${reasonOf(error)}`)
    })
    return { ...cli, version: which }
  }
  return namedCli(which, kind)
}

const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  return text.split("\n").find((line) => /npm (ERR!|error) (?!code)/.test(line)) ?? text.split("\n")[0] ?? text
}

// --- what it says ----------------------------------------------------------------------------

const checkNames = (names: ReadonlyArray<string>, { scenarios }: DriftLibrary): void => {
  const known = scenarios.map(({ name }) => name)
  const unheard = names.filter((name) => !known.includes(name))
  if (unheard.length > 0)
    throw new UsageFailure(`There is no scenario ${unheard.join(", ")}.${didYouMean(unheard[0] ?? "", known)}`)
}

const choose = (
  names: ReadonlyArray<string>,
  { applies, representative, scenarios }: DriftLibrary,
  version: string
): ReadonlyArray<string> => {
  const wanted = new Set(names.length > 0 ? names : representative)
  return scenarios.map(({ name }) => name).filter((name) => wanted.has(name) && applies(name, version))
}

/** How many are played at the same time. */
const concurrency = 2

const record = async (
  cli: FoundCli,
  { play }: DriftLibrary,
  chosen: ReadonlyArray<string>,
  console: Console
): Promise<ReadonlyArray<DriftRun>> => {
  const stop = new AbortController()
  const interrupted = () => stop.abort()
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted)
  const bar = progressBar(chosen.length, console.progress)
  const runs: Array<DriftRun> = []
  const queue = [...chosen]
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined && !stop.signal.aborted; next = queue.shift()) {
      bar.start(next)
      runs.push(await play(next, { cli, version: cli.version, signal: stop.signal }))
      bar.end(next)
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, work))
    if (stop.signal.aborted) throw new Failure("Stopped before it was known.")
    if (runs.every(({ said }) => said.every(({ from }) => from === "host"))) {
      const stderr = runs[0]?.stderr.trim().split("\n")[0]
      throw new Failure(`The CLI said nothing in any scenario${stderr ? `; on stderr: ${stderr}` : "."}`)
    }
    return runs
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

const judge = (recorded: ReadonlyArray<DriftRun>, runtime: RuntimeKind): Findings => {
  const unknown = new Set<string>()
  const invalid = new Set<string>()
  const drifts = new Set<string>()
  for (const { said, scenario } of recorded) {
    const report = new Report({ file: scenario, maxFindings: 1000, runtime })
    // Both sides: an answer is read as what was asked for.
    for (const { line } of said) report.push(Buffer.from(`${line}\n`))
    report.end()
    const found = report.toJSON()
    for (const { subtype, type } of found.unknown) unknown.add(subtype === undefined ? type : `${type}/${subtype}`)
    for (const { error } of found.invalid) invalid.add(`${scenario}: ${error}`)
    for (const { example, message, path, problem } of found.drift)
      drifts.add(`${message} ${path}${problem === undefined ? ` = ${excerpt(example)}` : `: ${problem}`}`)
  }
  const played = new Set(recorded.map(({ scenario }) => scenario))
  const taped = driftLibraries[runtime].taped()
  const outline = (lines: ReadonlyArray<WireLine>) =>
    outlineOf(
      lines.filter(({ from }) => from === "cli").map(({ line }) => line),
      (line) => (wireOfLines([line], runtime) ?? wireOfNothing(runtime)).decodeLine(line)
    )
  const ours = outline(recorded.flatMap(({ said }) => said))
  return {
    scenarios: recorded.length,
    unknown: [...unknown],
    invalid: [...invalid],
    drift: [...drifts],
    new: missingFrom(outline(taped), ours),
    gone: missingFrom(ours, outline(taped.filter(({ scenario }) => played.has(scenario)))),
    problems: recorded.flatMap(({ problems, scenario }) => problems.map((problem) => `${scenario}: ${problem}`))
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
