/**
 * What a person has allowed for the session, where the session itself has to keep it: an agent may have no rule for a
 * call, or forget its rules with its process.
 *
 * A rule is that of one call, as the runtime names it, and nothing wider: the person was shown that call. It lasts as long
 * as the session is open in this bridge; after a restart people are asked again, as the agents' own programs do.
 */
import type * as Model from "@agentwire/protocol/model"

/** What a person has allowed for the session. */
export interface SessionRules {
  /** The request as it is asked: where the agent has no rule to offer, with that of the call. */
  readonly offer: (request: Model.Request) => Model.Request
  /** A person has answered. */
  readonly note: (request: Model.Request, answer: Model.Answer) => void
  /** Whether a person has allowed just this before. */
  readonly covers: (request: Model.Request) => boolean
}

/** Nothing allowed yet. `ruleOf`: the rule of a call; undefined where nothing may be remembered. */
export const makeSessionRules = (
  ruleOf: (request: Model.PermissionRequest) => Model.Rule | undefined
): SessionRules => {
  const kept = new Set<string>()
  return {
    offer: (request) => {
      if (request.kind !== "permission" || request.remember.length > 0) return request
      const rule = ruleOf(request)
      return rule === undefined ? request : { ...request, remember: [rule] }
    },
    note: (request, answer) => {
      if (request.kind !== "permission" || answer.type !== "allow") return
      const { input, remember = [] } = answer
      const isWhole = request.remember.length > 0 && request.remember.every(({ id }) => remember.includes(id))
      // What the person has changed is not what was asked.
      const rule = isWhole && input === undefined ? ruleOf(request) : undefined
      if (rule !== undefined) kept.add(rule.id)
    },
    covers: (request) => {
      const rule = kept.size > 0 && request.kind === "permission" ? ruleOf(request) : undefined
      return rule !== undefined && kept.has(rule.id)
    }
  }
}
