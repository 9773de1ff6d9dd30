/**
 * The laws can fail for Codex, too: each translator that is broken on purpose breaks at least one of them, and each law
 * catches at least one, on a session that `laws.test.ts` tries the law on.
 *
 * Which law catches which on what session is in `caught.json`, so that few need be tried. It is a hint and no more: what
 * it says is tried first, and everything when that is not so any more. `npm run sweep` tries everything, and compares the
 * table; with `-u` it writes it anew.
 */
import { expect, test } from "vitest"
import { sweeping } from "../../../packages/fixtures/test/Sweep.ts"
import caught from "./caught.json" with { type: "json" }
import { laws } from "./Laws.ts"
import { type Mutant, mutants } from "./Mutants.ts"
import { type Law, type Session, someSessions } from "./Translator.ts"

const hints: Readonly<Record<string, Readonly<Record<string, string>>>> = caught

// Scenarios with something that most have not.
const telling = new Set([
  "hello",
  "reasoning",
  "unicode",
  "two_turns",
  "steer_text",
  "fails_cut_once",
  "fails_500",
  "interrupt_text",
  "interrupt_command",
  "subagent",
  "two_threads",
  "two_questions",
  "command_accept",
  "command_decline",
  "command_failing",
  "user_input",
  "mcp_elicitation",
  "background_clean",
  "background_command",
  "reasoning_raw",
  "usage"
])

const isTelling = ({ name }: Session): boolean => telling.has(name.split(" ")[0] ?? "")

/** The sessions of a law in `npm test`, those first that catch most. */
const sessions = [...someSessions.filter(isTelling), ...someSessions.filter((each) => !isTelling(each))]

/** How often a law that chooses places is tried on a session. */
const rounds = 3

const catches = async (law: Law, { judge }: Mutant, session: Session): Promise<boolean> => {
  for (let round = 0; round < rounds; round++)
    if ((await judge(law, session, someSessions.indexOf(session) * 1000 + round)) !== undefined) return true
  return false
}

/** The session on which a law catches a mutant; that of the table is tried first. */
const caughtOn = async (name: string, law: Law, mutant: Mutant, tried = sessions): Promise<string | undefined> => {
  const hint = hints[mutant.id]?.[name]
  const isHinted = (session: Session): boolean => session.name === hint
  for (const session of [...tried.filter(isHinted), ...tried.filter((each) => !isHinted(each))])
    if (await catches(law, mutant, session)) return session.name
  return undefined
}

type Pair = readonly [name: string, law: Law, mutant: Mutant]

const someCaught = async (pairs: ReadonlyArray<Pair>): Promise<boolean> => {
  const isHinted = ([name, , { id }]: Pair): boolean => hints[id]?.[name] !== undefined
  for (const [name, law, mutant] of [...pairs.filter(isHinted), ...pairs.filter((pair) => !isHinted(pair))])
    if ((await caughtOn(name, law, mutant)) !== undefined) return true
  return false
}

test.each(mutants.map((mutant) => [mutant.id, mutant] as const))("a law catches: %s", async (_, mutant) => {
  expect(await someCaught(Object.entries(laws).map(([name, law]) => [name, law, mutant])), mutant.what).toBe(true)
})

test.each(Object.entries(laws))("something is caught by %s", async (name, law) => {
  expect(await someCaught(mutants.map((mutant) => [name, law, mutant]))).toBe(true)
})

test("each has a name of its own", () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
})

if (sweeping)
  test("the table says which law catches which, and on what", { timeout: 1_800_000 }, async () => {
    const table: Record<string, Record<string, string>> = {}
    for (const mutant of mutants)
      for (const [name, law] of Object.entries(laws)) {
        // Enough for the table: what catches nothing here would take long to try with everything.
        const session = await caughtOn(name, law, mutant, sessions.filter(isTelling))
        if (session !== undefined) table[mutant.id] = { ...table[mutant.id], [name]: session }
      }
    await expect(`${JSON.stringify(table, undefined, 2)}\n`).toMatchFileSnapshot("caught.json")
  })
