import { describe, expect, it } from "vitest"
import type { Event } from "../../../src/model/Event.ts"
import { began, completed, delta, fold, note, over, started } from "./Lines.ts"

const spawn = (more: object = {}) => ({
  type: "collabAgentToolCall",
  id: "s",
  tool: "spawnAgent",
  prompt: "count",
  status: "inProgress",
  senderThreadId: "t",
  receiverThreadIds: [],
  agentsStates: {},
  ...more
})
const child = { threadId: "k", turnId: "ku" }
const childTurn = note("turn/started", {
  ...child,
  turn: { id: "ku", items: [], status: "inProgress", rootTurnId: "u" }
})
const childEnd = (status: string) => note("turn/completed", { ...child, turn: { id: "ku", items: [], status } })
const lanes = (events: ReadonlyArray<Event>) =>
  events.flatMap((event) =>
    event.type === "lane_opened"
      ? [`opened ${event.lane}`]
      : event.type === "lane_closed"
        ? [`closed ${event.lane} ${event.outcome.type}`]
        : event.type === "turn_ended"
          ? ["turn ended"]
          : event.type === "item_grew" && event.lane !== null
            ? [`${event.lane}: ${event.delta}`]
            : []
  )

describe("a sub-agent", () => {
  const named = completed(spawn({ status: "completed", receiverThreadIds: ["k"] }))

  it("is the lane of the call that started it, and may end after its turn (§3.17)", () => {
    const lines = [
      began(),
      started(spawn()),
      named,
      childTurn,
      delta("m", "Three", child),
      over(),
      childEnd("completed")
    ]
    expect(lanes(fold(lines).events)).toEqual(["opened s", "s: Three", "turn ended", "closed s completed"])
  })

  it("may speak before its call says which thread it is", () => {
    const lines = [began(), started(spawn()), childTurn, delta("m", "Three", child), named, childEnd("failed"), over()]
    expect(lanes(fold(lines).events)).toEqual(["opened s", "s: Three", "closed s failed", "turn ended"])
  })

  it("is closed with the turn where its call never got its result", () => {
    const lines = [
      began(),
      started(spawn()),
      childTurn,
      delta("m", "Three", child),
      over("u", { status: "interrupted" })
    ]
    expect(lanes(fold(lines).events)).toEqual(["opened s", "s: Three", "closed s failed", "turn ended"])
  })
})

it("sub-agents that are silent are not remembered without end", () => {
  const lines = Array.from({ length: 500 }, (_, number) =>
    completed(spawn({ id: `s${number}`, status: "completed", receiverThreadIds: [`k${number}`] }))
  )
  const { state } = fold([began(), ...lines, over()])
  expect(state.subagents.size).toBe(200)
  expect(state.subagents.has("k499")).toBe(true)
})

it("what other threads say gives nothing", () => {
  const other = { threadId: "o", turnId: "ou" }
  const lines = [
    note("turn/started", { ...other, turn: { id: "ou", items: [], status: "inProgress" } }),
    delta("m", "x", other)
  ]
  expect(fold(lines).events).toEqual([])
})
