/**
 * The rules about the options of sessions: whose hold where a bridge and a session have the same one, which of them
 * callers from outside may choose, and what is shown of them.
 */
import { isRecord } from "@agentwire/protocol/wire"
import * as Schema from "effect/Schema"
import {
  type AgentOptionName,
  type AgentOptions,
  agentOptionFields,
  isMcpCommand,
  type McpServer
} from "./AgentOptions.ts"

// --- whose hold --------------------------------------------------------------------------

type Merge = {
  readonly [K in AgentOptionName]: (
    shared: NonNullable<AgentOptions[K]>,
    own: NonNullable<AgentOptions[K]>
  ) => NonNullable<AgentOptions[K]>
}

const ownHolds = <A>(_: A, own: A): A => own
const byName = <A extends object>(shared: A, own: A): A => ({ ...shared, ...own })
const both = <A>(shared: ReadonlyArray<A>, own: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set([...shared, ...own])]

/** A session may be stricter than its bridge, and not laxer; the rest is its own choice. */
const merge: Merge = {
  runtime: ownHolds,
  model: ownHolds,
  permissionMode: ownHolds,
  effort: ownHolds,
  systemPrompt: ownHolds,
  appendSystemPrompt: ownHolds,
  allowedTools: ownHolds,
  disallowedTools: both,
  addDirs: both,
  env: byName,
  // As when they are set later: what is to stay is in `mcpConfig`.
  mcpServers: ownHolds,
  mcpConfig: ownHolds,
  agents: byName,
  jsonSchema: ownHolds,
  maxTurns: Math.min,
  maxBudgetUsd: Math.min,
  checkpointing: ownHolds,
  hooks: (shared, own) => ({
    ...shared,
    ...Object.fromEntries(
      Object.entries(own).map(([event, hooks]) => [event, [...(shared[event] ?? []), ...hooks]] as const)
    )
  }),
  extraArgs: (shared, own) => [...shared, ...own]
}

const merged = <K extends AgentOptionName>(name: K, shared: AgentOptions[K], own: AgentOptions[K]): AgentOptions[K] =>
  shared === undefined || own === undefined
    ? (own ?? shared)
    : // Both have been found to be there, which the type cannot know.
      merge[name](shared as NonNullable<AgentOptions[K]>, own as NonNullable<AgentOptions[K]>)

/** What holds where all sessions of a bridge have some options and one of them has its own. */
export const mergeAgentOptions = (shared: AgentOptions = {}, own: AgentOptions = {}): AgentOptions =>
  Object.fromEntries(
    optionNames.flatMap((name) => {
      const value = merged(name, shared[name], own[name])
      return value === undefined ? [] : [[name, value]]
    })
  )

/** The names of all options, in the order of the schema. */
const optionNames = Object.keys(agentOptionFields) as ReadonlyArray<AgentOptionName>

// --- who may choose them -----------------------------------------------------------------

/**
 * What the owner of a bridge may let callers from outside choose, by name: an option, the folder (`cwd`), what the
 * session is for (`mode`), and `mcpCommands`, MCP servers that are commands.
 */
export const sessionOptionNames: ReadonlyArray<SessionOptionName> = ["cwd", "mode", ...optionNames, "mcpCommands"]

/** The name of something that a caller may be allowed to choose. */
export type SessionOptionName = AgentOptionName | "cwd" | "mode" | "mcpCommands"

/** With any of these, whoever sends it runs programs or reads files, whatever the policy says. */
const dangerous: ReadonlySet<SessionOptionName> = new Set<SessionOptionName>([
  "env",
  "mcpCommands",
  "mcpConfig",
  "hooks",
  "extraArgs"
])

/** An option that a caller may not choose. */
export class OptionRefused extends Schema.TaggedError<OptionRefused>()("OptionRefused", {
  option: Schema.String,
  message: Schema.String
}) {}

/** What of some options is not allowed, for a caller who may choose what is harmless anyway, or only what is named. */
export const refusedOption = (
  chosen: { readonly [K in "cwd" | "mode" | AgentOptionName]?: unknown },
  allowed: ReadonlyArray<SessionOptionName> | "all",
  others: "harmless" | "none"
): OptionRefused | undefined => {
  if (allowed === "all") return undefined
  const may = new Set(allowed)
  const option = namesIn(chosen).find((name) => !may.has(name) && (others === "none" || dangerous.has(name)))
  return option === undefined
    ? undefined
    : new OptionRefused({
        option,
        message: `The owner of this bridge does not let callers choose ${inWords(option)}. ${howToAllow(option)}`
      })
}

const inWords = (option: SessionOptionName): string =>
  option === "mcpCommands" ? "MCP servers that are commands" : `the option ${option}`

const howToAllow = (option: SessionOptionName): string =>
  `It is allowed with \`--session-options ${option}\`, or with \`sessionOptions\` where it is embedded.`

const namesIn = (chosen: Readonly<Record<string, unknown>>): ReadonlyArray<SessionOptionName> => [
  ...sessionOptionNames.filter((name) => chosen[name] !== undefined),
  ...(hasCommand(chosen["mcpServers"]) ? (["mcpCommands"] as const) : [])
]

/** Whatever is not plainly an address counts as a command. */
const hasCommand = (servers: unknown): boolean =>
  isRecord(servers) && Object.values(servers).some((server) => !isRecord(server) || !isAddress(server))

/** The keys of a server that the agent only connects to. Others may name programs that make a header, say. */
const addressKeys: ReadonlySet<string> = new Set(["type", "url", "headers", "timeout", "alwaysLoad"])

const isAddress = (server: Readonly<Record<string, unknown>>): boolean =>
  (server["type"] === "http" || server["type"] === "sse") && Object.keys(server).every((key) => addressKeys.has(key))

// --- what is shown -----------------------------------------------------------------------

/** What stands for a value that is not shown. */
export const hidden = "…"

/** The same keys, and nothing of what they had. */
export const hideValues = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, hidden]))

/** The configuration of an MCP server of any kind, without the values of its variables and headers. */
export const withoutServerValues = <A extends object>(config: A): A => {
  const { env, headers } = config as { readonly env?: unknown; readonly headers?: unknown }
  return {
    ...config,
    ...(isRecord(env) && { env: hideValues(env) }),
    ...(isRecord(headers) && { headers: hideValues(headers) })
  }
}

/** An address without the parts that keys are put into. */
const plainUrl = (url: string): string => {
  if (!URL.canParse(url)) return hidden
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search === "" ? "" : `?${hidden}`}`
}

const withoutSecrets = (server: McpServer): McpServer => {
  if (isMcpCommand(server))
    return {
      ...server,
      ...(server.args !== undefined && { args: server.args.map(() => hidden) }),
      ...(server.env !== undefined && { env: hideValues(server.env) })
    }
  const { headers, url, ...rest } = server
  return { ...rest, url: plainUrl(url), ...(headers !== undefined && { headers: hideValues(headers) }) }
}

/** Options as they may be shown: with the names of variables and headers, without their values. */
export const shownOptions = ({ env, extraArgs, mcpConfig, mcpServers, ...rest }: AgentOptions): AgentOptions => ({
  ...rest,
  ...(env !== undefined && { env: hideValues(env) }),
  ...(extraArgs !== undefined && { extraArgs: extraArgs.map(() => hidden) }),
  ...(mcpConfig !== undefined && { mcpConfig: hidden }),
  ...(mcpServers !== undefined && {
    mcpServers: Object.fromEntries(Object.entries(mcpServers).map(([name, server]) => [name, withoutSecrets(server)]))
  })
})
