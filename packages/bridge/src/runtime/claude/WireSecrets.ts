/**
 * Lines of the wire as others may see them: without the values of environment variables and headers, which are secrets
 * as a rule. The names stay.
 */
import { isRecord } from "@agentwire/protocol/wire"
import { hideValues, withoutServerValues } from "../../session/OptionRules.ts"

type Fields = Readonly<Record<string, unknown>>

/** A message without the secrets that are known to be in messages of its kind. */
export const withoutSecrets = (message: unknown): unknown => {
  if (!isRecord(message)) return message
  const { request, response, type, variables } = message
  switch (type) {
    case "control_request":
      return isRecord(request) && request["subtype"] === "mcp_set_servers" && isRecord(request["servers"])
        ? { ...message, request: { ...request, servers: withoutConfigs(request["servers"]) } }
        : message
    case "control_response":
      return isRecord(response) && isRecord(response["response"])
        ? withoutStatus(message, response, response["response"])
        : message
    case "update_environment_variables":
      return isRecord(variables) ? { ...message, variables: hideValues(variables) } : message
    default:
      return message
  }
}

const withoutConfigs = (servers: Fields): Fields =>
  Object.fromEntries(Object.entries(servers).map(([name, config]) => [name, shownConfig(config)]))

/** An answer that tells of servers. */
const withoutStatus = (message: Fields, response: Fields, payload: Fields): Fields => {
  const { mcpServers } = payload
  if (!Array.isArray(mcpServers)) return message
  const shown = mcpServers.map((server: unknown) =>
    isRecord(server) && "config" in server ? { ...server, config: shownConfig(server["config"]) } : server
  )
  return { ...message, response: { ...response, response: { ...payload, mcpServers: shown } } }
}

const shownConfig = (config: unknown): unknown => (isRecord(config) ? withoutServerValues(config) : config)
