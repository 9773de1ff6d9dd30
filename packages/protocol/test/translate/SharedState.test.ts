import { describe, expect, test } from "vitest"
import { foldEvents } from "../../src/agui/History.ts"
import { sessionStateKey } from "../../src/agui/SessionState.ts"
import { customs, init, only, success, translated } from "./Lines.ts"

describe("the session in the shared state", () => {
  test("is one key, so that the application's own state stays", () => {
    const events = translated([init()], { state: { mine: 1 } })
    expect(only(events, "STATE_SNAPSHOT")).toEqual([])
    const { state } = foldEvents(events, { messages: [], state: { mine: 1 } })
    expect(state).toEqual({ mine: 1, [sessionStateKey]: expect.objectContaining({ sessionId: "s", cwd: "/w" }) })
  })

  test("is an event of its own where the state has no keys", () => {
    const events = translated([init()], { state: [1, 2] })
    expect(only(events, "STATE_DELTA")).toEqual([])
    expect(customs(events, "system_init")).toEqual([expect.objectContaining({ sessionId: "s" })])
  })

  test("is told anew with every turn: `init` comes once per turn, and may have changed (§5.20)", () => {
    const events = translated([init(), success(), init({ model: "other" }), success()])
    expect(only(events, "STATE_DELTA")).toHaveLength(2)
    expect(foldEvents(events).state).toMatchObject({ [sessionStateKey]: { model: "other" } })
  })
})
