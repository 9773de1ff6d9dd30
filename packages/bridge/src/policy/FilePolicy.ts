/** A policy from a file: what a session asks before each tool call. */
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { type Explanation, explainDecision } from "./Explain.ts"
import type { Policy, PolicyDecision } from "./Policy.ts"
import { PolicyInvalid } from "./PolicyFile.ts"
import { type PolicyRules, readPolicy } from "./Rules.ts"
import type { ToolInputs } from "./ToolInputs.ts"

/** Reads a policy file, for an agent with these tools. With a mode, it must have that mode. */
export const loadPolicy = Effect.fn("loadPolicy")(function* (
  path: string,
  tools: ToolInputs,
  mode?: string
): Effect.fn.Return<PolicyRules, PolicyInvalid> {
  const text = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (error) => unreadable(path, error)
  })
  const policy = yield* Effect.fromResult(readPolicy(text, tools))
  if (mode !== undefined && !policy.modes.has(mode)) return yield* noMode(policy, mode)
  return policy
})

const unreadable = (path: string, error: unknown): PolicyInvalid => {
  const why = error instanceof Error ? error.message : String(error)
  return new PolicyInvalid({
    code: "POLICY_UNREADABLE",
    message: `Cannot read the policy ${path}: ${why}.`,
    problems: []
  })
}

const noMode = ({ modes }: PolicyRules, mode: string): PolicyInvalid => {
  const known = modes.size === 0 ? "It has none." : `It has: ${[...modes.keys()].join(", ")}.`
  const message = `The policy has no mode "${mode}". ${known}`
  return new PolicyInvalid({ code: "POLICY_NO_MODE", message, problems: [{ place: "$.modes", message }] })
}

/** The policy that follows some rules. */
export const makePolicy =
  (rules: PolicyRules): Policy =>
  (use) =>
    Effect.map(explainDecision(rules, use), decisionOf)

const decisionOf = ({ decision, reason }: Explanation): PolicyDecision => {
  switch (decision) {
    case "allow":
      return { _tag: "Allow" }
    case "ask":
      return { _tag: "Ask", reason }
    case "deny":
      return { _tag: "Deny", message: reason }
  }
}
