/**
 * The laws can fail: each translator that is broken on purpose breaks at least one of them, and each law catches at
 * least one, on a session that `laws.test.ts` tries the law on. So `npm test` would fail with any of them.
 *
 * Which law catches which on what session is in `caught.json`, so that few need be tried. It is a hint and no more: what
 * it says is tried first, and everything when that is not so any more. `npm run sweep` tries everything, and compares
 * the table; with `-u` it writes it anew.
 */
import { tapes } from "@agentwire/fixtures"
import { expect, test } from "vitest"
import { fewOf, oneOfEach, sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { type Case, generated, taped } from "./Cases.ts"
import caught from "./caught.json" with { type: "json" }
import { laws } from "./Laws.ts"
import { type Mutant, mutants } from "./Mutants.ts"

// Scenarios with something that stories have not: compaction, results of many blocks, limits, errors of the API.
const telling = new Set([
  "compact",
  "tool_image_result",
  "max_turns",
  "api_400",
  "interrupt_midstream",
  "killed_midturn",
  "server_tool_blocks"
])

/** The most generated sessions that a law has in `npm test`. */
const most = (kind: "orderly" | "mutated"): number => Math.max(...Object.values(laws).map((law) => fewOf(law[kind])))

const tapesOfTest = taped(oneOfEach(tapes))

const isTelling = ({ name }: Case): boolean => telling.has(name.split(" ")[0] ?? "")

const names = Object.keys(laws)
const hints: Readonly<Record<string, Readonly<Record<string, string>>>> = caught

const stories = generated(most("orderly"), 0)
const broken = generated(0, most("mutated"))

/** The sessions of a law in `npm test`, those first that catch most. */
const casesFor = (law: string): ReadonlyArray<Case> => {
  const { mutated = 0, orderly = 0 } = laws[law] ?? {}
  return [
    ...tapesOfTest.filter(isTelling),
    ...stories.slice(0, fewOf(orderly)),
    ...broken.slice(0, fewOf(mutated)),
    ...tapesOfTest.filter((one) => !isTelling(one))
  ]
}

const cases = new Map(names.map((law) => [law, casesFor(law)]))

const catches = async (law: string, { judge }: Mutant, { seed, session }: Case): Promise<boolean> => {
  const statute = laws[law]
  return statute !== undefined && (await judge(statute.law, session(), seed)) !== undefined
}

/** The session on which a law catches a mutant; the one of the table is tried first. */
const caughtOn = async (law: string, mutant: Mutant, tried = cases.get(law) ?? []): Promise<string | undefined> => {
  const hint = hints[mutant.id]?.[law]
  const ordered = [...tried.filter(({ name }) => name === hint), ...tried.filter(({ name }) => name !== hint)]
  for (const one of ordered) if (await catches(law, mutant, one)) return one.name
  return undefined
}

/** Pairs of a law and a mutant, those of the table first. */
const hintedFirst = (pairs: ReadonlyArray<readonly [string, Mutant]>): ReadonlyArray<readonly [string, Mutant]> => {
  const isHinted = ([law, { id }]: readonly [string, Mutant]): boolean => hints[id]?.[law] !== undefined
  return [...pairs.filter(isHinted), ...pairs.filter((pair) => !isHinted(pair))]
}

const someCaught = async (pairs: ReadonlyArray<readonly [string, Mutant]>): Promise<boolean> => {
  for (const [law, mutant] of hintedFirst(pairs)) if ((await caughtOn(law, mutant)) !== undefined) return true
  return false
}

test.each(mutants.map((mutant) => [mutant.id, mutant] as const))("a law catches %s", async (_, mutant) => {
  expect(await someCaught(names.map((law) => [law, mutant])), mutant.what).toBe(true)
})

test.each(names)("something is caught by %s", async (law) => {
  expect(await someCaught(mutants.map((mutant) => [law, mutant]))).toBe(true)
})

test("there are at least twenty of them, each with a name of its own", () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
  expect(mutants.length).toBeGreaterThanOrEqual(20)
})

if (sweeping)
  test("the table says which law catches which, and on what", { timeout: 1_800_000 }, async () => {
    const table: Record<string, Record<string, string>> = {}
    for (const mutant of mutants)
      for (const law of names) {
        const name = await caughtOn(law, mutant, likely(law))
        if (name !== undefined) table[mutant.id] = { ...table[mutant.id], [law]: name }
      }
    await expect(`${JSON.stringify(table, undefined, 2)}\n`).toMatchFileSnapshot("caught.json")
  })

/** Enough for the table: what catches nothing here would take an hour to try with everything. */
const likely = (law: string): ReadonlyArray<Case> =>
  (cases.get(law) ?? []).filter((one) => isTelling(one) || /^story ([1-5]?\d)$/.test(one.name))
