/**
 * The laws of the translator on the recorded sessions of Codex, in both dialects and with the real clients as judges: one
 * tape of each scenario here, all of them with `npm run sweep`.
 */
import { describe, expect, it } from "vitest"
import { fewOf, sweeping } from "../../../packages/fixtures/test/Sweep.ts"
import { laws } from "./Laws.ts"
import { type Law, real, sessions } from "./Translator.ts"

/** How often laws that choose places are tried on each session. */
const rounds: Readonly<Record<string, number>> = { tolerance: sweeping ? 40 : fewOf(20) }

const violations = async (name: string, law: Law): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const [index, session] of sessions.entries())
    for (let round = 0; round < (rounds[name] ?? 1); round++) {
      const violation = await law(real, session, index * 1000 + round)
      if (violation !== undefined) found.push(`${session.name}: ${violation}`)
    }
  return found
}

it("there are sessions of every kind", () => expect(sessions.length).toBeGreaterThan(100))

describe.each(Object.entries(laws))("%s", (name, law) => {
  it("on tapes", { timeout: 900_000 }, async () => {
    expect(await violations(name, law)).toEqual([])
  })
})
