/**
 * How a policy sees every tool call: as a hook of the CLI, which calls it even where it would not ask anybody.
 */

import type * as Claude from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import type { PolicyDecision } from "../../policy/Policy.ts"
import type { ConversationHost } from "../../session/Runtime.ts"

/** The id the CLI calls the hook by. */
export const policyHook = "agentwire-policy"

/** The hooks of a session with a policy. Nobody waits for a person here, but a policy may look at the disk. */
export const policyHooks: Readonly<Record<string, ReadonlyArray<Claude.HookCallbackMatcher>>> = {
  PreToolUse: [{ hookCallbackIds: [policyHook], timeout: 60 }]
}

/** Whether a message that did not decode may be a call of a hook. What is not JSON may be anything, so it counts. */
export const isHookCall = (raw: unknown): boolean => {
  if (!isRecord(raw)) return typeof raw === "string" && raw.includes("hook_callback")
  return isRecord(raw["request"]) && raw["request"]["subtype"] === "hook_callback"
}

/** The answer to the hook. A policy does not decide about tools of the application and questions to a person. */
export const answerHook = (
  { request: { input } }: Claude.ControlRequestMessage<"hook_callback">,
  cwd: string,
  judge: ConversationHost["judge"],
  isPageTool: (name: string) => boolean
): Effect.Effect<object> => {
  if (input.hook_event_name !== "PreToolUse" || judge === undefined) return Effect.succeed({})
  const { tool_input, tool_name: toolName } = input
  if (isPageTool(toolName) || toolName === "AskUserQuestion") return Effect.succeed({})
  return Effect.map(judge({ toolName, input: isRecord(tool_input) ? tool_input : {}, cwd }), hookAnswer)
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
export const hookAnswer = (decision: PolicyDecision): object => {
  const reason = reasonOf(decision)
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: permissionDecisions[decision._tag],
      ...(reason !== undefined && { permissionDecisionReason: reason })
    }
  }
}
