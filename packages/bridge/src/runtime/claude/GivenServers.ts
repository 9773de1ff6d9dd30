/**
 * The MCP servers of a session, which its agent is given when it starts: by a control request and not on its command
 * line, which everybody on the machine may read.
 */
import type * as Claude from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import type { HostRequests } from "./HostRequests.ts"

/**
 * Gives an agent its MCP servers, if there are any. Neither a version that does not know the request nor a server that
 * cannot be reached keeps it from starting: `mcp_status` tells.
 */
export const giveServers = (
  { request }: Pick<HostRequests, "request">,
  servers: Omit<Claude.RequestOf<"mcp_set_servers">, "subtype"> | undefined
): Effect.Effect<void> =>
  servers === undefined
    ? Effect.void
    : request("mcp_set_servers", servers).pipe(
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
