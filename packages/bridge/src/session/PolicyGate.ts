/**
 * Asks the policy about tool calls.
 *
 * A call comes here twice at most: when it is about to run, and when the agent asks about it. A policy may take its
 * time; the agent keeps speaking meanwhile. A policy that throws counts as a refusal. What it leaves to a person, and a
 * person has allowed for the session, is not asked again; what it refuses stays refused.
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

/** A gate for the sessions of one mode. `isAllowed`: a person has allowed just this for the session. */
export const makePolicyGate = (
  policy: Policy | undefined,
  mode: string | undefined,
  isAllowed: (request: Model.Request) => boolean = () => false
): PolicyGate => {
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
    judgeRequest: (request, cwd) => {
      if (request.kind !== "permission" && request.kind !== "plan") return undefined
      const asked = judge?.({ toolName: request.tool, input: request.input, cwd })
      if (!isAllowed(request)) return asked
      return asked === undefined
        ? Effect.succeed(allow)
        : Effect.map(asked, (decision) => (decision._tag === "Ask" ? allow : decision))
    }
  }
}

const allow: PolicyDecision = { _tag: "Allow" }
