import { expect, test } from "vitest"
import { sessionStateKey } from "../../../src/agui/SessionState.ts"
import { stateOf } from "../../../src/agui/write/SharedState.ts"

test("a session that tells little of itself has little in the state, under the names that clients know", () => {
  const info = { sessionId: "s", model: "m", cwd: "/w" }
  expect(stateOf(info)).toEqual({ [sessionStateKey]: info })
  expect(stateOf({ ...info, mode: "plan", tools: ["Bash"] })).toEqual({
    [sessionStateKey]: { ...info, permissionMode: "plan", tools: ["Bash"] }
  })
  expect(stateOf(undefined)).toEqual({})
})
