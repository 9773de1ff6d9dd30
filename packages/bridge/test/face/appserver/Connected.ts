/** Clients of the app-server in front of a bridge with fake agents, without a network. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { layerBridgeSessions, type SharedSessionOptions } from "../../../src/embed/BridgeLayer.ts"
import { makeAppServer } from "../../../src/face/appserver/AppServer.ts"
import type { AppServerOptions } from "../../../src/face/appserver/Shared.ts"
import { layerClaudeRuntime } from "../../../src/runtime/claude/ClaudeRuntime.ts"
import { Sessions } from "../../../src/session/Sessions.ts"
import { echo } from "../../AgentLines.ts"
import { type Behaviour, type FakeAgents, fakeAgents } from "../../FakeAgent.ts"
import { CodexClient } from "./CodexClient.ts"

/** What a test has. */
export interface Connected {
  readonly sessions: Sessions["Service"]
  readonly agents: FakeAgents
  /** A client that is connected, and has not said hello. */
  readonly connect: () => TestClient
}

/** A client, and what its connection does. */
export interface TestClient extends CodexClient {
  /** Ends the connection, as a client that is gone. */
  readonly leave: () => Promise<void>
  /** Takes nothing any more. */
  readonly stall: () => void
}

/** What a test may choose. */
export interface ConnectedOptions {
  readonly behave?: Behaviour
  readonly session?: Partial<SharedSessionOptions>
  readonly server?: Partial<AppServerOptions>
}

/** Runs a test against a server, and ends it. No message of it may be other than Codex's schemas say. */
export const connected = (
  use: (server: Connected) => Promise<void>,
  { behave = echo, server = {}, session = {} }: ConnectedOptions = {}
): Promise<void> => {
  const { agents, layer } = fakeAgents(behave)
  const bridge = layerBridgeSessions({ session: { cwd: "/", approvals: "interrupt", ...session } })
  const faults: Array<string> = []
  return Effect.gen(function* () {
    const sessions = yield* Sessions
    const app = yield* makeAppServer({ runtime: "claude", cwd: "/", ...server })
    const context = yield* Effect.context<Sessions>()
    const connect = (): TestClient => {
      const incoming = Effect.runSync(Queue.unbounded<string, Cause.Done>())
      let isStalled = false
      let go: () => void = () => undefined
      const gone = new Promise<void>((resolve) => {
        go = resolve
      })
      const client = new CodexClient((line) => void Queue.offerUnsafe(incoming, line))
      const ended = Effect.runPromiseWith(context)(
        app.serve({
          incoming: Stream.fromQueue(incoming),
          // What is being written when a client goes can never be.
          send: (text) => (isStalled ? Effect.promise(() => gone) : Effect.sync(() => client.receive(text)))
        })
      ).finally(() => client.end())
      return Object.assign(client, {
        leave: () => {
          Queue.endUnsafe(incoming)
          go()
          return ended
        },
        stall: () => {
          isStalled = true
        }
      })
    }
    const clients: Array<CodexClient> = []
    yield* Effect.promise(() =>
      use({
        sessions,
        agents,
        connect: () => {
          const client = connect()
          clients.push(client)
          return client
        }
      })
    )
    faults.push(...clients.flatMap((client) => client.faults))
  })
    .pipe(
      Effect.scoped,
      Effect.provide(bridge.pipe(Layer.provide(layerClaudeRuntime), Layer.provide(layer))),
      Effect.provide(Logger.layer([])),
      Effect.runPromise
    )
    .then(() => {
      if (faults.length > 0) throw new Error(faults.join("\n"))
    })
}
