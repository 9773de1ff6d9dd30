/**
 * The sessions that the laws are tried on: tapes, stories, and stories that something went wrong with. They are the
 * same in every run, so that a change is judged by what it changes; `AGENTWIRE_SEED` chooses other stories.
 */
import { loadTape, type TapeEntry, tapes } from "@agentwire/fixtures"
import { mutate, mutations, type SessionLine, stories, storyFrontendTools } from "@agentwire/fixtures/arbitrary"
import { Tape } from "@agentwire/protocol"
import fc from "fast-check"
import { type Session, sessionOf } from "./law/Translator.ts"

/** A session to judge by; the seed is for the places that a law has to choose. */
export interface Case {
  readonly name: string
  /** Made when it is first asked for, and kept: all laws look at the same one. */
  readonly session: () => Session
  readonly seed: number
}

const kept = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** What generated sessions are made of. */
export const seed = Number(process.env["AGENTWIRE_SEED"] ?? 20261116)

const sessionOfTape = (entry: TapeEntry): Session =>
  sessionOf(
    Tape.tapeLines(loadTape(entry).frames).flatMap(({ from, line }) =>
      from === "agent" && line._tag === "Text" && line.text.trim() !== "" ? [line.text] : []
    )
  )

/** Tapes as sessions. */
export const taped = (entries: ReadonlyArray<TapeEntry>): ReadonlyArray<Case> =>
  entries.map((entry) => ({
    name: `${entry.scenario} of ${entry.version} over ${entry.transport}, run ${entry.run}`,
    session: kept(() => sessionOfTape(entry)),
    seed: tapes.indexOf(entry)
  }))

const agentLines = (lines: ReadonlyArray<SessionLine>): ReadonlyArray<string> =>
  lines.filter(({ from }) => from === "agent").map(({ line }) => line)

/** A session, and the seed for what a law has to choose. */
export type Generated = readonly [session: Session, seed: number]

/** Sessions as the CLI could have sent them. */
export const orderly: fc.Arbitrary<Generated> = fc.tuple(
  stories().map((lines) => sessionOf(agentLines(lines), storyFrontendTools)),
  fc.nat()
)

/** Sessions with lines lost, late, doubled, cut or written into each other. */
export const mutated: fc.Arbitrary<Generated> = fc.tuple(
  fc
    .tuple(stories(), fc.array(mutations, { minLength: 1, maxLength: 5 }))
    .map(([story, wrong]) => sessionOf(agentLines(wrong.reduce(mutate, story)))),
  fc.nat()
)

/** The first so many of each kind of generated sessions, by name. */
export const generated = (stories: number, broken: number): ReadonlyArray<Case> => [
  ...sample("story", orderly, stories),
  ...sample("broken story", mutated, broken)
]

const sample = (kind: string, sessions: fc.Arbitrary<Generated>, count: number): ReadonlyArray<Case> =>
  count === 0
    ? []
    : fc
        .sample(sessions, { numRuns: count, seed })
        .map(([session, seed], index) => ({ name: `${kind} ${index + 1}`, session: () => session, seed }))
