/**
 * The MCP servers of a session, which its agent is given when it starts: by a control request and not on its command
 * line, which everybody on the machine may read.
 */
import * as Effect from "effect/Effect"
import type { LaunchRequest } from "./Agent.ts"
import { withFrontendServer } from "./FrontendServer.ts"
import type { HostRequests } from "./HostRequests.ts"

/** Gives an agent its MCP servers. One that cannot be reached does not keep it from starting: `mcp_status` tells. */
export const giveServers = (
  { request }: Pick<HostRequests, "request">,
  { frontendServer, options: { mcpServers = {} } }: Pick<LaunchRequest, "frontendServer" | "options">
): Effect.Effect<void> =>
  Object.keys(mcpServers).length === 0
    ? Effect.void
    : request("mcp_set_servers", withFrontendServer(mcpServers, frontendServer)).pipe(
        Effect.flatMap(({ errors }) =>
          Object.keys(errors).length === 0
            ? Effect.void
            : Effect.annotateLogs(Effect.logWarning("MCP servers cannot be reached."), {
                servers: Object.keys(errors).join(", ")
              })
        ),
        Effect.catch(({ code }) =>
          Effect.annotateLogs(Effect.logWarning("The agent did not take its MCP servers."), { code })
        )
      )
