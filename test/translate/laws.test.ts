/**
 * The laws of the translator on tapes, on stories, and on stories that something went wrong with: a fixed part of them
 * here, all of them with `npm run sweep`. fast-check prints the seed and the path of a failing case.
 */
import { Translate } from "@agentwire/protocol"
import { type Decoded, decodeLine } from "@agentwire/protocol/claude"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { casesOf, chosenTapes } from "../../packages/fixtures/test/Sweep.ts"
import { type Generated, mutated, orderly, seed, taped } from "./Cases.ts"
import { laws } from "./Laws.ts"
import { renamed } from "./law/Bounded.ts"
import { formsAgree } from "./law/Live.ts"
import { real, type Session, sessionOf, type Violation } from "./law/Translator.ts"

const cases = taped(chosenTapes)

type Judge = (session: Session, seed: number) => Violation | Promise<Violation>

const onTapes = async (judge: Judge): Promise<void> => {
  const violations: Array<string> = []
  for (const { name, seed, session } of cases) {
    const violation = await judge(session(), seed)
    if (violation !== undefined) violations.push(`${name}: ${violation}`)
  }
  expect(violations).toEqual([])
}

const onSessions = (sessions: fc.Arbitrary<Generated>, judge: Judge, many: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(sessions, async ([session, seed]) => {
      const violation = await judge(session, seed)
      if (violation !== undefined) throw new Error(violation)
    }),
    { numRuns: casesOf(many), seed }
  )

describe.each(Object.entries(laws))("%s", (_, { law, mutated: mutants, orderly: many }) => {
  const judge: Judge = (session, seed) => law(real, session, seed)

  it("on tapes", () => onTapes(judge))
  if (many > 0) it("on stories", () => onSessions(orderly, judge, many))
  if (mutants > 0) it("on stories that something went wrong with", () => onSessions(mutated, judge, mutants))
})

describe("all forms agree", () => {
  it("on tapes", () => onTapes(formsAgree))
  it("on stories", () => onSessions(orderly, formsAgree, 400))
  it("on stories that something went wrong with", () => onSessions(mutated, formsAgree, 400))
})

describe("the windows over ids", () => {
  it("are bounded however long the session", () => {
    const [[session] = []] = fc.sample(orderly, { numRuns: 1, seed: 7 })
    let state = Translate.initialState({ threadId: "thread" })
    let lines = 0
    for (let round = 0; lines < 20_000; round++)
      for (const line of renamed(session ?? sessionOf([]), round)) {
        const decoded: Decoded = decodeLine(line)
        ;[state] = Translate.step(state, decoded)
        lines++
      }
    const kept = [state.fold.recent, state.fold.answered].flatMap(({ older, younger }) => [older.count, younger.count])
    expect(Math.max(...kept)).toBeLessThanOrEqual(state.fold.recent.size)
  })
})
