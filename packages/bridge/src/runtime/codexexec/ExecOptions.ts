/**
 * What was chosen about an agent, as `codex exec` takes it: what its commands can reach, and what it has nothing for.
 *
 * Nobody can be asked anything, so nothing is ever allowed: a command runs where the sandbox lets it, and does not where it
 * would have to be asked about. Unless somebody chooses otherwise the sandbox is one that nothing can be written in.
 */
import { LaunchFailed } from "../../process/AgentLife.ts"
import type { AgentOptionName, AgentOptions } from "../../session/AgentOptions.ts"
import { firstSet } from "../codex/Options.ts"

/** The sandboxes of Codex. */
export type Sandbox = "read-only" | "workspace-write" | "danger-full-access"

/** The permission modes, with the sandbox of each. */
const modes: Readonly<Record<string, Sandbox>> = {
  default: "read-only",
  "read-only": "read-only",
  "workspace-write": "workspace-write",
  "full-access": "danger-full-access"
}

/** The sandbox that a session has. */
export const sandboxOf = ({ permissionMode = "default" }: Pick<AgentOptions, "permissionMode">): Sandbox =>
  Object.hasOwn(modes, permissionMode) ? (modes[permissionMode] ?? "read-only") : "read-only"

/**
 * Options that `codex exec` has nothing for. Tools of MCP servers need leave that nobody can give (0.166: "MCP tool call
 * requires approval, but approval policy is never").
 */
export const unsupportedOptions: ReadonlyArray<AgentOptionName> = [
  "allowedTools",
  "disallowedTools",
  "mcpServers",
  "mcpConfig",
  "agents",
  "maxTurns",
  "maxBudgetUsd",
  "checkpointing",
  "hooks"
]

const unsupported: ReadonlySet<AgentOptionName> = new Set(unsupportedOptions)

/** Why `codex exec` is not started with these options; undefined when it is. */
export const execProblem = (options: AgentOptions, version: string, hasPolicy: boolean): LaunchFailed | undefined => {
  const option = firstSet(options, unsupported)
  if (option !== undefined)
    return unsupportedBecause(`codex exec ${version} has no option ${option}: leave it out, or use the runtime codex.`)
  return settingProblem(options, hasPolicy)
}

/** Why `codex exec` cannot be set to these options, of which it has each; undefined when it can. */
export const settingProblem = (options: AgentOptions, hasPolicy: boolean): LaunchFailed | undefined => {
  const { permissionMode } = options
  if (permissionMode !== undefined && !Object.hasOwn(modes, permissionMode))
    return unsupportedBecause(
      `codex exec has no permission mode ${JSON.stringify(permissionMode)}. Those that there are: ${Object.keys(modes).join(", ")}.`
    )
  return hasPolicy ? policyProblem(options) : undefined
}

const unsupportedBecause = (message: string) => new LaunchFailed({ code: "OPTION_UNSUPPORTED", message })

/** No policy sees what exec runs: with one, only what can change nothing is started. */
const policyProblem = (options: AgentOptions): LaunchFailed | undefined => {
  const conflict =
    sandboxOf(options) !== "read-only"
      ? "the permission mode read-only"
      : options.extraArgs !== undefined && options.extraArgs.length > 0
        ? "no extraArgs"
        : undefined
  return conflict === undefined
    ? undefined
    : new LaunchFailed({
        code: "OPTION_CONFLICT",
        message: `No policy is asked about what codex exec runs, and this bridge has one. It is started with ${conflict} only; with the runtime codex, the policy is asked.`
      })
}
