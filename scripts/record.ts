/**
 * Records scenarios with the real CLI: `npm run record -- --cli [codex@]VERSION [--transport stdio|ws] [--demo|--old]
 * [--transcripts] [--missing] [--debug] [--jobs N] [scenario...]`.
 *
 * Without names every scenario that applies to the version is recorded; with names (a trailing `*` stands for any
 * ending) only those are replaced in `tapes/<version>-<transport>`. `--demo` records the turns of the demo agent
 * instead, into `tapes/demo/<version>-<transport>`. `--old` is for versions before the library's first, and writes into
 * `tapes/old/<version>-<transport>`. `--transcripts` keeps the session files that the CLI writes and
 * the tapes beside them, in `transcripts/<version>`: for those scenarios that are named. `--missing` leaves out what is there already; `--debug` shows the
 * model requests and stderr. A tape that went wrong is not kept.
 *
 * `--cli codex@VERSION` records the scenarios of Codex into `tapes/codex-VERSION`, with `--demo` those of the demo's
 * Codex into `tapes/demo/codex-VERSION`; with `--transcripts` the rollouts that it writes, into `rollouts/VERSION`.
 */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { Tape } from "@agentwire/protocol"
import { progressBar } from "../packages/cli/src/ProgressBar.ts"
import { progressLine } from "../packages/cli/src/ProgressLine.ts"
import { playCodex } from "../packages/fixtures/src/codex/Client.ts"
import { installCodex } from "../packages/fixtures/src/codex/InstallCodex.ts"
import { codexDemoScenarios } from "../packages/fixtures/src/codex/scenarios/demo.ts"
import { codexScenarios } from "../packages/fixtures/src/codex/scenarios/index.ts"
import { listCodexTapes, removeCodexTapes, storeCodexTapes } from "../packages/fixtures/src/codex/Tapes.ts"
import type { Played } from "../packages/fixtures/src/Host.ts"
import { type CliCommand, installCli } from "../packages/fixtures/src/InstallCli.ts"
import { rolloutLibrary, storeKeptSession } from "../packages/fixtures/src/KeptSessions.ts"
import { playAll, type Recorded, type RecordOptions, recordAll } from "../packages/fixtures/src/Recorder.ts"
import { appliesTo, type Transport } from "../packages/fixtures/src/Scenario.ts"
import { demoScenarios } from "../packages/fixtures/src/scenarios/demo.ts"
import { scenariosOver } from "../packages/fixtures/src/scenarios/index.ts"
import { keptScenarios } from "../packages/fixtures/src/scenarios/kept.ts"
import { demoLibrary, library, listTapes, oldLibrary, removeTapes, storeTapes } from "../packages/fixtures/src/Tapes.ts"

const usage =
  "usage: npm run record -- --cli [codex@]VERSION [--transport stdio|ws] [--demo|--old] [--transcripts] [--missing] [--debug] [--jobs N] [scenario...]"

const main = async (signal: AbortSignal): Promise<number> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      cli: { type: "string" },
      transport: { type: "string", default: "stdio" },
      demo: { type: "boolean", default: false },
      old: { type: "boolean", default: false },
      transcripts: { type: "boolean", default: false },
      missing: { type: "boolean", default: false },
      debug: { type: "boolean", default: false },
      jobs: { type: "string", default: "2" }
    }
  })
  const { cli: version, transport } = values
  const jobs = Number(values.jobs)
  const isOdd = values.transcripts && positionals.length === 0
  if (version === undefined || (transport !== "stdio" && transport !== "ws") || !(jobs >= 1) || isOdd) {
    console.error(usage)
    return 2
  }
  const codex = /^codex@(?<version>.+)$/.exec(version)?.groups?.["version"]
  const isOnlyClaude = transport === "ws" || values.old
  if (codex !== undefined && isOnlyClaude) {
    console.error("Codex is recorded over stdio, into its own folder: leave out --transport, --old.")
    return 2
  }
  const library = codex === undefined ? claudeLibrary(version, transport, values) : codexLibrary(codex, values)
  const unheard = positionals.filter((pattern) => !library.names.some((name) => named(name)(pattern)))
  if (unheard.length > 0) {
    console.error(`No scenario over ${transport} on ${version} is called ${unheard.join(", ")}.`)
    return 2
  }
  const present = library.present()
  const chosen = library.names.filter(
    (name) => !(values.missing && present.has(name)) && (positionals.length === 0 || positionals.some(named(name)))
  )
  const line = progressLine(process.stderr, process.env)
  const bar = progressBar(chosen.length, line.show)
  let done = 0
  const outcomes = await library.record(new Set(chosen), {
    concurrency: jobs,
    signal,
    onStart: ({ name }) => bar.start(name),
    onDone: (one) => {
      done++
      if (one.problems.length === 0 && !signal.aborted) library.store(one)
      line.clear()
      console.log(`${done}/${chosen.length} ${report(one)}`)
      if (values.debug && one.played.stderr !== "") console.error(one.played.stderr.slice(0, 4000))
      bar.end(one.scenario.name)
    },
    ...(values.debug && {
      onRequest: ({ name }, path, body, lane) =>
        console.error(`${name} ${path} [${lane}] ${JSON.stringify(body).slice(-400)}`)
    })
  })
  line.clear()
  for (const name of present) if (!library.names.includes(name)) library.remove(name)
  const failed = outcomes.filter(({ problems }) => problems.length > 0)
  console.log(
    `${version} over ${transport}: ${outcomes.length - failed.length} recorded, ${library.count()} tapes in the library`
  )
  for (const one of failed) console.log(`  not kept: ${report(one)}`)
  return signal.aborted ? 130 : failed.length > 0 ? 1 : 0
}

