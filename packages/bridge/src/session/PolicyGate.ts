/**
 * Asks the policy about tool calls.
 *
 * A call comes here twice at most: when it is about to run, and when the agent asks about it. A policy may take its
 * time; the agent keeps speaking meanwhile. A policy that throws counts as a refusal.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { Policy, PolicyDecision, ToolUse } from "../policy/Policy.ts"

/** Decides about tool calls. */
export interface PolicyGate {
  /** About a call that is about to run, whether the agent would ask about it or not. Undefined without a policy. */
  readonly judge: ((use: Omit<ToolUse, "mode">) => Effect.Effect<PolicyDecision>) | undefined
  /** About a request of the agent. Undefined: a person has to answer it. */
  readonly judgeRequest: (request: Model.Request, cwd: string) => Effect.Effect<PolicyDecision> | undefined
}

/** A gate for the sessions of one mode. */
export const makePolicyGate = (policy: Policy | undefined, mode: string | undefined): PolicyGate => {
  const judgeBy =
    (decide: Policy): NonNullable<PolicyGate["judge"]> =>
    (use) =>
      decide({ ...use, mode }).pipe(
        Effect.catchCause((cause) =>
          Effect.as(Effect.logError("The policy threw an error.", cause), {
            _tag: "Deny" as const,
            message: "The policy of this bridge failed, so nothing is allowed."
          })
        )
      )
  const judge = policy === undefined ? undefined : judgeBy(policy)
  return {
    judge,
    judgeRequest: (request, cwd) =>
      request.kind === "permission" || request.kind === "plan"
        ? judge?.({ toolName: request.tool, input: request.input, cwd })
        : undefined
  }
}
