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
    : Effect.map(Effect.all(sides.map((tools) => loadPolicy(policy, tools, mode))), ([claudeRules, codexRules]) => {
        const [claude, codex] = [makePolicy(claudeRules), makePolicy(codexRules)]
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

/** The same file as it is for the one kind of agents and for the other. */
const sides = [
  allTools,
  { ...allTools, files: codexToolInputs.files, ...(codexToolInputs.likewise && { likewise: codexToolInputs.likewise }) }
] as const

const isCodexTool = (name: string): boolean =>
  Object.hasOwn(codexToolInputs.shells, name) || Object.hasOwn(codexToolInputs.paths, name)

/** What a session is told of its policy. */
export type SessionPolicy = Pick<SharedSessionOptions, "policy" | "mode">