/** What is told of a scenario that was played, whichever agent played it. */
type Outcome = Recorded<{ readonly name: string }, Pick<Played, "exits" | "stderr" | "tapes" | "problems">>

/** The scenarios and the tapes of one version of one agent. */
interface Library {
  /** The scenarios that apply to the version. */
  readonly names: ReadonlyArray<string>
  /** Those that there are tapes of. */
  readonly present: () => ReadonlySet<string>
  readonly count: () => number
  readonly record: (
    chosen: ReadonlySet<string>,
    options: Omit<RecordOptions<Outcome["scenario"], Outcome["played"]>, "cli" | "scenarios" | "version">
  ) => Promise<ReadonlyArray<Outcome>>
  readonly store: (one: Outcome) => void
  readonly remove: (name: string) => void
}

interface Chosen {
  readonly demo: boolean
  readonly old: boolean
  readonly transcripts: boolean
}

const claudeLibrary = (version: string, transport: Transport, { demo, old, transcripts }: Chosen): Library => {
  const root = demo ? demoLibrary : old ? oldLibrary : library
  const offered = transcripts ? [...scenariosOver(transport), ...keptScenarios] : scenariosOver(transport)
  const applying = (demo ? demoScenarios : offered).filter((scenario) => appliesTo(scenario, version))
  const here = () => listTapes(root).filter((entry) => entry.version === version && entry.transport === transport)
  return {
    names: applying.map(({ name }) => name),
    present: () => new Set(here().map(({ scenario }) => scenario)),
    count: () => here().length,
    record: async (chosen, options) =>
      recordAll({
        ...options,
        cli: withoutHome(await installCli(version)),
        version,
        scenarios: applying.filter(({ name }) => chosen.has(name)),
        onDone: (one) => {
          if (transcripts && one.problems.length === 0 && options.signal?.aborted !== true)
            storeKeptSession(
              { scenario: one.scenario.name, version },
              { files: one.played.kept, tapes: one.played.tapes }
            )
          options.onDone?.(one)
        }
      }),
    store: ({ played, scenario }) => {
      if (!transcripts) storeTapes({ scenario: scenario.name, transport, version }, played.tapes, root)
    },
    remove: (name) => removeTapes({ scenario: name, transport, version }, root)
  }
}

const codexLibrary = (
  version: string,
  { demo, transcripts }: { readonly demo: boolean; readonly transcripts: boolean }
): Library => {
  const root = demo ? demoLibrary : library
  const applying = (demo ? codexDemoScenarios : codexScenarios).filter((scenario) => appliesTo(scenario, version))
  const here = () => listCodexTapes(root).filter((entry) => entry.version === version)
  return {
    names: applying.map(({ name }) => name),
    present: () => new Set(here().map(({ scenario }) => scenario)),
    count: () => here().length,
    record: async (chosen, options) =>
      playAll(
        {
          ...options,
          cli: await installCodex(version),
          version,
          scenarios: applying.filter(({ name }) => chosen.has(name))
        },
        async (options) => {
          const played = await playCodex(options)
          if (transcripts && played.problems.length === 0)
            storeKeptSession(
              { scenario: options.scenario.name, version },
              { files: played.kept, tapes: played.tapes },
              rolloutLibrary
            )
          return played
        }
      ),
    store: ({ played, scenario }) => {
      if (!transcripts) storeCodexTapes({ scenario: scenario.name, version }, played.tapes, root)
    },
    remove: (name) => removeCodexTapes({ scenario: name, version }, root)
  }
}

const report = ({ ms, played, problems, scenario }: Outcome): string =>
  [
    `${scenario.name} ${linesOf(played.tapes)} lines ${(ms / 1000).toFixed(1)}s exit ${played.exits.join(",")}`,
    ...problems
  ].join("  ! ")

const linesOf = (tapes: Outcome["played"]["tapes"]): number =>
  tapes.reduce((sum, { frames }) => sum + Tape.tapeLines(frames).length, 0)

const named = (name: string) => (pattern: string) =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern

/**
 * A CLI that is a script names its own path in its stack traces, and the cache is in the user's home: run it by a
 * link that names nobody.
 */
const withoutHome = (cli: CliCommand): CliCommand => {
  const [script] = cli.args
  if (script === undefined) return cli
  const folder = mkdtempSync(join(tmpdir(), "agentwire-cli-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(dirname(script), join(folder, "claude-code"))
  const link = join(folder, "claude-code", basename(script))
  return { ...cli, args: ["--preserve-symlinks", "--preserve-symlinks-main", link] }
}

const stop = new AbortController()

// The first Ctrl-C lets the running scenarios clean up; by the second, `Process.ts` ends what still runs.
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(130)
    stop.abort()
  })
}
process.exitCode = await main(stop.signal)
