/**
 * Turns of words that a person said in the middle of one: a turn that was answered stays open until the CLI has taken them up,
 * and ends as truthfully as any.
 */
import { describe, expect, it } from "vitest"
import * as Claude from "../../../src/claude/index.ts"
import type { Event } from "../../../src/model/Event.ts"

const session_id = "5e5510a0-0000-4000-8000-000000000001"

/** What is said to a fold: lines of the CLI, or what its host does. */
type Step = object | ((state: Claude.FoldState) => Claude.Folded | Claude.FoldState)

let uuids = 0

const told = (...steps: ReadonlyArray<Step>): ReadonlyArray<Event> => {
  let state = Claude.initialFold()
  const events: Array<Event> = []
  for (const step of steps) {
    const line = (): object => ({ ...step, uuid: `u${uuids++}`, session_id })
    const next =
      typeof step === "function" ? step(state) : Claude.foldMessage(state, Claude.decodeLine(JSON.stringify(line())))
    if ("length" in next) {
      events.push(...next[1])
      state = next[0]
    } else state = next
  }
  return events
}

const result = (output_tokens: number, fields: object = {}): object => ({
  type: "result",
  subtype: "success",
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  result: "done",
  stop_reason: "end_turn",
  total_cost_usd: 0,
  usage: { input_tokens: 1, output_tokens },
  modelUsage: {},
  permission_denials: [],
  ...fields
})

const lifecycle = (state: string): object => ({ type: "command_lifecycle", command_uuid: "line-2", state })

const prompt = (state: Claude.FoldState) => Claude.foldPrompt(state, [{ id: "p1", content: "One" }], "line-1")

const steer = (state: Claude.FoldState) => Claude.foldSteer(state, [{ id: "p2", content: "Two" }], "line-2")

const end =
  (reason: Claude.FinishReason): Step =>
  (state) =>
    Claude.endFold(state, reason)

/** Turns, what was said in them, how each ended and how many tokens were written for it. */
const turns = (events: ReadonlyArray<Event>): ReadonlyArray<unknown> =>
  events.flatMap((event): ReadonlyArray<unknown> => {
    if (event.type === "turn_started") return ["<"]
    if (event.type === "item_started") return event.item.kind === "prompt" ? [event.item.content] : []
    return event.type === "turn_ended" ? [event.outcome.type, event.usage?.output] : []
  })

describe("words for a turn", () => {
  it("keep it open when it is answered before they are taken up, and both parts are paid for", () => {
    const events = told(prompt, steer, lifecycle("queued"), result(3), lifecycle("started"), result(4))
    expect(turns(events)).toEqual(["<", "One", "Two", "completed", 7])
  })

  it("keep it open no longer than until they are dropped", () => {
    expect(turns(told(prompt, steer, result(3), lifecycle("cancelled")))).toEqual(["<", "One", "completed", 3])
    const unheard: Step = (state) => Claude.foldUnheard(state, "line-2")
    expect(turns(told(prompt, steer, result(3), unheard))).toEqual(["<", "One", "completed", 3])
    expect(turns(told(prompt, steer, unheard, result(3)))).toEqual(["<", "One", "completed", 3])
  })

  it("make no failure and no stop of it good, nor does the end of the agent take its answer back", () => {
    const failed = result(3, { subtype: "error_during_execution", is_error: true })
    expect(turns(told(prompt, steer, failed, lifecycle("started"), result(4)))).toEqual([
      ...["<", "One", "failed", 3],
      ...["<", "Two", "completed", 4]
    ])
    const killed = end({ type: "exit", code: null, signal: "SIGKILL" })
    expect(turns(told(prompt, steer, result(3), killed))).toEqual(["<", "One", "completed", 3])
    expect(turns(told(prompt, steer, result(3), lifecycle("started"), killed))).toEqual([
      "<",
      "One",
      "Two",
      "failed",
      3
    ])
  })

  it("are said where only their end tells that they were taken up", () => {
    const init = { type: "system", subtype: "init", cwd: "/", tools: [], mcp_servers: [], model: "m" }
    expect(turns(told(prompt, steer, result(3), init, result(4), lifecycle("completed")))).toEqual([
      ...["<", "One", "Two", "completed", 7]
    ])
    const failed = result(3, { subtype: "error_during_execution", is_error: true })
    expect(turns(told(prompt, steer, failed, lifecycle("completed")))).toEqual([
      ...["<", "One", "failed", 3],
      ...["<", "Two", "completed", undefined]
    ])
  })
})
