import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { lineChannel, type SocketLike, socketChannel } from "../../src/jsonrpc/index.ts"

describe("lineChannel", () => {
  it.effect("makes messages of lines in any chunking, and lines of messages", () =>
    Effect.gen(function* () {
      const bytes = new TextEncoder().encode('{"a":"ä\u2028"}\n\n{"b":1}\r\n{"c":')
      const written: Array<string> = []
      const { incoming, send } = lineChannel(
        Stream.fromIterable([...bytes].map((byte) => Uint8Array.of(byte))),
        (text) => Effect.sync(() => void written.push(text))
      )
      expect((yield* Stream.runCollect(incoming)).map((text) => text.trimEnd())).toEqual([
        '{"a":"ä\u2028"}',
        '{"b":1}',
        '{"c":'
      ])
      yield* send("{}")
      expect(written).toEqual(["{}\n"])
    })
  )
})

/** An event target with the part of a WebSocket that a channel needs. */
class Socket implements SocketLike {
  readonly sent: Array<string> = []
  readonly listeners = new Set<readonly [string, (event: { readonly data?: unknown }) => void]>()
  send = (text: string): void => void this.sent.push(text)
  addEventListener: SocketLike["addEventListener"] = (type, listener) => void this.listeners.add([type, listener])
  removeEventListener: SocketLike["removeEventListener"] = (type, listener) => {
    for (const entry of this.listeners) if (entry[0] === type && entry[1] === listener) this.listeners.delete(entry)
  }
  emit(type: string, data?: unknown): void {
    for (const [each, listener] of this.listeners) if (each === type) listener({ data })
  }
}

describe("socketChannel", () => {
  it.effect("makes a message of each text frame until the socket closes, and leaves no listener", () =>
    Effect.gen(function* () {
      const socket = new Socket()
      const { incoming, send } = socketChannel(socket)
      const heard = yield* Effect.forkChild(Stream.runCollect(incoming))
      while (socket.listeners.size < 3) yield* Effect.yieldNow
      socket.emit("message", "one")
      socket.emit("message", new Uint8Array(2))
      socket.emit("message", "two")
      socket.emit("close")
      expect(yield* Fiber.join(heard)).toEqual(["one", "two"])
      expect(socket.listeners.size).toBe(0)
      yield* send("three")
      expect(socket.sent).toEqual(["three"])
    })
  )
})
