/**
 * The socket between the two processes, as texts in both directions: a message is a line. What is written next waits until the
 * socket has taken the last, so a side that does not read stops the other, and nothing piles up.
 */
import { lstat, rm } from "node:fs/promises"
import { connect, createServer, type Server, type Socket } from "node:net"
import { dirname } from "node:path"
import { type Channel, lineChannel } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { LinkRefused } from "./LinkErrors.ts"
import { type LinkPlace, makePrivate, placeWords } from "./Place.ts"

/** The longest message, in bytes: a prompt with large images fits. */
export const maxMessageBytes = 128 * 1024 * 1024

/** How much a stranger may send before it has proved anything. */
const maxStrangerBytes = 64 * 1024

/** A connection. */
export interface LinkSocket {
  readonly channel: Channel
  /** The other side has proved what it knows: from now on it may send as much as it wants. */
  readonly trust: () => void
  readonly destroy: () => void
}

/** A connection as texts. */
export const linkSocket = (socket: Socket): LinkSocket => {
  let isTrusted = false
  // Whoever is gone is told by the end of its bytes; an error says no more.
  socket.on("error", ignored)
  socket.setNoDelay(true)
  return {
    channel: lineChannel(
      Stream.fromAsyncIterable(socket as AsyncIterable<Uint8Array>, (cause) => cause).pipe(
        Stream.tap(() =>
          Effect.sync(() => {
            if (!isTrusted && socket.bytesRead > maxStrangerBytes) socket.destroy()
          })
        )
      ),
      (text) =>
        Effect.callback<void, unknown>((resume) => {
          if (!socket.writable) return resume(Effect.fail(new Error("The other side is gone.")))
          socket.write(text, (error) => resume(error ? Effect.fail(error) : Effect.void))
        }),
      { maxLineBytes: maxMessageBytes }
    ),
    trust: () => {
      isTrusted = true
    },
    destroy: () => void socket.destroy()
  }
}

const ignored = (): void => undefined

/** Connects to a place, for as long as the scope lives. */
export const connectTo = (place: LinkPlace): Effect.Effect<LinkSocket, LinkRefused, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Socket, LinkRefused>((resume) => {
      const socket = place._tag === "Unix" ? connect(place.path) : connect(place.port, place.host)
      const failed = (error: Error): void =>
        resume(
          Effect.fail(
            new LinkRefused({
              code: "LINK_FAILED",
              message: `Nobody listens at ${placeWords(place)}: ${error.message}.`
            })
          )
        )
      socket.once("error", failed)
      socket.once("connect", () => {
        socket.off("error", failed)
        resume(Effect.succeed(socket))
      })
      return Effect.sync(() => void socket.destroy())
    }),
    (socket) => Effect.sync(() => void socket.destroy())
  ).pipe(Effect.map(linkSocket))

/** Whether somebody listens at a place. */
const isServed = (place: LinkPlace): Effect.Effect<boolean> =>
  Effect.scoped(Effect.match(connectTo(place), { onFailure: () => false, onSuccess: () => true }))

/** Listens at a place until the scope is closed. A socket that a runtime before has left there is replaced. */
export const listenAt = (
  place: LinkPlace,
  entered: (socket: Socket) => void
): Effect.Effect<LinkPlace, LinkRefused, Scope.Scope> =>
  Effect.gen(function* () {
    if (yield* isServed(place))
      return yield* new LinkRefused({
        code: "LINK_IN_USE",
        message: `Another runtime listens at ${placeWords(place)}. One runtime has a data folder; \`agentwire status\` shows it.`
      })
    const failed = (cause: unknown) =>
      new LinkRefused({
        code: "LINK_FAILED",
        message: `Cannot listen at ${placeWords(place)}: ${cause instanceof Error ? cause.message : String(cause)}.`
      })
    if (place._tag === "Unix") yield* Effect.tryPromise({ try: () => makeReady(place.path), catch: failed })
    const connections = new Set<Socket>()
    const server = yield* Effect.acquireRelease(
      Effect.callback<Server, LinkRefused>((resume) => {
        const server = createServer((socket) => {
          connections.add(socket)
          socket.once("close", () => connections.delete(socket))
          entered(socket)
        })
        server.once("error", (cause) => resume(Effect.fail(failed(cause))))
        const ready = (): void => resume(Effect.succeed(server))
        if (place._tag === "Tcp") return void server.listen(place.port, place.host, ready)
        // The file is made while this line runs: at no time can anybody else open it.
        const before = process.umask(0o177)
        try {
          server.listen(place.path, ready)
        } finally {
          process.umask(before)
        }
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          for (const socket of connections) socket.destroy()
        })
    )
    const address = server.address()
    return place._tag === "Tcp" && typeof address === "object" && address !== null
      ? { ...place, port: address.port }
      : place
  })

/** Nothing but a socket is ever removed. */
const makeReady = async (path: string): Promise<void> => {
  makePrivate(dirname(path))
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined) return
  if (!found.isSocket()) throw new Error("there is a file that is no socket")
  await rm(path)
}
