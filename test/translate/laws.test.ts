/**
 * The laws of the translator on every tape of the library, on stories, and on stories that something went wrong with.
 * The cases are the same in every run, so that a change is judged by what it changes; `AGENTWIRE_SEED` chooses others,
 * and fast-check prints the seed and the path of a failing case.
 */
import { loadTape, tapes } from "@agentwire/fixtures"
import { mutate, mutations, type SessionLine, stories, storyFrontendTools } from "@agentwire/fixtures/arbitrary"
import { type Decoded, decodeLine, Tape, Translate } from "@agentwire/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { laws } from "./Laws.ts"
import { renamed } from "./law/Bounded.ts"
import { formsAgree } from "./law/Live.ts"
import { real, type Session, sessionOf, type Violation } from "./law/Translator.ts"

const agentLines = (lines: ReadonlyArray<SessionLine>): ReadonlyArray<string> =>
  lines.filter(({ from }) => from === "agent").map(({ line }) => line)

const taped: ReadonlyArray<{ readonly name: string; readonly session: Session }> = tapes.map((entry) => ({
  name: `${entry.scenario} of ${entry.version} over ${entry.transport}, run ${entry.run}`,
  session: sessionOf(
    Tape.tapeLines(loadTape(entry).frames).flatMap(({ from, line }) =>
      from === "agent" && line._tag === "Text" && line.text.trim() !== "" ? [line.text] : []
    )
  )
}))

const orderly = stories().map((lines) => sessionOf(agentLines(lines), storyFrontendTools))

const mutated = fc
  .tuple(stories(), fc.array(mutations, { minLength: 1, maxLength: 5 }))
  .map(([story, wrong]) => sessionOf(agentLines(wrong.reduce(mutate, story))))

const seed = Number(process.env["AGENTWIRE_SEED"] ?? 20261116)

type Judge = (session: Session, seed: number) => Violation | Promise<Violation>

const onTapes = async (judge: Judge): Promise<void> => {
  const violations: Array<string> = []
  for (const [index, { name, session }] of taped.entries()) {
    const violation = await judge(session, index)
    if (violation !== undefined) violations.push(`${name}: ${violation}`)
  }
  expect(violations).toEqual([])
}

const onSessions = (sessions: fc.Arbitrary<Session>, judge: Judge, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(sessions, fc.nat(), async (session, seed) => {
      const violation = await judge(session, seed)
      if (violation !== undefined) throw new Error(violation)
    }),
    { numRuns, seed }
  )

describe.each(Object.entries(laws))("%s", (_, { law, mutated: mutants, orderly: cases }) => {
  const judge: Judge = (session, seed) => law(real, session, seed)

  it("on every tape", () => onTapes(judge))
  if (cases > 0) it("on stories", () => onSessions(orderly, judge, cases))
  if (mutants > 0) it("on stories that something went wrong with", () => onSessions(mutated, judge, mutants))
})

describe("all forms agree", () => {
  it("on every tape", () => onTapes(formsAgree))
  it("on stories", () => onSessions(orderly, formsAgree, 400))
  it("on stories that something went wrong with", () => onSessions(mutated, formsAgree, 400))
})

describe("the windows over ids", () => {
  it("are bounded however long the session", () => {
    const [session] = fc.sample(orderly, { numRuns: 1, seed: 7 })
    let state = Translate.initial({ threadId: "thread" })
    let lines = 0
    for (let round = 0; lines < 20_000; round++)
      for (const line of renamed(session ?? sessionOf([]), round)) {
        const decoded: Decoded = decodeLine(line)
        ;[state] = Translate.step(state, decoded)
        lines++
      }
    const kept = [state.fold.recent, state.fold.answered].flatMap(({ older, younger }) => [older.uuids, younger.uuids])
    expect(Math.max(...kept.map(({ length }) => length))).toBeLessThanOrEqual(state.fold.recent.size)
  })
})
