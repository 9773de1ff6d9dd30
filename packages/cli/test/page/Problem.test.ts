import { describe, expect, it } from "vitest"
import { problemFrom, problemOf } from "../../page/Problem.ts"

const failure = (code: string, message: string, context = {}) =>
  problemFrom({ code, context, error: new Error(message) })

describe("problemFrom", () => {
  it.each([
    [
      "agent_run_error_event",
      "The agent was killed by SIGKILL.",
      { runtimeErrorCode: "process_exited" },
      "process_exited"
    ],
    ["agent_run_failed", "Failed to fetch", {}, "SERVER_GONE"],
    ["agent_run_failed", 'HTTP 401: {"error":{"code":"UNAUTHORIZED","message":"Send it."}}', {}, "UNAUTHORIZED"],
    ["runtime_info_fetch_failed", "HTTP 401", {}, "UNAUTHORIZED"],
    ["agent_connect_failed", "Something", {}, "CONNECT_FAILED"],
    ["agent_run_failed", "Something", {}, "RUN_FAILED"]
  ])("reads %s: %s", (code, message, context, expected) => {
    expect(failure(code, message, context)?.code).toBe(expected)
  })

  it("says nothing of what CopilotKit does for itself", () => {
    expect(failure("subscriber_callback_failed", "Something")).toBeUndefined()
  })
})

describe("problemOf", () => {
  it("has something to do for every code, known or not", () => {
    for (const code of ["process_exited", "THREAD_BUSY", "never heard of", "toString"])
      expect(problemOf(code).advice).toMatch(/\.$/)
  })
})
