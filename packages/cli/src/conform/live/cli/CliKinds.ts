/** The kinds of CLIs that are judged, a row for each runtime. */
import { scenarios as claudeScenarios, codexScenarios, playCodex, playScenario, wireLines } from "@agentwire/fixtures"
import { appliesTo } from "@agentwire/fixtures/scenario"
import type { RuntimeKind } from "../../../runtime/Runtimes.ts"
import { claudeBreaches } from "./ClaudeFacts.ts"
import type { CliKind } from "./CliKind.ts"
import { codexBreaches } from "./CodexFacts.ts"
import { representativeCodexScenarios, representativeScenarios } from "./Representative.ts"

/** The scenarios of some names, in the order of the names. */
const named = <S extends { readonly name: string }>(
  all: ReadonlyArray<S>,
  names: ReadonlyArray<string>
): ReadonlyArray<S> => names.flatMap((name) => all.find((one) => one.name === name) ?? [])

/** All kinds, by runtime. What is played: most messages, and what shows facts and answers of a version besides. */
export const cliKinds: Readonly<Record<RuntimeKind, CliKind>> = {
  claude: {
    prefix: "CLI",
    scenarios: named(claudeScenarios, [
      ...representativeScenarios,
      "no_init",
      "api_403",
      "set_permission_mode",
      "control_misc",
      "control_read"
    ]).map((scenario) => ({
      name: scenario.name,
      about: scenario.about,
      appliesTo: (version) => appliesTo(scenario, version),
      play: ({ cli, signal }) => playScenario({ cli, scenario, signal, version: cli.version })
    })),
    breaches: claudeBreaches
  },
  codex: {
    prefix: "CODEX",
    scenarios: named(codexScenarios, [
      ...representativeCodexScenarios,
      "fails_401",
      "update_plan_off",
      "thread_revert",
      "thread_rollback",
      "thread_rollback_gone",
      "experimental_refused"
    ]).map((scenario) => ({
      name: scenario.name,
      about: scenario.about,
      appliesTo: (version) => appliesTo(scenario, version),
      play: async ({ cli, signal }) => {
        const played = await playCodex({ cli, scenario, signal, version: cli.version })
        return { ...played, frames: played.tapes.flatMap((tape) => wireLines(scenario.name, tape)) }
      }
    })),
    breaches: codexBreaches
  }
}
