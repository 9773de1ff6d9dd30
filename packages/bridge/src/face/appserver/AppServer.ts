/**
 * Codex's app-server as a face of the bridge: clients of Codex, on any transport, in front of its sessions.
 */
import type { Channel } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import type { Sessions } from "../../session/Sessions.ts"
import { serveClient } from "./Connection.ts"
import { type AppServerOptions, makeShared } from "./Shared.ts"

/** A server of clients. */
export interface AppServer {
  /** Serves a client until it is gone. */
  readonly serve: (channel: Channel) => Effect.Effect<void, never, Sessions>
}

/** A server without clients yet. */
export const makeAppServer = (options: AppServerOptions): Effect.Effect<AppServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = yield* FiberSet.makeRuntime<never>()
    const shared = makeShared(options, (effect) => Effect.sync(() => run(effect)))
    return { serve: (channel) => serveClient(channel, shared) }
  })
