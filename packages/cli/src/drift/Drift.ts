/** What `agentwire drift` does: plays scenarios to a CLI, and compares what it says with what is known. */
import type { FoundCli } from "@agentwire/bridge/claude"
import { missingFrom, outlineOf, type WireLine } from "@agentwire/fixtures"
import { columns, type ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { namedCli } from "../NamedCli.ts"
import { didYouMean } from "../Nearest.ts"
import { progressBar } from "../ProgressBar.ts"
import { Report } from "../Report.ts"
import { findRuntime } from "../record/RuntimeVersion.ts"
import type { RuntimeKind } from "../runtime/Runtimes.ts"
import { lineDecoder } from "../runtime/Wires.ts"
import { type DriftLibrary, type DriftRun, driftLibraries } from "./Libraries.ts"

/** What is asked about which CLI. */
export interface DriftJob {
  /** Its path, its name or its version. */
  readonly which: string
  /** What it is; undefined: what its version or its files say. */
  readonly kind: RuntimeKind | undefined
  /** The scenarios; none: those that represent the others. */
  readonly names: ReadonlyArray<string>
  readonly isJson: boolean
}

/** Plays the scenarios, and says what is new. */
export const findDrift = async (
  { isJson, kind: named, names, which }: DriftJob,
  console: Console
): Promise<ExitCode> => {
  const kind = named ?? kindOf(which)
  const library = driftLibraries[kind]
  checkNames(names, library)
  const cli = await find(which, kind, console)
  const { version } = cli
  const recorded = await record(cli, library, choose(names, library, version), console)
  const findings = await judge(recorded, kind)
  const summary = { cli: which, version, library: library.newest ?? null, ...findings }
  await console.out(isJson ? JSON.stringify(summary) : render(summary))
  return sections.some(({ key }) => findings[key].length > 0) ? 1 : 0
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

const judge = async (recorded: ReadonlyArray<DriftRun>, runtime: RuntimeKind): Promise<Findings> => {
  const unknown = new Set<string>()
  const invalid = new Set<string>()
  const drifts = new Set<string>()
  for (const { said, scenario } of recorded) {
    const report = new Report({ file: scenario, maxFindings: 1000, runtime })
    // Both sides: an answer is read as what was asked for.
    for (const { line } of said) await report.push(Buffer.from(`${line}\n`))
    await report.end()
    const found = report.toJSON()
    for (const { subtype, type } of found.unknown) unknown.add(subtype === undefined ? type : `${type}/${subtype}`)
    for (const { error } of found.invalid) invalid.add(`${scenario}: ${error}`)
    for (const { example, message, path, problem } of found.drift)
      drifts.add(`${message} ${path}${problem === undefined ? ` = ${excerpt(example)}` : `: ${problem}`}`)
  }
  const played = new Set(recorded.map(({ scenario }) => scenario))
  const taped = driftLibraries[runtime].taped()
  const decodeLine = await lineDecoder(runtime)
  const outline = (lines: ReadonlyArray<WireLine>) =>
    outlineOf(
      lines.filter(({ from }) => from === "cli").map(({ line }) => line),
      decodeLine
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
