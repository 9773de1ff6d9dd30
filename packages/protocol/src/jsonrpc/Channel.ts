/** What a peer speaks through: texts in, texts out. Over stdio a text is a line, over WebSocket a frame. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { Framer, type FramerOptions, type Line } from "../wire/Framer.ts"

/** Both directions of a connection. */
export interface Channel {
  /** One message each, without a line end. It ends when the other side is gone. */
  readonly incoming: Stream.Stream<string, unknown>
  /** Writes one message. A peer never writes two at once. */
  readonly send: (text: string) => Effect.Effect<void, unknown>
}

/** A connection of bytes, such as a process's stdout and stdin: a message is a line. */
export const lineChannel = (
  bytes: Stream.Stream<Uint8Array, unknown>,
  write: (text: string) => Effect.Effect<void, unknown>,
  options?: FramerOptions
): Channel => ({
  incoming: bytes.pipe(
    Stream.mapAccumArray(
      () => new Framer(options),
      (framer, chunks: ReadonlyArray<Uint8Array>) =>
        [framer, chunks.flatMap((chunk) => framer.push(chunk)).map(textOf)] as const,
      { onHalt: (framer) => framer.end().map(textOf) }
    ),
    Stream.filter((text) => text !== "")
  ),
  send: (text) => write(`${text}\n`)
})

/** A line that was too long or is not UTF-8 is handed on as what was kept of it, which is no message. */
const textOf = (line: Line): string => line.text

/** The part of a WebSocket that is needed: that of browsers, of Node and of `ws`. */
export interface SocketLike {
  readonly send: (text: string) => void
  readonly addEventListener: (
    type: "message" | "close" | "error",
    listener: (event: { readonly data?: unknown }) => void
  ) => void
  readonly removeEventListener: (
    type: "message" | "close" | "error",
    listener: (event: { readonly data?: unknown }) => void
  ) => void
}

/** An open WebSocket: a message is a text frame. Binary frames are not heard. */
export const socketChannel = (socket: SocketLike): Channel => ({
  incoming: Stream.callback<string>((queue) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const listeners = {
          message: ({ data }: { readonly data?: unknown }) =>
            void (typeof data === "string" && Queue.offerUnsafe(queue, data)),
          close: () => void Queue.endUnsafe(queue),
          error: () => void Queue.endUnsafe(queue)
        }
        for (const type of ["message", "close", "error"] as const) socket.addEventListener(type, listeners[type])
        return listeners
      }),
      (listeners) =>
        Effect.sync(() => {
          for (const type of ["message", "close", "error"] as const) socket.removeEventListener(type, listeners[type])
        })
    )
  ),
  send: (text) => Effect.try({ try: () => socket.send(text), catch: (cause) => cause })
})
