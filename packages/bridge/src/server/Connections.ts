/**
 * The open connections of a server. Anybody can open connections and say nothing, so when there are too many it is not
 * the newcomer that has to go but, in this order, the oldest that never showed the token, the oldest that did and has no
 * request, and the oldest whose reader does not take what it is sent. Only where all are at work the newcomer goes.
 */
import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { hasEntered } from "../face/http/Entry.ts"

/** The open connections of a server. */
export interface Connections {
  /** Whether an answer on a connection has begun. */
  readonly isAnswered: (socket: Duplex) => boolean
  /** Closes the connections without a request. Node leaves those open that never had one, which clients open in advance. */
  readonly closeIdle: () => void
  /** Is told of each connection that is closed because there are too many. */
  readonly onTooMany: (listener: () => void) => void
}

/** Watches the connections of a server, and keeps them to a number. */
export const watchConnections = (server: Server, max: number): Connections => {
  /** In the order they were opened, with the unfinished answers of each. */
  const connections = new Map<Duplex, Set<ServerResponse>>()
  /** Those of them that may not have entered yet: in a flood, most. */
  const strangers = new Set<Duplex>()
  let onTooMany = (): void => undefined

  const forget = (socket: Duplex): void => {
    connections.delete(socket)
    strangers.delete(socket)
  }

  const oldestStranger = (): Duplex | undefined => {
    for (const socket of strangers) {
      if (!hasEntered(socket)) return socket
      strangers.delete(socket)
    }
    return undefined
  }

  const oldest = (holds: (socket: Duplex, owed: ReadonlySet<ServerResponse>) => boolean): Duplex | undefined => {
    for (const [socket, owed] of connections) if (holds(socket, owed)) return socket
    return undefined
  }

  const makeRoom = (newcomer: Duplex): Duplex =>
    oldestStranger() ??
    oldest((_, owed) => owed.size === 0) ??
    oldest(({ writableLength }) => writableLength > 0) ??
    newcomer

  server.on("connection", (socket: Socket) => {
    if (connections.size >= max) {
      const goes = makeRoom(socket)
      forget(goes)
      goes.destroy()
      onTooMany()
      if (goes === socket) return
    }
    connections.set(socket, new Set())
    strangers.add(socket)
    socket.once("close", () => forget(socket))
  })

  server.on("request", ({ socket }, response) => {
    connections.get(socket)?.add(response)
    response.once("close", () => {
      connections.get(socket)?.delete(response)
      if (!server.listening) socket.end()
    })
  })

  return {
    isAnswered: (socket) => [...(connections.get(socket) ?? [])].some(({ headersSent }) => headersSent),
    closeIdle: () => {
      for (const [socket, owed] of connections) if (owed.size === 0) socket.destroy()
    },
    onTooMany: (listener) => {
      onTooMany = listener
    }
  }
}
