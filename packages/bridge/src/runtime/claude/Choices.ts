/**
 * What control requests choose for the rest of a conversation: by themselves these choices would be forgotten with the
 * process.
 */
import type * as Claude from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import * as Result from "effect/Result"
import { type AgentOptions, decodeAgentOptions } from "../../session/AgentOptions.ts"

/** MCP servers by name, as `mcp_set_servers` takes them. */
export type ServersGiven = Claude.McpSetServersRequest["servers"]

type Body = Readonly<Record<string, unknown>>

/** The servers in the body of `mcp_set_servers`. What is wrong with one of them is the CLI's to say. */
export const serversOf = ({ servers }: Body): ServersGiven => (isRecord(servers) ? (servers as ServersGiven) : {})

const choices: { readonly [S in Claude.ControlSubtype]?: (body: Body) => unknown } = {
  set_permission_mode: ({ mode }) => ({ permissionMode: mode }),
  set_model: ({ model }) => ({ model }),
  // Of all settings, the one that is an option of a session, too.
  apply_flag_settings: ({ settings }) =>
    isRecord(settings) && typeof settings["effortLevel"] === "string" ? { effort: settings["effortLevel"] } : undefined
}

/** What a request chooses; undefined where it chooses nothing, or nothing that a later process could be given. */
export const choiceIn = (subtype: Claude.ControlSubtype, body: Body): AgentOptions | undefined => {
  const choice = choices[subtype]?.(body)
  if (choice === undefined) return undefined
  const decoded = decodeAgentOptions(choice)
  return Result.isSuccess(decoded) ? decoded.success : undefined
}
