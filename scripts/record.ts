/**
 * Records scenarios with the real CLI: `npm run record -- --cli VERSION [--transport stdio|ws] [--demo|--old]
 * [--transcripts] [--missing] [--debug] [--jobs N] [scenario...]`.
 *
 * Without names every scenario that applies to the version is recorded; with names (a trailing `*` stands for any
 * ending) only those are replaced in `tapes/<version>-<transport>`. `--demo` records the turns of the demo agent
 * instead, into `tapes/demo/<version>-<transport>`. `--old` is for versions before the library's first, and writes into
 * `tapes/old/<version>-<transport>`. `--transcripts` keeps the session files that the CLI writes and
 * the tapes beside them, in `transcripts/<version>`: for those scenarios that are named. `--missing` leaves out what is there already; `--debug` shows the
 * model requests and stderr. A tape that went wrong is not kept.
 */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { progressBar } from "../packages/cli/src/ProgressBar.ts"
import { progressLine } from "../packages/cli/src/ProgressLine.ts"
import { type CliCommand, installCli } from "../packages/fixtures/src/InstallCli.ts"
import { storeKeptSession } from "../packages/fixtures/src/KeptSessions.ts"
import { type Recorded, recordAll } from "../packages/fixtures/src/Recorder.ts"
import { appliesTo } from "../packages/fixtures/src/Scenario.ts"
import { demoScenarios } from "../packages/fixtures/src/scenarios/demo.ts"
import { scenariosOver } from "../packages/fixtures/src/scenarios/index.ts"
import { keptScenarios } from "../packages/fixtures/src/scenarios/kept.ts"
import { demoLibrary, library, listTapes, oldLibrary, removeTapes, storeTapes } from "../packages/fixtures/src/Tapes.ts"

const usage =
  "usage: npm run record -- --cli VERSION [--transport stdio|ws] [--demo|--old] [--transcripts] [--missing] [--debug] [--jobs N] [scenario...]"

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
  const root = values.demo ? demoLibrary : values.old ? oldLibrary : library
  const offered = values.transcripts ? [...scenariosOver(transport), ...keptScenarios] : scenariosOver(transport)
  const applying = (values.demo ? demoScenarios : offered).filter((scenario) => appliesTo(scenario, version))
  const unheard = positionals.filter((pattern) => !applying.some(({ name }) => named(name)(pattern)))
  if (unheard.length > 0) {
    console.error(`No scenario over ${transport} on ${version} is called ${unheard.join(", ")}.`)
    return 2
  }
  const here = listTapes(root).filter((entry) => entry.version === version && entry.transport === transport)
  const present = new Set(here.map(({ scenario }) => scenario))
  const chosen = applying.filter(
    ({ name }) => !(values.missing && present.has(name)) && (positionals.length === 0 || positionals.some(named(name)))
  )
  const cli = withoutHome(await installCli(version))
  const line = progressLine(process.stderr, process.env)
  const bar = progressBar(chosen.length, line.show)
  let done = 0
  const recorded = await recordAll({
    cli,
    version,
    scenarios: chosen,
    concurrency: jobs,
    signal,
    onStart: ({ name }) => bar.start(name),
    onDone: (one) => {
      const { name } = one.scenario
      done++
      if (one.problems.length === 0 && !signal.aborted) {
        if (values.transcripts)
          storeKeptSession({ scenario: name, version }, { files: one.played.kept, tapes: one.played.tapes })
        else storeTapes({ scenario: name, transport, version }, one.played.tapes, root)
      }
      line.clear()
      console.log(`${done}/${chosen.length} ${report(one)}`)
      if (values.debug && one.played.stderr !== "") console.error(one.played.stderr.slice(0, 4000))
      bar.end(name)
    },
    ...(values.debug && {
      onRequest: ({ name }, path, body, lane) =>
        console.error(`${name} ${path} [${lane}] ${JSON.stringify(body).slice(-400)}`)
    })
  })
  line.clear()
  for (const name of present) {
    if (!applying.some((scenario) => scenario.name === name)) removeTapes({ scenario: name, transport, version }, root)
  }
  const failed = recorded.filter(({ problems }) => problems.length > 0)
  const total = listTapes(root).filter((entry) => entry.version === version && entry.transport === transport).length
  console.log(
    `${version} over ${transport}: ${recorded.length - failed.length} recorded, ${total} tapes in the library`
  )
  for (const one of failed) console.log(`  not kept: ${report(one)}`)
  return signal.aborted ? 130 : failed.length > 0 ? 1 : 0
}

const report = ({ ms, played, problems, scenario }: Recorded): string =>
  [
    `${scenario.name} ${played.frames.length} lines ${(ms / 1000).toFixed(1)}s exit ${played.exits.join(",")}`,
    ...problems
  ].join("  ! ")

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
