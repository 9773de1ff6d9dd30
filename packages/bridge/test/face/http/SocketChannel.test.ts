/** A client that sends faster than it is answered is not read, however long its messages are. */
import { assert, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { WebSocket, WebSocketServer } from "ws"
import { socketChannel } from "../../../src/face/http/SocketChannel.ts"

/** The two ends of a connection. */
const connected = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" })
    await new Promise((resolve) => server.once("listening", resolve))
    const came = new Promise<WebSocket>((resolve) => server.once("connection", resolve))
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as { readonly port: number }).port}`)
    return { server, client, socket: await came }
  }),
  ({ client, server }) =>
    Effect.sync(() => {
      client.terminate()
      server.close()
    })
)

it.live.each([
  ["many", 300, 20_000],
  ["long", 20, 2_000_000]
] as const)("%s messages", ([, count, length]) =>
  Effect.gen(function* () {
    const { client, socket } = yield* connected
    if (client.readyState !== WebSocket.OPEN)
      yield* Effect.promise(() => new Promise((done) => client.once("open", done)))
    const go = yield* Deferred.make<void>()
    let came = 0
    socket.on("message", () => came++)
    const reading = yield* Effect.forkScoped(
      Stream.runCollect(
        Stream.take(
          Stream.mapEffect(socketChannel(socket).incoming, (text) => Effect.as(Deferred.await(go), text)),
          count
        )
      ),
      { startImmediately: true }
    )
    for (let index = 0; index < count; index++) client.send(`${index} `.padEnd(length, "x"))
    while (!socket.isPaused) yield* Effect.sleep("5 millis")
    assert.isBelow(came, count)
    yield* Deferred.succeed(go, undefined)
    const texts = yield* Fiber.join(reading)
    assert.deepStrictEqual(
      [...texts].map((text) => Number.parseInt(text, 10)),
      Array.from({ length: count }, (_, index) => index)
    )
  }).pipe(Effect.scoped)
)
