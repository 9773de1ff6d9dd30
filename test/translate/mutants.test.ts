/**
 * The laws can fail: each translator that is broken on purpose breaks at least one of them, on sessions on which the
 * real one breaks none.
 */
import { loadTape } from "@agentwire/fixtures"
import { stories, storyFrontendTools } from "@agentwire/fixtures/arbitrary"
import { Tape } from "@agentwire/protocol"
import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import { laws } from "./Laws.ts"
import { real, type Session, sessionOf } from "./law/Translator.ts"
import { mutants } from "./Mutants.ts"

// Scenarios with something that stories have not: compaction, results of many blocks, limits, errors of the API.
const scenarios = [
  "compact",
  "tool_image_result",
  "max_turns",
  "api_400",
  "interrupt_midstream",
  "killed_midturn",
  "server_tool_blocks"
]

const taped = scenarios.flatMap((scenario) =>
  ["2.1.37", "2.1.325"].map((version) =>
    sessionOf(
      Tape.tapeLines(loadTape({ scenario, version }).frames).flatMap(({ from, line }) =>
        from === "agent" && line._tag === "Text" && line.text.trim() !== "" ? [line.text] : []
      )
    )
  )
)

const told: ReadonlyArray<Session> = fc.sample(stories(), { numRuns: 60, seed: 21 }).map((lines) =>
  sessionOf(
    lines.filter(({ from }) => from === "agent").map(({ line }) => line),
    storyFrontendTools
  )
)

const sessions = [...taped, ...told]

const names = Object.keys(laws)

test.each(names)("the real translator passes: %s", async (name) => {
  for (const [seed, session] of sessions.entries()) expect(await laws[name]?.law(real, session, seed)).toBeUndefined()
})

const table: Array<string> = []
const useful = new Set<string>()

test.each(mutants.map((mutant) => [mutant.id, mutant] as const))("a law catches %s", async (id, { judge, what }) => {
  const caught: Array<string> = []
  for (const [name, { law }] of Object.entries(laws))
    for (const [seed, session] of sessions.entries())
      if ((await judge(law, session, seed)) !== undefined) {
        caught.push(name)
        useful.add(name)
        break
      }
  table.push(`${id.padEnd(18)} ${what.padEnd(58)} ${caught.join("; ")}`)
  expect(caught, what).not.toEqual([])
})

test("each law catches some", () => {
  expect([...useful].sort()).toEqual([...names].sort())
})

test("there are at least twenty of them, each with a name of its own", () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
  expect(mutants.length).toBeGreaterThanOrEqual(20)
})

afterAll(() => console.log(table.join("\n")))
