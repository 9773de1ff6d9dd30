/** The policy of the sessions that a command serves, of its file. */
import type { SharedSessionOptions } from "@agentwire/bridge"
import { loadPolicy, makePolicy } from "@agentwire/bridge/policy"
import * as Effect from "effect/Effect"
import { claudeSide, codexSide, isCodexTool } from "../policy/Tools.ts"
import type { ServeFailed } from "./Advice.ts"
import type { ServeOptions } from "./ServeOptions.ts"

/** Reads the policy, so that what is wrong with it is said now. */
export const policyOf = ({ mode, policy }: ServeOptions): Effect.Effect<SessionPolicy, ServeFailed> =>
  policy === undefined
    ? Effect.succeed({})
    : Effect.gen(function* () {
        const claude = makePolicy(yield* loadPolicy(policy, claudeSide, mode))
        const codex = makePolicy(yield* loadPolicy(policy, codexSide, mode))
        return {
          policy: (use) => (isCodexTool(use.toolName) ? codex(use) : claude(use)),
          ...(mode !== undefined && { mode })
        }
      })

/** What a session is told of its policy. */
export type SessionPolicy = Pick<SharedSessionOptions, "policy" | "mode">
