/**
 * The command line of the CLI for a launch: which flags say what the request asks for, on which version.
 */
import * as Claude from "@agentwire/protocol/claude"
import type { AgentOptions } from "../../session/AgentOptions.ts"
import type { LaunchRequest } from "./Agent.ts"

/** How the CLI will speak: over its standard streams, or over a WebSocket it opens to this address. */
export type Wire = { readonly _tag: "Stdio" } | { readonly _tag: "WebSocket"; readonly url: string }

/**
 * What every launch needs: NDJSON both ways. `--verbose` is required with it, and without
 * `--include-partial-messages` nothing is streamed, not even over WebSocket (docs/wire/claude-code.md §2).
 */
const always: ReadonlyArray<string> = [
  "--print",
  "--output-format",
  "stream-json",
  "--input-format",
  "stream-json",
  "--verbose",
  "--include-partial-messages"
]

/** Over WebSocket the CLI asks for permissions without being told to (§2). */
const wireFlags = (wire: Wire): ReadonlyArray<string> =>
  wire._tag === "Stdio" ? ["--permission-prompt-tool", "stdio"] : ["--sdk-url", wire.url]

type Flags = {
  readonly [K in keyof Required<AgentOptions>]: (value: Required<AgentOptions>[K]) => ReadonlyArray<string>
}

/**
 * The flags of each option. Flags that take several values are repeated, and those whose value is optional are
 * joined to it with `=`: a value that begins with a dash would be taken for a flag.
 */
const flags: Flags = {
  // Chosen before anything is started.
  runtime: () => [],
  model: (model) => ["--model", model],
  permissionMode: (mode) => ["--permission-mode", mode],
  allowedTools: (tools) => (tools.length === 0 ? [] : ["--allowedTools", tools.join(",")]),
  disallowedTools: (tools) => (tools.length === 0 ? [] : ["--disallowedTools", tools.join(",")]),
  addDirs: (folders) => folders.flatMap((folder) => ["--add-dir", folder]),
  systemPrompt: (prompt) => ["--system-prompt", prompt],
  appendSystemPrompt: (prompt) => ["--append-system-prompt", prompt],
  mcpConfig: (config) => ["--mcp-config", config],
  effort: (level) => ["--effort", level],
  agents: (agents) => ["--agents", JSON.stringify(agents)],
  jsonSchema: (schema) => ["--json-schema", JSON.stringify(schema)],
  hooks: (hooks) => ["--settings", JSON.stringify({ hooks })],
  maxTurns: (turns) => ["--max-turns", String(turns)],
  maxBudgetUsd: (dollars) => ["--max-budget-usd", String(dollars)],
  // Not for the list of processes, which everybody on the machine may read.
  env: () => [],
  mcpServers: () => [],
  checkpointing: () => [],
  extraArgs: (args) => args
}

const optionFlags = (options: AgentOptions): ReadonlyArray<string> =>
  Object.keys(flags).flatMap((name) => flagsOf(name as keyof AgentOptions, options))

const flagsOf = <K extends keyof AgentOptions>(name: K, options: AgentOptions): ReadonlyArray<string> => {
  const value = options[name]
  return value === undefined ? [] : flags[name](value as Required<AgentOptions>[K])
}

/** Some versions must be told about in-process MCP servers on the command line, too (§7). */
const frontendFlags = (server: string, version: string): ReadonlyArray<string> =>
  Claude.fact("sdkServersNeedMcpConfig", version) === true
    ? ["--mcp-config", JSON.stringify({ mcpServers: { [server]: { type: "sdk", name: server } } })]
    : []

/** The CLI's arguments for a launch. What a person added comes last, so that it wins. */
export const cliArguments = (
  { at, fork = false, frontendServer, options, resume }: Omit<LaunchRequest, "sessionKey" | "cwd">,
  version: string,
  wire: Wire
): ReadonlyArray<string> => [
  ...always,
  ...wireFlags(wire),
  ...(resume === undefined ? [] : [`--resume=${resume}`]),
  ...(resume !== undefined && at !== undefined ? [`--resume-session-at=${at}`] : []),
  ...(resume !== undefined && fork ? ["--fork-session"] : []),
  ...frontendFlags(frontendServer, version),
  ...optionFlags(options)
]
