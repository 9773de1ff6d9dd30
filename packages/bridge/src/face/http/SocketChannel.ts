/**
 * A client at the other end of a WebSocket: a message is a text frame. A client that sends faster than it is answered is
 * not read, and one that takes nothing for a while is cut off: it may connect again.
 */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { RawData, WebSocket } from "ws"

/** Texts in both directions. */
export interface SocketChannel {
  /** Ends when the connection does. */
  readonly incoming: Stream.Stream<string>
  /** Done when the connection has taken it. */
  readonly send: (text: string | Buffer) => Effect.Effect<void, unknown>
}

/** How long a client may take nothing, in milliseconds. */
const stallLimit = 120_000

/** With so many frames unread, or so many bytes, no more are taken from the network. */
const [maxUnread, maxUnreadBytes] = [100, 10_000_000]

/** A client. */
export const socketChannel = (socket: WebSocket): SocketChannel => {
  let [unread, unreadBytes] = [0, 0]
  return {
    incoming: Stream.callback<string>((queue) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const onMessage = (data: RawData, isBinary: boolean): void => {
            if (isBinary) return
            const text = String(data)
            unreadBytes += text.length
            if (++unread >= maxUnread || unreadBytes >= maxUnreadBytes) socket.pause()
            Queue.offerUnsafe(queue, text)
          }
          const onEnd = () => void Queue.endUnsafe(queue)
          socket.on("message", onMessage)
          socket.on("close", onEnd)
          socket.on("error", onEnd)
          return { onMessage, onEnd }
        }),
        ({ onEnd, onMessage }) =>
          Effect.sync(() => {
            socket.off("message", onMessage)
            socket.off("close", onEnd)
            socket.terminate()
          })
      )
    ).pipe(
      Stream.tap(() =>
        Effect.sync(() => {
          if (--unread > 0) return
          unreadBytes = 0
          socket.resume()
        })
      )
    ),
    // A text that has begun is not taken back: only the end of the connection ends it.
    send: (text) =>
      Effect.callback<void, unknown>((resume) => {
        const stalled = setTimeout(() => socket.terminate(), stallLimit)
        socket.send(text, { binary: false }, (error) => {
          clearTimeout(stalled)
          resume(error ? Effect.fail(error) : Effect.void)
        })
      })
  }
}
