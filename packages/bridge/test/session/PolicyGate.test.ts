import type { Model } from "@agentwire/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { askAlways, denyAlways, type ToolUse } from "../../src/policy/Policy.ts"
import { makePolicyGate } from "../../src/session/PolicyGate.ts"

const request = (kind: "permission" | "plan"): Model.Request => ({
  id: "q",
  kind,
  message: "",
  call: "c",
  tool: "Bash",
  input: { command: "ls" },
  remember: [],
  details: {}
})

it.effect("a policy that breaks has refused", () =>
  Effect.gen(function* () {
    const gate = makePolicyGate(() => Effect.die(new Error("oh")), undefined)
    expect(yield* gate.judge?.({ toolName: "Bash", input: {}, cwd: "/" }) ?? Effect.void).toMatchObject({
      _tag: "Deny"
    })
    expect(yield* gate.judgeRequest(request("permission"), "/") ?? Effect.void).toMatchObject({ _tag: "Deny" })
  })
)

it.effect("a policy knows where the shell is and what the session is for", () =>
  Effect.gen(function* () {
    const seen: Array<ToolUse> = []
    const gate = makePolicyGate((use) => {
      seen.push(use)
      return Effect.succeed({ _tag: "Allow" })
    }, "planner")
    yield* gate.judgeRequest(request("plan"), "/elsewhere") ?? Effect.void
    expect(seen).toEqual([{ toolName: "Bash", input: { command: "ls" }, cwd: "/elsewhere", mode: "planner" }])
  })
)

it("questions to a person, forms and tools of the application are not the policy's", () => {
  const gate = makePolicyGate(() => Effect.die("not asked"), undefined)
  const asked = { id: "q", message: "", call: "c", tool: "paint", input: {} }
  expect(gate.judgeRequest({ ...asked, kind: "page_tool" }, "/")).toBeUndefined()
  expect(gate.judgeRequest({ ...asked, kind: "choice", choices: [], details: {} }, "/")).toBeUndefined()
  expect(gate.judgeRequest({ id: "q", message: "", kind: "form", server: "s", details: {} }, "/")).toBeUndefined()
})

it("without a policy nobody judges", () => {
  const gate = makePolicyGate(undefined, undefined)
  expect(gate.judge).toBeUndefined()
  expect(gate.judgeRequest(request("permission"), "/")).toBeUndefined()
})

it.effect("what a person has allowed for the session is not asked again, unless the policy refuses it", () =>
  Effect.gen(function* () {
    const decided = (policy: Parameters<typeof makePolicyGate>[0]) =>
      makePolicyGate(policy, undefined, () => true).judgeRequest(request("permission"), "/") ?? Effect.void
    expect(yield* decided(undefined)).toEqual({ _tag: "Allow" })
    expect(yield* decided(askAlways)).toEqual({ _tag: "Allow" })
    expect(yield* decided(denyAlways)).toMatchObject({ _tag: "Deny" })
  })
)
