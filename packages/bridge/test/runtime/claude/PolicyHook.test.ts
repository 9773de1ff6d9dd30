import { Claude } from "@agentwire/protocol"
import { decodePayload } from "@agentwire/protocol/codec"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { PolicyDecision, ToolUse } from "../../../src/policy/Policy.ts"
import { answerHook, hookAnswer, policyHook, policyHooks } from "../../../src/runtime/claude/PolicyHook.ts"

const decisions: ReadonlyArray<PolicyDecision> = [
  { _tag: "Allow" },
  { _tag: "Ask" },
  { _tag: "Ask", reason: "why" },
  { _tag: "Deny", message: "why" }
]

it.each(decisions)("$_tag is an answer that the CLI understands", (decision) => {
  const answer = hookAnswer(decision)
  expect(decodePayload(Claude.HookOutput, answer)._tag).toBe("Known")
  expect(JSON.stringify(answer).includes("why")).toBe(JSON.stringify(decision).includes("why"))
})

it("is asked about every tool", () => {
  expect(policyHooks["PreToolUse"]?.every(({ matcher }) => matcher === undefined)).toBe(true)
})

describe("answerHook", () => {
  const called = (tool_name: string, tool_input: unknown = { command: "ls" }) => ({
    type: "control_request" as const,
    request_id: "h1",
    request: {
      subtype: "hook_callback" as const,
      callback_id: policyHook,
      tool_use_id: "toolu_1",
      input: {
        hook_event_name: "PreToolUse" as const,
        session_id: "s",
        transcript_path: "/t",
        cwd: "/work/deeper",
        tool_name,
        tool_input,
        tool_use_id: "toolu_1"
      }
    }
  })
  const judged: Array<Omit<ToolUse, "mode">> = []
  const judge = (use: Omit<ToolUse, "mode">) =>
    Effect.sync((): PolicyDecision => {
      judged.push(use)
      return { _tag: "Deny", message: "No." }
    })
  const isPageTool = (name: string) => name === "mcp__frontend__paint"
  const answered = (...[message, judging]: [Claude.ControlRequestMessage<"hook_callback">, typeof judge | undefined]) =>
    Effect.suspend(() => {
      judged.length = 0
      return answerHook(message, "/elsewhere", judging, isPageTool)
    })

  it.effect("has the policy decide, in the folder where the shell is", () =>
    Effect.gen(function* () {
      expect(yield* answered(called("Bash"), judge)).toEqual(hookAnswer({ _tag: "Deny", message: "No." }))
      expect(judged).toEqual([{ toolName: "Bash", input: { command: "ls" }, cwd: "/elsewhere" }])
    })
  )

  it.effect.each(["AskUserQuestion", "mcp__frontend__paint"])("does not have it decide about %s", (name) =>
    Effect.gen(function* () {
      expect(yield* answered(called(name), judge)).toEqual({})
      expect(judged).toEqual([])
    })
  )

  it.effect("says nothing where nobody decides, and about other events", () =>
    Effect.gen(function* () {
      expect(yield* answered(called("Bash"), undefined)).toEqual({})
      const message = called("Bash")
      const input = { ...message.request.input, hook_event_name: "PostToolUse" as const, tool_response: "a.txt" }
      expect(yield* answered({ ...message, request: { ...message.request, input } }, judge)).toEqual({})
      expect(judged).toEqual([])
    })
  )

  it.effect.each(["ls", ["ls"], null])("an input that is no object (%j) is an empty one", (input) =>
    Effect.gen(function* () {
      yield* answered(called("Bash", input), judge)
      expect(judged).toMatchObject([{ toolName: "Bash", input: {} }])
    })
  )
})
