import { describe, expect, test } from "vitest"
import type { Known } from "../../src/claude/Codec.ts"
import { advanced, emptyLane, initial, laneOf, put, type State, withLane, without } from "../../src/translate/State.ts"
import { steps } from "../../src/translate/TranslateStream.ts"
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
  const state = initial(options)
  expect([state.runs, state.run, state.turn, state.waiting, state.suspended]).toEqual([
    0,
    undefined,
    undefined,
    undefined,
    false
  ])
  for (const kept of [state.lanes, state.calls, state.subagents, state.tasks]) expect(kept.size).toBe(0)
  expect(state.main).toEqual(emptyLane(null))
})

test("the tools of the application are known by the CLI's names", () => {
  const { frontendTools } = initial({ ...options, frontendTools: ["pick"], frontendServer: "app" })
  expect([...frontendTools]).toEqual([["mcp__app__pick", "pick"]])
})

describe("lanes", () => {
  const state = initial(options)

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
    const busy = after([init(), said("m", toolUse("c1")), canUseTool("q", "c1")])
    expect(advanced(busy, busy.recent, busy.main)).toEqual(busy)
    expect(Object.keys(advanced(busy, busy.recent, busy.main))).toEqual(Object.keys(initial(options)))
  })
})

describe("maps are values", () => {
  test("put and without give new maps", () => {
    const one = new Map([["a", 1]])
    expect([...put(one, "b", 2)]).toEqual([
      ["a", 1],
      ["b", 2]
    ])
    expect([...without(one, "a")]).toEqual([])
    expect([...one]).toEqual([["a", 1]])
  })

  test("nothing is copied where nothing changes", () => {
    const one = new Map([["a", 1]])
    expect(without(one, "b")).toBe(one)
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
  const weight = ({ answered: _answered, recent: _recent, ...state }: State): number =>
    JSON.stringify(state, (_key, value: unknown) => (value instanceof Map ? [...value] : value)).length

  test("after a hundred turns as after five", () => {
    let state = initial(options)
    const weights: Array<number> = []
    for (let at = 0; at < 100; at++) {
      state = steps(state, turn(at))[0]
      weights.push(weight(state))
    }
    // Two digits more in the number of the run.
    expect(weights[99]).toBeLessThanOrEqual((weights[4] ?? 0) + 2)
  })

  test("in one turn, too: of what is done, nothing but the names of sub-agents is kept", () => {
    let state = initial(options)
    const weights: Array<number> = []
    for (let at = 0; at < 100; at++) {
      state = steps(state, turn(1000 + at).slice(0, -1))[0]
      weights.push(weight({ ...state, subagents: new Map() }))
    }
    expect(weights[99]).toBeLessThanOrEqual((weights[19] ?? 0) * 1.05)
  })
})
