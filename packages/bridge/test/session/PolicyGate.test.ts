import type { Claude, Translate } from "@agentwire/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Policy, ToolUse } from "../../src/policy/Policy.ts"
import { type GatekeeperHost, makeGatekeeper } from "../../src/session/PolicyGate.ts"
import { ask, beforeTool } from "../AgentLines.ts"

const setUp = (policy: Policy) => {
  const sent: Array<unknown> = []
  const host: GatekeeperHost = {
    policy,
    cwd: "/work",
    mode: "planner",
    isFrontendTool: (name) => name === "mcp__frontend__paint",
    send: (message) => Effect.sync(() => void sent.push(message)),
    aside: (effect) => effect,
    locked: (effect) => effect
  }
  return { sent, gatekeeper: makeGatekeeper(host) }
}
const question = (tool: string) => ask("q", tool, "toolu_1") as unknown as Translate.PermissionQuestion
const hook = (tool: string, cwd: string) =>
  beforeTool("h", "agentwire-policy", tool, {}, cwd) as unknown as Claude.ControlRequestMessage<"hook_callback">

it.effect("a policy that breaks has refused", () =>
  Effect.gen(function* () {
    const { gatekeeper, sent } = setUp(() => Effect.die(new Error("oh")))
    yield* gatekeeper.judge(hook("Bash", "/"))
    yield* gatekeeper.permit(question("Bash"), Effect.die("nobody is asked"))
    expect(sent).toMatchObject([
      { response: { response: { hookSpecificOutput: { permissionDecision: "deny" } } } },
      { response: { response: { behavior: "deny" } } }
    ])
  })
)

it.effect("a policy knows where the shell is and what the session is for", () =>
  Effect.gen(function* () {
    const seen: Array<ToolUse> = []
    const { gatekeeper } = setUp((use) =>
      Effect.as(
        Effect.sync(() => seen.push(use)),
        { _tag: "Allow" as const }
      )
    )
    yield* gatekeeper.permit(question("Bash"), Effect.void)
    yield* gatekeeper.judge(hook("Bash", "/elsewhere"))
    yield* gatekeeper.permit(question("Bash"), Effect.void)
    expect(seen.map(({ cwd, mode }) => [cwd, mode])).toEqual([
      ["/work", "planner"],
      ["/elsewhere", "planner"],
      ["/elsewhere", "planner"]
    ])
  })
)

it.effect("tools of the application, and questions to a person, are not the policy's", () =>
  Effect.gen(function* () {
    const { gatekeeper, sent } = setUp(() => Effect.die("not asked"))
    yield* gatekeeper.judge(hook("mcp__frontend__paint", "/"))
    yield* gatekeeper.judge(hook("AskUserQuestion", "/"))
    expect(sent).toMatchObject([{ response: { response: {} } }, { response: { response: {} } }])
    yield* gatekeeper.permit(question("mcp__frontend__paint"), Effect.die("not asked"))
    expect(sent.at(-1)).toMatchObject({ response: { response: { behavior: "allow" } } })
    let asked = false
    yield* gatekeeper.permit(
      question("AskUserQuestion"),
      Effect.sync(() => {
        asked = true
      })
    )
    expect(asked).toBe(true)
  })
)
