/**
 * A response that stays open for as long as there is something to say and somebody reads.
 *
 * The writer takes from its source only what the connection has taken from it, so a reader that stops reading costs one
 * batch of memory, and slows nobody. A batch that does not leave in time, or a log that has moved on, cuts the
 * connection: a regular end would look like the end of the answer. The reader can attach again.
 */
import type { ServerResponse } from "node:http"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { LogGap } from "../../log/BoundedLog.ts"
import { othersFirst } from "./Turns.ts"

/** How a stream is written. */
export interface StreamOptions {
  /** After how much silence a comment is sent, so that no proxy takes the connection for dead. Default 15 seconds. */
  readonly keepAlive?: Duration.Input
  /** How long a reader may accept nothing before it is cut off. Default 60 seconds. */
  readonly stallLimit?: Duration.Input
}

/** How an answer ended: whole, the reader left, or it was cut off for being slow. */
export type StreamEnd = "complete" | "gone" | "slow"

/** The reader's connection is closed. */
class ReaderGone extends Schema.TaggedError<ReaderGone>()("ReaderGone", {}) {}

/** The reader takes nothing. */
class ReaderStalled extends Schema.TaggedError<ReaderStalled>()("ReaderStalled", {}) {}

/** The headers of an event stream, except its type. The last one is for proxies that would buffer it. */
export const streamHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no"
}

/** The media type of server-sent events. */
export const sseType = "text/event-stream"

/** A server-sent event that says nothing. */
export const sseKeepAlive = ": keep-alive\n\n"

/** What is sent: a text, bytes, or the pieces of a text that nothing may come between. */
export type Sent = string | Uint8Array | Iterable<string>

/** Writes something, piece by piece, and waits until the connection has taken it. */
export type Send = (what: Sent) => Effect.Effect<void, ReaderGone | ReaderStalled>

/** Writes server-sent events that are text already, to their end. */
export const writeFrames = (
  response: ServerResponse,
  frames: Stream.Stream<string, LogGap>,
  headers: Readonly<Record<string, string>> = {},
  options: StreamOptions = {}
): Effect.Effect<StreamEnd> =>
  Effect.suspend(() => {
    response.writeHead(200, { "content-type": sseType, ...streamHeaders, ...headers })
    const pump = (send: Send) => Stream.runForEachArray(frames, (texts) => send(texts.join("")))
    return writeWhileRead(response, options, sseKeepAlive, pump, () => void response.end())
  })

/** Lets a pump write for as long as the reader accepts it, and fills the pump's silence. */
export const writeWhileRead = <E>(
  response: ServerResponse,
  { keepAlive = "15 seconds", stallLimit = "60 seconds" }: StreamOptions,
  sign: string | undefined,
  pump: (send: Send) => Effect.Effect<void, E>,
  writeEnding: (code: string, message: string) => void
): Effect.Effect<StreamEnd> =>
  Effect.gen(function* () {
    const interval = Duration.toMillis(Duration.fromInputUnsafe(keepAlive))
    let quietSince = yield* Clock.currentTimeMillis
    /** How many are sending something: it may be in pieces. */
    let senders = 0

    const send: Send = (what) =>
      Effect.gen(function* () {
        senders++
        const isWhole = typeof what === "string" || what instanceof Uint8Array
        for (const text of isWhole ? [what] : what) {
          yield* flush(response, text).pipe(
            Effect.timeoutOrElse({ duration: stallLimit, orElse: () => Effect.fail(new ReaderStalled()) })
          )
          // A connection may take all of them at once.
          if (!isWhole) yield* othersFirst
        }
        senders--
        quietSince = yield* Clock.currentTimeMillis
      })

    const breakSilence = Effect.gen(function* () {
      for (;;) {
        const now = yield* Clock.currentTimeMillis
        const wait = quietSince + interval - now
        if (sign === undefined) yield* Effect.never
        else if (wait > 0) yield* Effect.sleep(wait)
        else if (senders > 0) yield* Effect.sleep(interval)
        else yield* send(sign)
      }
    })

    response.flushHeaders()
    return yield* pump(send).pipe(
      Effect.raceFirst(breakSilence),
      Effect.raceFirst(closed(response)),
      Effect.andThen(
        Effect.sync((): StreamEnd => {
          writeEnding("SESSION_CLOSED", "The session was closed before the run ended.")
          return "complete"
        })
      ),
      // The only other failure is a log that has moved on.
      Effect.catch((failure) => (failure instanceof ReaderGone ? Effect.succeed<StreamEnd>("gone") : cutOff(response))),
      Effect.onInterrupt(() =>
        Effect.sync(() => writeEnding("SERVER_CLOSED", "The server was stopped before the run ended."))
      )
    )
  })

const cutOff = (response: ServerResponse): Effect.Effect<StreamEnd> =>
  Effect.sync(() => {
    response.destroy()
    return "slow"
  })

/** From here on it is worth it to make bytes of a text before it is written. */
const longText = 65_536

/** Writes, and waits until the connection has taken it. */
const flush = (response: ServerResponse, text: string | Uint8Array): Effect.Effect<void, ReaderGone> =>
  Effect.callback<void, ReaderGone>((resume) => {
    if (response.destroyed || response.writableEnded) return resume(Effect.fail(new ReaderGone()))
    // Node would look through a text twice, for its length and for its bytes.
    const bytes = typeof text === "string" && text.length > longText ? Buffer.from(text) : text
    response.write(bytes, (error) => resume(error ? Effect.fail(new ReaderGone()) : Effect.void))
  })

/** Fails when the reader's connection closes. */
const closed = (response: ServerResponse): Effect.Effect<never, ReaderGone> =>
  Effect.callback<never, ReaderGone>((resume) => {
    const onClose = () => resume(Effect.fail(new ReaderGone()))
    if (response.destroyed || response.socket === null) return onClose()
    response.on("close", onClose)
    return Effect.sync(() => response.off("close", onClose))
  })
