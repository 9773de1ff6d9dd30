import { describe, expect, test } from "vitest"
import type { Known } from "../../src/claude/Codec.ts"
import { afterDelta, emptyLane, initialFold, laneOf, withLane } from "../../src/claude/fold/State.ts"
import { stepAll } from "../../src/translate/TranslateStream.ts"
import { initialState, type State } from "../../src/translate/Translator.ts"
import {
  after,
  canUseTool,
  init,
  options,
  said,
  streamedCall,
  streamedText,
  success,
  taskEnded,
  taskStarted,
  text,
  toolResult,
  toolUse
} from "./Lines.ts"

test("a session begins with nothing open", () => {
  const { fold, writer } = initialState(options)
  expect([writer.runs, writer.run, fold.open, fold.turn, writer.suspendedFor]).toEqual([
    0,
    undefined,
    false,
    undefined,
    undefined
  ])
  for (const kept of [fold.lanes, fold.calls, fold.subagents, fold.tasks, fold.requests, writer.waiting])
    expect(kept.size).toBe(0)
  expect(fold.main).toEqual(emptyLane(null))
})

describe("a replay window", () => {
  test("is never smaller than the buffer that is replayed", () => {
    expect(initialFold({ replayWindow: 10 }).recent.size).toBe(2000)
    expect(initialFold({ replayWindow: 9000 }).recent.size).toBe(9000)
  })

  // A table of that size is made at once, and one of no size would never take an entry.
  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e12, -1, 2500.5])("of %d is made one", (replayWindow) => {
    const { size } = initialFold({ replayWindow }).recent
    expect(Number.isInteger(size)).toBe(true)
    expect(size).toBeGreaterThanOrEqual(2000)
    expect(size).toBeLessThanOrEqual(10_000_000)
  })
})

describe("lanes", () => {
  const state = initialFold()

  test("a speaker nobody has heard has an empty lane of its own", () => {
    expect(laneOf(state, null)).toEqual(emptyLane(null))
    expect(laneOf(state, "c1")).toEqual(emptyLane("c1"))
  })

  test("changing one lane leaves the others and the given state alone", () => {
    const lane = { ...emptyLane("c1"), cut: [] }
    const main = { ...emptyLane(null), earlier: [] }
    const changed = withLane(withLane(state, lane), main)
    expect(laneOf(changed, "c1")).toBe(lane)
    expect(changed.main).toBe(main)
    expect(laneOf(changed, "c2")).toEqual(emptyLane("c2"))
    expect(state.lanes.size).toBe(0)
  })

  test("what is written out for speed has every field of the state", () => {
    const { fold: busy } = after([init(), said("m", toolUse("c1")), canUseTool("q", "c1")])
    expect(afterDelta(busy, busy.recent, busy.main)).toEqual(busy)
    expect(Object.keys(afterDelta(busy, busy.recent, busy.main))).toEqual(Object.keys(initialFold()))
  })
})

describe("bounded (law 8): what is kept does not grow with the session", () => {
  const turn = (at: number): ReadonlyArray<Known> => [
    init(),
    ...streamedText(`a${at}`, ["some ", "words ", `${at % 10}`]),
    ...streamedCall(`b${at}`, `call${at}`, { command: "ls" }),
    toolResult(`call${at}`),
    said(`c${at}`, toolUse(`agent${at}`, { subagent_type: "x" }, "Agent")),
    taskStarted(`task${at}`, `agent${at}`),
    said(`d${at}`, text("inside"), `agent${at}`),
    taskEnded(`task${at}`, { tool_use_id: `agent${at}` }),
    toolResult(`agent${at}`),
    success({ result: "words" })
  ]
  // The two windows of ids have a size of their own.
  const weight = ({ fold: { answered: _answered, recent: _recent, ...fold }, writer }: State): number =>
    JSON.stringify({ fold, writer }, (_key, value: unknown) => {
      // A count is as long as it is, however many digits it has.
      if (typeof value === "number") return 0
      return value instanceof Map || value instanceof Set ? [...value] : value
    }).length

  test("after a hundred turns as after five", () => {
    let state = initialState(options)
    const weights: Array<number> = []
    for (let at = 0; at < 100; at++) {
      state = stepAll(state, turn(at))[0]
      weights.push(weight(state))
    }
    // Two digits more in the number of the run, and in the numbers of turns.
    expect(weights[99]).toBeLessThanOrEqual((weights[4] ?? 0) + 6)
  })

  test("in one turn, too: of what is done, nothing but the names of sub-agents is kept", () => {
    let state = initialState(options)
    const weights: Array<number> = []
    for (let at = 0; at < 100; at++) {
      state = stepAll(state, turn(1000 + at).slice(0, -1))[0]
      const { fold, runtime, writer } = state
      const named = { runtime, fold: { ...fold, subagents: new Map() }, writer: { ...writer, lanes: new Map() } }
      weights.push(weight(named))
    }
    expect(weights[99]).toBeLessThanOrEqual((weights[19] ?? 0) * 1.05)
  })
})
