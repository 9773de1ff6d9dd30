/**
 * The gateway: clients over WebSocket in front of the sessions of a bridge. It holds nothing that cannot be read again:
 * who is connected, what they want to be told, and how far each has come.
 */
import { randomUUID } from "node:crypto"
import type { Duplex } from "node:stream"
import type { GatewayHealthReport } from "@agentwire/protocol/gateway"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { WebSocket } from "ws"
import type { Sessions } from "../../session/Sessions.ts"
import { socketChannel } from "../http/SocketChannel.ts"
import type { Entrance } from "../http/UpgradeDoor.ts"
import type { Client, GatewayOptions, Shared } from "./Call.ts"
import { serveClient } from "./Connection.ts"
import { GatewayExtensions, type GatewayHealth, type GatewayNews } from "./Extensions.ts"
import { type Feeds, makeFeeds } from "./Feeds.ts"
import { Interests } from "./Interests.ts"
import { makeOutbox } from "./Outbox.ts"

/** A gateway. */
export interface Gateway {
  /** Where its clients come in. */
  readonly entrance: Entrance
  /** The same sessions: give them to all doors, this one, too, so that clients here are told what happens anywhere. */
  readonly watch: Feeds["watch"]
  /** How it is. */
  readonly health: Effect.Effect<typeof GatewayHealthReport.Type>
}

const defaultHeartbeat = 30_000

/** Lets a client go that does not answer any more: its machine may be gone, and nobody says so. */
const watchOver = (socket: WebSocket, millis: number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    let isThere = true
    socket.on("pong", () => {
      isThere = true
    })
    const look = Effect.sync(() => {
      if (!isThere) return socket.terminate()
      isThere = false
      socket.ping()
    })
    yield* Effect.forkScoped(Effect.forever(Effect.delay(look, millis)))
  })

/** A gateway without clients yet. Extensions join it where there are some. */
export const makeGateway = (options: GatewayOptions): Effect.Effect<Gateway, never, Scope.Scope> =>
  Effect.gen(function* () {
    const feeds = yield* makeFeeds
    const extensions = Option.getOrUndefined(yield* Effect.serviceOption(GatewayExtensions))
    const shared: Shared = { options, feeds, extensions }
    const clients = new Set<Client>()
    const { heartbeat = defaultHeartbeat } = options.limits ?? {}

    const tellAll = ({ event, payload }: GatewayNews): void => {
      let bytes: Buffer | undefined
      for (const { interests, outbox } of clients)
        if (interests.wants(event)) {
          bytes ??= Buffer.from(JSON.stringify({ type: "event", event, payload }))
          outbox.send(bytes)
        }
    }
    if (extensions !== undefined)
      yield* Effect.forkScoped(Stream.runForEach(extensions.events, (news) => Effect.sync(() => tellAll(news))))

    const serve = (socket: WebSocket, connection: Duplex): Effect.Effect<void, never, Sessions> =>
      Effect.gen(function* () {
        const run = yield* FiberSet.makeRuntime<never>()
        const cut = (): void => void run(Effect.logWarning("A client was cut off: it does not take what it is told."))
        const client: Client = {
          id: randomUUID(),
          interests: new Interests(),
          outbox: makeOutbox(socket, connection, options.limits ?? {}, cut),
          current: undefined
        }
        clients.add(client)
        yield* Effect.addFinalizer(() => Effect.sync(() => clients.delete(client)))
        yield* watchOver(socket, heartbeat)
        yield* serveClient(socketChannel(socket), client, shared)
      }).pipe(Effect.scoped)

    return {
      entrance: { name: "the gateway", paths: ["/ws"], serve },
      watch: feeds.watch,
      health: Effect.gen(function* () {
        const joined: Readonly<Record<string, GatewayHealth>> = extensions === undefined ? {} : yield* extensions.health
        const reports = Object.entries(joined).map(
          ([name, { details, ok }]) => [name, { ok, ...(details !== undefined && { details }) }] as const
        )
        return { clients: clients.size, extensions: Object.fromEntries(reports) }
      })
    }
  })
