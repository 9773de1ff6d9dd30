/**
 * What decides about a tool call before anyone is asked.
 *
 * A policy sees every `can_use_tool` of the agent. What it does not decide goes the way the application chose for
 * approvals.
 */
import type { Claude } from "@agentwire/protocol"
import * as Effect from "effect/Effect"

/** What a policy says. */
export type PolicyDecision =
  /** Somebody else decides. */
  | { readonly _tag: "Ask" }
  /** The tool runs, with another input when one is given. */
  | { readonly _tag: "Allow"; readonly updatedInput?: Readonly<Record<string, unknown>> }
  /** The tool does not run, and the model reads why. */
  | { readonly _tag: "Deny"; readonly message: string }

/** Decides about tool calls. It cannot fail: a policy that is unsure asks. */
export type Policy = (request: Claude.CanUseToolRequest) => Effect.Effect<PolicyDecision>

/** Leaves every call to whoever is asked. */
export const askAlways: Policy = () => Effect.succeed({ _tag: "Ask" })

/** Refuses every call. */
export const denyAlways: Policy = ({ tool_name }) =>
  Effect.succeed({ _tag: "Deny", message: `The policy of this bridge allows no tools, so ${tool_name} did not run.` })
