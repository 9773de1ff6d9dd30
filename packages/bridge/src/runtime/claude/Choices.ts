/**
 * What control requests choose for the rest of a conversation: by themselves these choices would be forgotten with the
 * process.
 */
import type * as Claude from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import * as Result from "effect/Result"
import { type AgentOptions, decodeAgentOptions } from "../../session/AgentOptions.ts"
import type { SettingName, Settings } from "../../session/Settings.ts"

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

/** The requests that set something, each with what it sets. An effort is a setting of the process (docs/wire/claude-code.md §6f). */
export const settingRequests = ({
  effort,
  model,
  permissionMode
}: Settings): ReadonlyArray<readonly [setting: SettingName, subtype: Claude.ControlSubtype, body: Body]> => [
  ...(model === undefined ? [] : [["model", "set_model", { model }] as const]),
  ...(permissionMode === undefined
    ? []
    : [["permissionMode", "set_permission_mode", { mode: permissionMode }] as const]),
  ...(effort === undefined ? [] : [["effort", "apply_flag_settings", { settings: { effortLevel: effort } }] as const])
]

/** What a request chooses; undefined where it chooses nothing, or nothing that a later process could be given. */
export const choiceIn = (subtype: Claude.ControlSubtype, body: Body): AgentOptions | undefined => {
  const choice = choices[subtype]?.(body)
  if (choice === undefined) return undefined
  const decoded = decodeAgentOptions(choice)
  return Result.isSuccess(decoded) ? decoded.success : undefined
}
