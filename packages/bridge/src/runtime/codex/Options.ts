/**
 * What was chosen about an agent, as Codex takes it: the params of its thread, and what it has nothing for.
 *
 * Codex runs without asking what its approval policy trusts. Unless somebody chooses otherwise it is started so that it
 * asks about every change and every command (0.166 asks even about `ls`), with a sandbox around what it runs.
 */
import type { ParamsOf } from "@agentwire/protocol/codex"
import { LaunchFailed } from "../../process/AgentLife.ts"
import { type AgentOptionName, type AgentOptions, isMcpCommand, type McpServer } from "../../session/AgentOptions.ts"

type ThreadParams = ParamsOf<"thread/start">

/** When Codex asks, and what its commands can reach. */
type Leave = Required<Pick<ThreadParams, "approvalPolicy" | "sandbox">>

/** The permission modes: Codex's approval policies, with the sandbox that goes with each. */
const modes: Readonly<Record<string, Leave>> = {
  default: { approvalPolicy: "untrusted", sandbox: "workspace-write" },
  untrusted: { approvalPolicy: "untrusted", sandbox: "workspace-write" },
  "read-only": { approvalPolicy: "untrusted", sandbox: "read-only" },
  "on-request": { approvalPolicy: "on-request", sandbox: "workspace-write" },
  // Codex refuses by itself what wants to leave the sandbox, where the policy is another one than this.
  "on-request-read-only": { approvalPolicy: "on-request", sandbox: "read-only" },
  never: { approvalPolicy: "never", sandbox: "workspace-write" },
  "never-read-only": { approvalPolicy: "never", sandbox: "read-only" },
  "full-access": { approvalPolicy: "never", sandbox: "danger-full-access" }
}

/** The names of the permission modes. */
export const permissionModes: ReadonlyArray<string> = Object.keys(modes)

/** Why Codex has no such permission mode; undefined when it has. */
export const modeProblem = (mode: string | undefined): string | undefined =>
  mode === undefined || Object.hasOwn(modes, mode)
    ? undefined
    : `Codex has no permission mode ${JSON.stringify(mode)}. Those that there are: ${permissionModes.join(", ")}.`

/** The mode in which Codex asks. */
const asking: Leave = { approvalPolicy: "untrusted", sandbox: "workspace-write" }

/** When Codex asks in a permission mode, and what its commands can reach. */
export const leaveOf = (mode: string | undefined): Leave => (mode === undefined ? asking : (modes[mode] ?? asking))

/** The permission mode in which Codex asks so; undefined when none is. */
export const modeOf = ({ approvalPolicy, sandbox }: { readonly [K in keyof Leave]: unknown }): string | undefined =>
  permissionModes.find((mode) => modes[mode]?.approvalPolicy === approvalPolicy && modes[mode]?.sandbox === sandbox)

/** Options that Codex has nothing for: to leave one out silently would be to start another agent than was asked for. */
export const unsupportedOptions: ReadonlyArray<AgentOptionName> = [
  "allowedTools",
  "disallowedTools",
  "mcpConfig",
  "agents",
  "maxTurns",
  "maxBudgetUsd",
  "checkpointing",
  "hooks"
]

const unsupported: ReadonlySet<AgentOptionName> = new Set(unsupportedOptions)

/** Why Codex is not started with these options; undefined when it is. */
export const optionProblem = (options: AgentOptions, version: string): LaunchFailed | undefined => {
  const failed = (message: string) => new LaunchFailed({ code: "OPTION_UNSUPPORTED", message })
  const option = firstSet(options, unsupported)
  if (option !== undefined) return failed(`Codex ${version} has no option ${option}: leave it out.`)
  const { mcpServers = {}, permissionMode } = options
  const problem = modeProblem(permissionMode)
  if (problem !== undefined) return failed(problem)
  const [sse] = Object.entries(mcpServers).find(([, server]) => !isMcpCommand(server) && server.type === "sse") ?? []
  return sse === undefined
    ? undefined
    : failed(`Codex does not speak to MCP servers over SSE: ${JSON.stringify(sse)} has to be of the type http.`)
}

/** The first of some options that asks for something. */
export const firstSet = (options: AgentOptions, names: ReadonlySet<AgentOptionName>): AgentOptionName | undefined =>
  (Object.keys(options) as ReadonlyArray<AgentOptionName>).find((name) => names.has(name) && isSet(options[name]))

/** A switch that is off and an empty list ask nothing. */
const isSet = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

/** What a thread has in common whether it begins, continues or is a copy. */
export type SharedParams = Pick<
  ThreadParams,
  "cwd" | "model" | "approvalPolicy" | "sandbox" | "baseInstructions" | "developerInstructions" | "config"
>

/** The params of a thread. */
export const threadParams = (
  options: AgentOptions,
  cwd: string,
  servers: Readonly<Record<string, McpServer>> = options.mcpServers ?? {}
): SharedParams => {
  const { appendSystemPrompt, model, permissionMode, systemPrompt } = options
  const config = configOf(options, servers)
  return {
    cwd,
    ...leaveOf(permissionMode),
    ...(model !== undefined && { model }),
    ...(systemPrompt !== undefined && { baseInstructions: systemPrompt }),
    ...(appendSystemPrompt !== undefined && { developerInstructions: appendSystemPrompt }),
    ...(Object.keys(config).length > 0 && { config })
  }
}

/** What is a setting of `config.toml` and has no param of its own. */
const configOf = (
  { addDirs = [], effort }: AgentOptions,
  servers: Readonly<Record<string, McpServer>>
): Readonly<Record<string, unknown>> => ({
  ...(effort !== undefined && { model_reasoning_effort: effort }),
  ...(addDirs.length > 0 && { sandbox_workspace_write: { writable_roots: addDirs } }),
  ...(Object.keys(servers).length > 0 && {
    mcp_servers: Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, serverConfig(server)]))
  })
})

const serverConfig = (server: McpServer): Readonly<Record<string, unknown>> => {
  const limit = server.timeout === undefined ? {} : { tool_timeout_sec: server.timeout / 1000 }
  if (!isMcpCommand(server))
    return { url: server.url, ...(server.headers !== undefined && { http_headers: server.headers }), ...limit }
  const { args, command, env } = server
  return { command, ...(args !== undefined && { args }), ...(env !== undefined && { env }), ...limit }
}
