/** Where somebody wants a conversation to continue: a message is kept or left as a whole, on whichever branch it is. */
import type * as Model from "@agentwire/protocol/model"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { EventLog } from "../../src/log/EventLog.ts"
import { findTarget, type PointTarget } from "../../src/session/PointTarget.ts"
import { testLog } from "../TestLog.ts"

const on = { lane: null }

const call = (id: string, parent: string): Model.TranscriptEntry => ({
  kind: "call",
  ...on,
  id,
  tool: "Read",
  action: "read",
  parent,
  arguments: "{}",
  anchor: `s/${id}`
})

const result = (id: string): Model.TranscriptEntry => ({
  kind: "result",
  ...on,
  id,
  content: "",
  failed: false,
  anchor: `s/${id}-result`
})

/** A prompt, a text with two calls, a sub-agent between their results, calls without a text, and an answer. */
const entries: ReadonlyArray<Model.TranscriptEntry> = [
  { kind: "prompt", ...on, id: "p", content: "?", anchor: "s/p" },
  { kind: "thought", ...on, id: "h", text: "Hm", anchor: "s/h" },
  { kind: "text", ...on, id: "m", text: "!", anchor: "s/m" },
  call("c1", "m"),
  call("c2", "m"),
  result("c1"),
  { kind: "text", lane: "c2", id: "sub", text: "!" },
  result("c2"),
  call("c3", "n"),
  result("c3"),
  { kind: "text", ...on, id: "a", text: "So.", anchor: "s/a" }
]

const pointIn = (log: EventLog, target: PointTarget) => log.look((view) => findTarget(view, target))

describe("a point", () => {
  it.effect("after a message is the one after its calls and their results", () =>
    Effect.gen(function* () {
      const log = testLog({}, { entries, omitted: 0 })
      const anchors: ReadonlyArray<readonly [string, string, number]> = [
        ["p", "s/p", 0],
        ["h", "s/h", 1],
        ["m", "s/c2-result", 7],
        ["c1", "s/c2-result", 7],
        ["n", "s/c3-result", 9],
        ["a", "s/a", 10]
      ]
      for (const [id, anchor, position] of anchors)
        expect(yield* pointIn(log, { after: [id] }), id).toMatchObject({ anchor, from: { branch: 0, position } })
      expect(yield* pointIn(log, { after: ["c1:result", "c1"] })).toMatchObject({ anchor: "s/c2-result" })
    })
  )

  it.effect("before a message is the one before all of it", () =>
    Effect.gen(function* () {
      const log = testLog({}, { entries, omitted: 0 })
      expect(yield* pointIn(log, { before: ["p"] })).toMatchObject({ anchor: null, from: null })
      expect(yield* pointIn(log, { before: ["m"] })).toMatchObject({ anchor: "s/h" })
      expect(yield* pointIn(log, { before: ["c2"] })).toMatchObject({ anchor: "s/h" })
      expect(yield* pointIn(log, { before: ["n"] })).toMatchObject({ anchor: "s/c2-result" })
    })
  )

  it.effect("is none of what a sub-agent said, of what nobody said, or of what has no name", () =>
    Effect.gen(function* () {
      const log = testLog({}, { entries, omitted: 0 })
      const codeOf = (target: PointTarget) => Effect.map(Effect.flip(pointIn(log, target)), (each) => each.code)
      expect(yield* codeOf({ after: ["sub"] })).toBe("BRANCH_UNAVAILABLE")
      expect(yield* codeOf({ before: ["nobody"] })).toBe("MESSAGE_NOT_FOUND")
      expect(yield* codeOf({ branch: 1 })).toBe("BRANCH_NOT_FOUND")
      const unnamed = testLog({}, { entries: entries.map(({ anchor: _, ...entry }) => entry as never), omitted: 0 })
      expect(yield* Effect.flip(pointIn(unnamed, { after: ["a"] }))).toMatchObject({ code: "BRANCH_UNAVAILABLE" })
    })
  )

  it.effect(
    "of an id that was said on two branches is where the conversation has it, else where it was said last",
    () =>
      Effect.gen(function* () {
        const log = testLog({}, { entries, omitted: 0 })
        const goBack = (branch: number): Model.Event => ({
          type: "branched",
          branch,
          from: null,
          after: null,
          anchor: null
        })
        const say = (id: string): Model.Event => ({
          type: "item_started",
          ...on,
          id,
          item: { kind: "prompt", content: id }
        })
        const name = (id: string, anchor: string): Model.Event => ({ type: "anchored", ...on, id, anchor })
        log.append([goBack(1), say("p"), name("p", "s/again")])
        expect(yield* pointIn(log, { after: ["p"] })).toMatchObject({ anchor: "s/again" })
        log.append([goBack(2)])
        expect(yield* pointIn(log, { after: ["p"] })).toMatchObject({ anchor: "s/again", from: { branch: 1 } })
        expect(yield* pointIn(log, { after: ["a"] })).toMatchObject({ anchor: "s/a", from: { branch: 0 } })
        expect(yield* pointIn(log, { branch: 2 })).toMatchObject({ anchor: null, from: null })
      })
  )
})
