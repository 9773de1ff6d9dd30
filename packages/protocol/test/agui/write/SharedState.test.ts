import { describe, expect, test } from "vitest"
import { broughtState, sessionStateKey } from "../../../src/agui/SessionState.ts"
import { initialWriter, isRunOpen, write } from "../../../src/agui/write/index.ts"
import { stateEvents, stateOf } from "../../../src/agui/write/SharedState.ts"
import { emptySituation } from "../../../src/model/Situation.ts"

test("a session that tells little of itself has little in the state, under the names that clients know", () => {
  const info = { sessionId: "s", model: "m", cwd: "/w" }
  expect(stateOf(info)).toEqual({ [sessionStateKey]: info })
  expect(stateOf({ ...info, mode: "plan", tools: ["Bash"] })).toEqual({
    [sessionStateKey]: { ...info, permissionMode: "plan", tools: ["Bash"] }
  })
  expect(stateOf(undefined)).toEqual({})
})

const session = { sessionId: "s", model: "m", cwd: "/w" }
const key = { type: "STATE_DELTA", delta: [{ op: "add", path: `/${sessionStateKey}`, value: session }] }

test("the application's state is beside the session's key; one that can have no keys is alone", () => {
  expect(stateOf(session, { count: 1 })).toEqual({ count: 1, [sessionStateKey]: session })
  expect(stateOf(undefined, { count: 1 })).toEqual({ count: 1 })
  expect(stateOf(session, [1])).toEqual([1])
})

describe("the state that a client brings", () => {
  test.each([undefined, null, "", {}])("%j is none", (sent) => expect(broughtState(sent)).toBeUndefined())
  test.each([
    [{ count: 1 }, { count: 1 }],
    [{ count: 1, [sessionStateKey]: session }, { count: 1 }],
    [{ [sessionStateKey]: session }, {}],
    [[], []],
    [0, 0],
    ["text", "text"]
  ])("%j is %j", (sent, state) => expect(broughtState(sent)).toEqual({ state }))
})

describe("a client that joins", () => {
  test("gets the whole state where it has none", () => {
    expect(stateEvents({ session, state: { count: 1 } }, {})).toEqual([
      { type: "STATE_SNAPSHOT", snapshot: { count: 1, [sessionStateKey]: session } }
    ])
  })

  test("keeps its own, and gets only what the session says of itself", () => {
    expect(stateEvents({ session, state: { count: 1 } }, { count: 2 })).toEqual([key])
    expect(stateEvents({ session, state: { count: 1 } }, [2])).toMatchObject([{ type: "CUSTOM" }])
    expect(stateEvents({ session: undefined, state: { count: 1 } }, { count: 2 })).toEqual([])
  })

  test("gets nothing where there is nothing", () => {
    for (const state of [undefined, {}]) expect(stateEvents({ session: undefined, state }, {})).toEqual([])
  })
})

test("a change of the state is told to nobody, and begins nothing; what the session says fits it", () => {
  const [changed, none] = write(initialWriter({ threadId: "t" }), { type: "state_changed", state: [1] })
  expect([none, isRunOpen(changed)]).toEqual([[], false])
  const [begun] = write(changed, { type: "turn_started", cause: "agent" })
  expect(write(begun, { type: "session_changed", info: session })[1]).toMatchObject([{ type: "CUSTOM" }])
  const [keyed] = write(initialWriter({ threadId: "t" }, { ...emptySituation, state: {} }), {
    type: "turn_started",
    cause: "agent"
  })
  expect(write(keyed, { type: "session_changed", info: session })[1]).toEqual([key])
})
