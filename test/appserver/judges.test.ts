/**
 * The clients of Codex in front of the servers, against what the real Codex came to (`outcomes.json`, written by
 * `npm run judges -- --server itself --keep`). Every day in front of ours with the real Claude Code, in a sweep in front
 * of all, and acpx only there. Where ours ends otherwise is in `Differences.ts`, with the reason.
 */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { runBothWays } from "./BothWays.ts"
import { knownDifferences } from "./Differences.ts"
import { judges } from "./Judges.ts"
import { realOutcomes } from "./RealOutcomes.ts"
import { claudeServer, serverKinds } from "./Servers.ts"
import { differenceTable, surprises } from "./Table.ts"

const real = realOutcomes()

const servers = sweeping ? serverKinds : [claudeServer]

describe.each(servers)("on $name", (kind) => {
  it.each(judges.filter(({ isRare }) => sweeping || isRare !== true))(
    "$name ends as on the real Codex",
    async (judge) => {
      const told = await judge.run(kind, undefined)
      const { stale, unknown } = surprises(judge.name, real[judge.name] ?? [], { server: kind.name, told })
      expect(told.filter(({ name }) => unknown.includes(name))).toEqual([])
      expect({ stale, unknown }).toEqual({ stale: [], unknown: [] })
    }
  )
})

it.each(sweeping ? ["the TUI and the page"] : [])("%s have each other's threads", async () => {
  expect(await runBothWays()).toEqual({
    page: {
      titles: ["Hello from the TUI", "Hello from the page"],
      said: ["Hello from the TUI", "I hear the TUI."]
    },
    tui: ["› Hello from the page", "• I hear the page."]
  })
})

it("docs/app-server.md has the differences", () => {
  const page = readFileSync(new URL("../../docs/app-server.md", import.meta.url), "utf8")
  expect(page).toContain(`\n${differenceTable(knownDifferences)}\n`)
})
