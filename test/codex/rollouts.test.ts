/**
 * Scenarios played with the real Codex: what it kept of its threads is what it said on its wire, but for the reasons of the
 * table. Two every day, all of them in a sweep.
 */
import { codexScenarios, installCodex, playCodex } from "@agentwire/fixtures"
import { schemaVersion } from "@agentwire/protocol/codex"
import { describe, expect, it } from "vitest"
import { appliesTo } from "../../packages/fixtures/src/Scenario.ts"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { compared, rolloutsIn } from "../../packages/protocol/test/codex/rollout/Comparison.ts"
import { explained } from "../../packages/protocol/test/codex/rollout/Reasons.ts"

const few = ["patch", "thread_fork_at"]

const chosen = codexScenarios.filter(
  (scenario) =>
    appliesTo(scenario, schemaVersion) &&
    !scenario.name.startsWith("exec_") &&
    (sweeping || few.includes(scenario.name))
)

describe("what codex keeps of its threads", () => {
  it.each(chosen.map((scenario) => [scenario.name, scenario] as const))(
    "is what it said on its wire: %s",
    { timeout: 120_000 },
    async (_, scenario) => {
      const cli = await installCodex(schemaVersion)
      const { kept, tapes } = await playCodex({ cli, scenario, version: schemaVersion })
      const files = rolloutsIn({ files: kept })
      expect(files.map(({ isTorn, unknown, unread }) => ({ isTorn, unknown, unread }))).toEqual(
        files.map(() => ({ isTorn: false, unknown: 0, unread: 0 }))
      )
      // Ephemeral threads, and those that were removed, have no file.
      const threads = compared({ files: kept, tapes }).filter(({ session }) => session !== undefined)
      if (few.includes(scenario.name)) expect(threads.length).toBeGreaterThan(0)
      expect(threads.flatMap((one) => explained(one).unexplained)).toEqual([])
    }
  )
})
