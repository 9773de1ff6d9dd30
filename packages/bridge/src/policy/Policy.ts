/**
 * What decides about a tool call before anyone is asked.
 *
 * A policy sees every call of the agent, including those the CLI would run without asking. What it does not decide is
 * handled the way the application chose for approvals.
 */
import * as Effect from "effect/Effect"

/** A tool call to decide about. */
export interface ToolUse {
  /** As the agent calls it: `Bash`, `Write`, `mcp__server__tool`. */
  readonly toolName: string
  readonly input: Readonly<Record<string, unknown>>
  /** The folder the agent works in. */
  readonly cwd: string
  /** What the session is for, such as `planner`; a policy may have other rules for each. */
  readonly mode: string | undefined
}

/** What a policy says. */
export type PolicyDecision =
  /** Somebody else decides, and may be told why. */
  | { readonly _tag: "Ask"; readonly reason?: string }
  /** The tool runs. */
  | { readonly _tag: "Allow" }
  /** The tool does not run, and the model reads why. */
  | { readonly _tag: "Deny"; readonly message: string }

/** Decides about tool calls. It cannot fail: a policy that is unsure asks. */
export type Policy = (use: ToolUse) => Effect.Effect<PolicyDecision>

/** Leaves every call to whoever is asked. */
export const askAlways: Policy = () => Effect.succeed({ _tag: "Ask" })

/** Refuses every call. */
export const denyAlways: Policy = ({ toolName }) =>
  Effect.succeed({ _tag: "Deny", message: `The policy of this bridge allows no tools, so ${toolName} did not run.` })
