/**
 * The way out to a client. What it does not take waits, up to a limit: beyond that it is behind, and whoever tells it
 * things that can be read again waits until it is not; and beyond a further limit it is cut off.
 */
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import type { WebSocket } from "ws"

/** How much may wait for a client, and how long. */
export interface OutboxLimits {
  /** With so many bytes waiting, a client is behind. Default 1,000,000. */
  readonly maxWaitingBytes?: number
  /** With so many bytes waiting, it is cut off. Default 32,000,000. */
  readonly maxBytes?: number
  /** How long it may take nothing, in milliseconds. Default 120,000. */
  readonly stallLimit?: number
}

/** The way out to a client. */
export interface Outbox {
  /** Sends a text, in UTF-8. What is sent in one turn of the event loop travels together. */
  readonly send: (text: Buffer) => void
  /** Whether so much waits that it should not be sent more. */
  readonly isBehind: () => boolean
  /** Waits until it is not, or until the client is gone. One that takes nothing for too long is cut off. */
  readonly drained: Effect.Effect<void>
}

/** The connections that are held until all that is sent in this turn is there: a system call costs more than a text. */
const held = new Set<Duplex>()

const release = (): void => {
  for (const connection of held) connection.uncork()
  held.clear()
}

const hold = (connection: Duplex): void => {
  if (held.has(connection)) return
  if (held.size === 0) setImmediate(release)
  held.add(connection)
  connection.cork()
}

/** The way out to a client. `cut`: is called when it is cut off, before that. */
export const makeOutbox = (
  socket: WebSocket,
  connection: Duplex,
  { maxBytes = 32_000_000, maxWaitingBytes = 1_000_000, stallLimit = 120_000 }: OutboxLimits,
  cut: () => void
): Outbox => {
  const end = (): void => {
    if (socket.readyState === socket.CLOSED) return
    cut()
    socket.terminate()
  }
  const isBehind = (): boolean => socket.bufferedAmount > maxWaitingBytes
  return {
    send: (text) => {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > maxBytes) return end()
      hold(connection)
      socket.send(text, { binary: false })
    },
    isBehind,
    drained: Effect.callback<void>((resume) => {
      if (!isBehind() || socket.readyState !== socket.OPEN) return resume(Effect.void)
      const stalled = setTimeout(end, stallLimit)
      const done = (): void => {
        forget()
        resume(Effect.void)
      }
      const forget = (): void => {
        clearTimeout(stalled)
        connection.off("drain", done)
        connection.off("close", done)
      }
      connection.on("drain", done)
      connection.on("close", done)
      return Effect.sync(forget)
    })
  }
}
