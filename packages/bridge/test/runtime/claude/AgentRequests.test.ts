/**
 * What Claude Code asks of its host is answered, whatever it is.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Policy } from "../../../src/policy/Policy.ts"
import { policyHook } from "../../../src/runtime/claude/PolicyHook.ts"
import { init, isPrompt, result } from "../../AgentLines.ts"
import { outcome } from "../../AguiClient.ts"
import type { Behaviour, Line } from "../../FakeAgent.ts"
import { answerTo, withSession } from "../../WithSession.ts"

const control = (requestId: string, request: Line): Line => ({
  type: "control_request",
  request_id: requestId,
  request
})

/** An agent that makes a control request at the beginning of its turn, and ends the turn when it has an answer. */
const makes =
  (request: Line): Behaviour =>
  (line, say) => {
    if (isPrompt(line)) return say(init(), control("x1", request))
    return (line["response"] as Line | undefined)?.["request_id"] === "x1" ? say(result()) : Effect.void
  }

describe("a control request", () => {
  it.effect.each([
    ["that nobody knows", { subtype: "from_the_future" }],
    ["without a subtype", { about: "nothing" }],
    ["that lacks what it needs", { subtype: "can_use_tool", tool_name: 7 }]
  ] as const)("%s is answered with an error, and the turn goes on", ([, request]) =>
    withSession(makes(request), { approvals: "interrupt" }, ({ agents, client }) =>
      Effect.gen(function* () {
        expect(outcome(yield* client.run("r1", { prompt: "Hi" }))).toEqual({ type: "success" })
        expect(answerTo(agents, "x1")).toMatchObject([{ subtype: "error", error: expect.any(String) }])
      })
    )
  )

  it.effect("that is for another host is answered with an error", () =>
    withSession(makes({ subtype: "set_model", model: "m" }), {}, ({ agents, client }) =>
      Effect.gen(function* () {
        expect(outcome(yield* client.run("r1", { prompt: "Hi" }))).toEqual({ type: "success" })
        expect(answerTo(agents, "x1")).toMatchObject([{ subtype: "error" }])
      })
    )
  )

  it.effect("of a hook of somebody else is let through", () =>
    withSession(
      makes({
        subtype: "hook_callback",
        callback_id: "of somebody",
        input: { hook_event_name: "Stop", session_id: "s", transcript_path: "/t", cwd: "/", stop_hook_active: false }
      }),
      {},
      ({ agents, client }) =>
        Effect.gen(function* () {
          yield* client.run("r1", { prompt: "Hi" })
          expect(answerTo(agents, "x1")).toMatchObject([{ subtype: "success", response: {} }])
        })
    )
  )
})

describe("a call of the policy's hook", () => {
  const allow: Policy = () => Effect.succeed({ _tag: "Allow" })
  const call = { hook_event_name: "PreToolUse", session_id: "s", transcript_path: "/t", cwd: "/", tool_name: "Bash" }
  const decision = (given: string) => [
    { subtype: "success", response: { hookSpecificOutput: { permissionDecision: given } } }
  ]

  it.effect.each([
    ["that lacks the tool", { subtype: "hook_callback", callback_id: policyHook, input: { ...call, tool_name: 7 } }],
    ["that says nothing", { subtype: "hook_callback" }],
    ["without a name", { subtype: "hook_callback", input: { ...call, tool_input: {} } }],
    ["with an odd name", { subtype: "hook_callback", callback_id: 7, input: { ...call, tool_input: {} } }]
  ] as const)("%s is a refusal: an error would let the tool run", ([, request]) =>
    withSession(makes(request), { policy: allow }, ({ agents, client }) =>
      Effect.gen(function* () {
        expect(outcome(yield* client.run("r1", { prompt: "Hi" }))).toEqual({ type: "success" })
        expect(answerTo(agents, "x1")).toMatchObject(decision("deny"))
      })
    )
  )

  it.effect("by another name is judged like any other", () =>
    withSession(
      makes({ subtype: "hook_callback", callback_id: "renamed", input: { ...call, tool_input: { command: "ls" } } }),
      { policy: ({ input }) => Effect.succeed({ _tag: "Deny", message: `not ${String(input["command"])}` }) },
      ({ agents, client }) =>
        Effect.gen(function* () {
          yield* client.run("r1", { prompt: "Hi" })
          expect(answerTo(agents, "x1")).toMatchObject(decision("deny"))
          expect(JSON.stringify(answerTo(agents, "x1"))).toContain("not ls")
        })
    )
  )
})
