/**
 * A whole bridge with fake agents, served for the time of a test, and the client of its management API.
 */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { type Client, makeClient } from "../../../src/client/Client.ts"
import { layerBridgeSessions, type SharedSessionOptions } from "../../../src/embed/BridgeLayer.ts"
import { layerClaudeRuntime } from "../../../src/runtime/claude/ClaudeRuntime.ts"
import { type HttpServerOptions, type Listening, serveHttp } from "../../../src/server/HttpServer.ts"
import type { SessionRegistryOptions } from "../../../src/session/SessionRegistry.ts"
import { Sessions } from "../../../src/session/Sessions.ts"
import type { Store } from "../../../src/store/Store.ts"
import type { StoreFailed } from "../../../src/store/StoreErrors.ts"
import { echo } from "../../AgentLines.ts"
import { type Behaviour, type FakeAgents, fakeAgents } from "../../FakeAgent.ts"
import { linkedIfAsked } from "../../link/Linked.ts"
import { token } from "../../Serving.ts"

/** What a test has. */
export interface Managed {
  readonly client: Client
  readonly server: Listening
  readonly agents: FakeAgents
  readonly sessions: Sessions["Service"]
}

/** What a test may choose. */
export interface ManagedOptions {
  readonly behave?: Behaviour
  readonly session?: Partial<SharedSessionOptions>
  readonly sessions?: SessionRegistryOptions
  readonly http?: Partial<HttpServerOptions>
  /** Where the agents keep their sessions. Default: nowhere. */
  readonly projects?: string
  readonly roots?: ReadonlyArray<string>
  readonly store?: Layer.Layer<Store, StoreFailed>
}

/** Runs a test against a bridge, and closes it. */
export const managed = <A>(
  use: (bridge: Managed) => Promise<A>,
  { behave = echo, http = {}, projects, roots, session = {}, sessions = {}, store }: ManagedOptions = {}
): Promise<A> => {
  const { agents, layer } = fakeAgents(behave, undefined, projects)
  const bridge = layerBridgeSessions({
    session: { cwd: "/", ...session },
    sessions,
    ...(roots !== undefined && { roots }),
    ...(store !== undefined && { store })
  })
  return Effect.gen(function* () {
    const server = yield* serveHttp({ port: 0, access: { token: Redacted.make(token) }, ...http })
    const client = makeClient({ url: server.url, token, maxRetryDelay: 50 })
    const found = yield* Sessions
    return yield* Effect.promise(() => use({ client, server, agents, sessions: found }))
  }).pipe(
    Effect.scoped,
    Effect.provide(linkedIfAsked(bridge).pipe(Layer.provide(layerClaudeRuntime), Layer.provide(layer))),
    Effect.provide(Logger.layer([])),
    Effect.runPromise
  )
}
