/**
 * The official MCP SDK, loaded with the first request that needs it. It is an optional peer: it brings some 17 packages
 * along, and most bridges serve no MCP client but their own agent.
 */
import * as Effect from "effect/Effect"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"

const packageName = "@modelcontextprotocol/sdk"

const load = async () => {
  const [server, transport, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/server/streamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js")
  ])
  return { ...server, ...transport, ...types }
}

/** What the SDK exports. */
export type McpSdk = Awaited<ReturnType<typeof load>>

/** The SDK, or what to install. */
export const mcpSdk: Effect.Effect<McpSdk, HttpRefusal> = Effect.tryPromise({
  try: load,
  catch: (cause) => cause
}).pipe(
  Effect.catch((cause) =>
    isNotInstalled(cause)
      ? refuse("MCP_NOT_INSTALLED", `MCP clients are served with ${packageName}: install it beside agentwire.`)
      : Effect.die(cause)
  )
)

/** Whether the SDK itself is missing, rather than something it needs. */
const isNotInstalled = (cause: unknown): boolean =>
  cause instanceof Error &&
  "code" in cause &&
  cause.code === "ERR_MODULE_NOT_FOUND" &&
  cause.message.startsWith(`Cannot find package '${packageName}'`)
