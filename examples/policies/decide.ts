import { claudeToolInputs } from "@agentwire/bridge/claude"
import { explainDecision, loadPolicy, makePolicy } from "@agentwire/bridge/policy"
import * as Effect from "effect/Effect"

export const decide = Effect.gen(function* () {
  const rules = yield* loadPolicy("examples/policies/team.json", claudeToolInputs, "planner")
  const policy = makePolicy(rules) // for the `policy` of a session
  const use = { toolName: "Bash", input: { command: "ls; sudo rm x" }, cwd: process.cwd(), mode: "planner" }
  const { parts } = yield* explainDecision(rules, use)
  return { decision: yield* policy(use), parts: parts.map(({ decision, what }) => `${decision}: ${what}`) }
})
