/**
 * What a release of each runtime is compared with, a row each: the scenarios that are played to it, how, and the library
 * of tapes of the newest version that was recorded.
 */
import {
  type CliCommand,
  codexScenarios,
  codexTapes,
  installCli,
  installCodex,
  loadCodexTape,
  playCodex,
  readRecording,
  recordAll,
  recordings,
  scenarios,
  type WireLine,
  wireLines
} from "@agentwire/fixtures"
import { appliesTo } from "@agentwire/fixtures/scenario"
import { representativeCodexScenarios, representativeScenarios } from "../conform/live/cli/Representative.ts"
import type { RuntimeKind } from "../runtime/Runtimes.ts"

/** What came of a scenario. */
export interface DriftRun {
  readonly scenario: string
  /** What both sides said. */
  readonly said: ReadonlyArray<WireLine>
  readonly problems: ReadonlyArray<string>
  readonly stderr: string
}

/** Who is played to, and until when. */
export interface DriftTarget {
  readonly cli: CliCommand
  readonly version: string
  readonly signal: AbortSignal
}

/** The library of a runtime. */
export interface DriftLibrary {
  /** Whether a version is one of this runtime's. */
  readonly hasVersion: (version: string) => boolean
  readonly install: (version: string) => Promise<CliCommand>
  /** All scenarios, by name. */
  readonly scenarios: ReadonlyArray<{ readonly name: string }>
  /** Those that show most messages in little time. */
  readonly representative: ReadonlyArray<string>
  /** The newest version of which there are tapes. */
  readonly newest: string | undefined
  readonly applies: (name: string, version: string) => boolean
  readonly play: (name: string, target: DriftTarget) => Promise<DriftRun>
  /** What both sides said on the newest version's tapes, of all scenarios. */
  readonly taped: () => ReadonlyArray<WireLine>
}

const nothing = (scenario: string): DriftRun => ({ scenario, said: [], problems: [], stderr: "" })

const newestCodex = codexTapes.at(-1)?.version

/** The libraries by runtime. */
export const driftLibraries: Readonly<Record<RuntimeKind, DriftLibrary>> = {
  codex: {
    hasVersion: (version) => version.startsWith("0."),
    install: installCodex,
    scenarios: codexScenarios,
    representative: representativeCodexScenarios,
    newest: newestCodex,
    applies: (name, version) => {
      const scenario = codexScenarios.find((each) => each.name === name)
      return scenario !== undefined && appliesTo(scenario, version)
    },
    play: async (name, { cli, signal, version }) => {
      const scenario = codexScenarios.find((each) => each.name === name)
      if (scenario === undefined) return nothing(name)
      const { problems, stderr, tapes } = await playCodex({ cli, scenario, version, signal })
      return { scenario: name, said: tapes.flatMap((tape) => wireLines(name, tape)), problems, stderr }
    },
    taped: () =>
      codexTapes
        .filter(({ version }) => version === newestCodex)
        .flatMap((entry) => wireLines(entry.scenario, loadCodexTape(entry)))
  },
  claude: {
    hasVersion: () => true,
    install: installCli,
    scenarios,
    representative: representativeScenarios,
    newest: recordings.at(-1),
    applies: (name, version) => {
      const scenario = scenarios.find((each) => each.name === name)
      return scenario !== undefined && appliesTo(scenario, version)
    },
    play: async (name, { cli, signal, version }) => {
      const scenario = scenarios.find((each) => each.name === name)
      if (scenario === undefined) return nothing(name)
      const [recorded] = await recordAll({ cli, scenarios: [scenario], version, signal })
      if (recorded === undefined) return nothing(name)
      const { played, problems } = recorded
      return { scenario: name, said: played.frames, problems, stderr: played.stderr }
    },
    taped: () => readRecording(recordings.at(-1) ?? "")
  }
}
