/**
 * Where clients of the app-server come in by WebSocket. On a unix socket the file says who may.
 */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Sessions } from "../../session/Sessions.ts"
import { socketChannel } from "../http/SocketChannel.ts"
import { type Entrance, makeUpgradeDoor, type UpgradeDoor, type UpgradeDoorOptions } from "../http/UpgradeDoor.ts"
import type { AppServer } from "./AppServer.ts"

/** Who comes in. */
export type SocketDoorOptions = UpgradeDoorOptions

/** Takes what asks to become a WebSocket, in `node:http`: a listener of `upgrade`. */
export type SocketDoor = UpgradeDoor

/** Where clients are let in. Codex's TUI takes no address with a path, so the root is one of them. */
export const appServerEntrance = (server: AppServer): Entrance => ({
  name: "the app-server",
  paths: ["/", "/app-server"],
  serve: (socket) => server.serve(socketChannel(socket))
})

/** A door that is closed with its scope, and so are the connections of those who came in. */
export const makeSocketDoor = (
  server: AppServer,
  options: SocketDoorOptions
): Effect.Effect<SocketDoor, never, Sessions | Scope.Scope> => makeUpgradeDoor([appServerEntrance(server)], options)
