/** A point of a conversation is found by what was said before it, however far back that is. */
import type * as Model from "@agentwire/protocol/model"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { branchPoint } from "../../src/session/BranchPoint.ts"
import { findPoint } from "../../src/session/FindPoint.ts"
import { testLog } from "../TestLog.ts"

/** A turn: a prompt, so many texts, of which the last may have a name. */
const turn = fc.record({ texts: fc.integer({ min: 0, max: 160 }), isNamed: fc.boolean() })

const entriesOf = (turns: ReadonlyArray<{ readonly texts: number; readonly isNamed: boolean }>) =>
  turns.flatMap(
    ({ isNamed, texts }, nth): ReadonlyArray<Model.TranscriptEntry> => [
      { kind: "prompt", lane: null, id: `p${nth}`, content: "What?" },
      ...Array.from({ length: texts }, (_, index) => ({
        kind: "text" as const,
        lane: null,
        id: `t${nth}.${index}`,
        text: "That.",
        ...(isNamed && index === texts - 1 && { anchor: `after t${nth}.${index}` })
      }))
    ]
  )

describe("a point", () => {
  it("is the same, whether all that was said is looked at or as much as it takes", () =>
    fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 6 }), fc.nat(), (turns, at) => {
        const entries = entriesOf(turns)
        const position = at % entries.length
        const placed = entries.map((entry, index) => ({ entry, branch: 0, position: index }))
        const expected = branchPoint(placed.slice(0, position + 1), true)
        const { look } = testLog({}, { entries, omitted: 0 })
        return Effect.runPromise(
          Effect.map(
            look((view) => findPoint(view, { branch: 0, position })),
            (found) => {
              expect(found).toEqual(expected === "unavailable" ? undefined : expected)
            }
          )
        )
      }),
      { numRuns: 40 }
    ))

  it.effect("before everything is the beginning", () =>
    Effect.gen(function* () {
      const { look } = testLog({}, { entries: entriesOf([{ texts: 1, isNamed: true }]), omitted: 0 })
      expect(yield* look((view) => findPoint(view, null))).toEqual({ from: null, after: null, anchor: null, again: [] })
    })
  )
})
