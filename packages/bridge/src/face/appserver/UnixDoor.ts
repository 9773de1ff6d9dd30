/**
 * A unix socket that clients of the app-server connect to. Codex speaks WebSocket on it, too: to lines it gives no answer
 * (0.166.0, measured). Nobody but the user may open it.
 */

import { lstat, rm, stat } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { connect, type Socket } from "node:net"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { SocketDoor } from "./SocketDoor.ts"

/** A unix socket that cannot be made. */
export class UnixSocketFailed extends Schema.TaggedError<UnixSocketFailed>()("UnixSocketFailed", {
  /** Stable: `SOCKET_IN_USE`, `SOCKET_FAILED`. */
  code: Schema.Literals(["SOCKET_IN_USE", "SOCKET_FAILED"]),
  message: Schema.String
}) {}

/** Whether somebody listens on a path. */
const isServed = (path: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(path)
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.succeed(true))
    })
    socket.once("error", () => resume(Effect.succeed(false)))
  })

/** Listens on a path until the scope is closed. A socket that a server before has left there is replaced. */
export const listenOnUnixSocket = (
  path: string,
  door: SocketDoor
): Effect.Effect<void, UnixSocketFailed, Scope.Scope> =>
  Effect.gen(function* () {
    if (yield* isServed(path))
      return yield* new UnixSocketFailed({ code: "SOCKET_IN_USE", message: `Another server listens on ${path}.` })
    const failed = (cause: unknown) =>
      new UnixSocketFailed({
        code: "SOCKET_FAILED",
        message: `Cannot listen on ${path}: ${cause instanceof Error ? cause.message : String(cause)}`
      })
    yield* Effect.tryPromise({ try: () => removeSocket(path), catch: failed })
    const connections = new Set<Socket>()
    yield* Effect.acquireRelease(
      Effect.callback<Server, UnixSocketFailed>((resume) => {
        const server = createServer((_, response) => void response.writeHead(200).end())
        server.on("upgrade", door)
        server.on("connection", (socket: Socket) => {
          connections.add(socket)
          socket.once("close", () => connections.delete(socket))
        })
        server.once("error", (cause) => resume(Effect.fail(failed(cause))))
        // The file is made while this line runs: at no time can anybody else open it.
        const before = process.umask(0o177)
        try {
          server.listen(path, () => resume(Effect.succeed(server)))
        } finally {
          process.umask(before)
        }
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          // Those that became WebSockets are not the server's any more, and it waits for them all the same.
          for (const socket of connections) socket.destroy()
        })
    )
  })

/** Nothing but a socket is ever removed. */
const removeSocket = async (path: string): Promise<void> => {
  const folder = dirname(path)
  // Node says of it that it may not be opened.
  if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true)
    throw new Error(`there is no folder ${folder}`)
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined) return
  if (!found.isSocket()) throw new Error("there is a file that is no socket")
  await rm(path)
}
