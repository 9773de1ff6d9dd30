/** The policy of the sessions that a command serves, of its file. */
import type { SharedSessionOptions } from "@agentwire/bridge"
import { claudeToolInputs } from "@agentwire/bridge/claude"
import { codexToolInputs } from "@agentwire/bridge/codex"
import { loadPolicy, makePolicy, type ToolInputs } from "@agentwire/bridge/policy"
import * as Effect from "effect/Effect"
import type { ServeFailed } from "./Advice.ts"
import type { ServeOptions } from "./ServeOptions.ts"

/** Reads the policy, so that what is wrong with it is said now. */
export const policyOf = ({ mode, policy }: ServeOptions): Effect.Effect<SessionPolicy, ServeFailed> =>
  policy === undefined
    ? Effect.succeed({})
    : Effect.map(loadPolicy(policy, allTools, mode), (rules) => {
        const claude = makePolicy({ ...rules, tools: { ...allTools, files: claudeToolInputs.files } })
        const codex = makePolicy({ ...rules, tools: { ...allTools, files: codexToolInputs.files } })
        return {
          policy: (use) => (isCodexTool(use.toolName) ? codex(use) : claude(use)),
          ...(mode !== undefined && { mode })
        }
      })

/** A policy file may have rules about the tools of both kinds of agents: their names differ. */
const allTools: ToolInputs = {
  paths: { ...claudeToolInputs.paths, ...codexToolInputs.paths },
  shells: { ...claudeToolInputs.shells, ...codexToolInputs.shells },
  folders: { ...claudeToolInputs.folders, ...codexToolInputs.folders },
  files: claudeToolInputs.files
}

const isCodexTool = (name: string): boolean =>
  Object.hasOwn(codexToolInputs.shells, name) || Object.hasOwn(codexToolInputs.paths, name)

/** What a session is told of its policy. */
export type SessionPolicy = Pick<SharedSessionOptions, "policy" | "mode">
