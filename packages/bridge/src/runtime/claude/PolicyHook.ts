/**
 * How a policy sees every tool call: as a hook of the CLI, which calls it even where it would not ask anybody.
 * `ToolGuard.ts` asks the policy; here is what is said on the wire.
 */
import type * as Claude from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import type { PolicyDecision } from "../../policy/Policy.ts"

/** The id the CLI calls the hook by. */
export const policyHook = "agentwire-policy"

/** Whether a message that did not decode may be a call of a hook. What is not JSON may be anything, so it counts. */
export const isHookCall = (raw: unknown): boolean => {
  if (!isRecord(raw)) return typeof raw === "string" && raw.includes("hook_callback")
  return isRecord(raw["request"]) && raw["request"]["subtype"] === "hook_callback"
}

const permissionDecisions = { Allow: "allow", Ask: "ask", Deny: "deny" } as const

const reasonOf = (decision: PolicyDecision): string | undefined => {
  switch (decision._tag) {
    case "Allow":
      return undefined
    case "Ask":
      return decision.reason
    case "Deny":
      return decision.message
  }
}

/** A decision as the answer to the hook. */
export const hookAnswer = (decision: PolicyDecision): Claude.SyncHookOutput => {
  const reason = reasonOf(decision)
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: permissionDecisions[decision._tag],
      ...(reason !== undefined && { permissionDecisionReason: reason })
    }
  }
}
