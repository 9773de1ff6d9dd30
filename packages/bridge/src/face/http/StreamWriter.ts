/**
 * A response that stays open for as long as there is something to say and somebody reads.
 *
 * The writer takes from its source only what the connection has taken from it, so a reader that stops reading costs one
 * batch of memory, and slows nobody. A batch that does not leave in time, or a log that has moved on, cuts the
 * connection: a regular end would look like the end of the answer. The reader can attach again.
 *
 * Time in which this process stood still is no reader's fault. So the time of a reader is counted in steps, at the end of
 * each of which the event loop has gone round, and what a connection has taken meanwhile is known: however late a step
 * ends, it is one step.
 */
import type { ServerResponse } from "node:http"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { othersFirst } from "../../eventloop/Turns.ts"
import { LogFailed, type LogGap } from "../../log/BoundedLog.ts"

/** How a stream is written. */
export interface StreamOptions {
  /** After how much silence a comment is sent, so that no proxy takes the connection for dead. Default 15 seconds. */
  readonly keepAlive?: Duration.Input
  /** How long a reader may accept nothing before it is cut off, and at most a tenth of it more. Default 60 seconds. */
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
export type Send = (what: Sent) => Effect.Effect<void, ReaderGone>

/** A server-sent event as text, or as the pieces of one. */
export type Frame = string | Iterable<string>

/** Writes server-sent events that are text already, to their end. */
export const writeFrames = (
  response: ServerResponse,
  frames: Stream.Stream<Frame, LogGap>,
  headers: Readonly<Record<string, string>> = {},
  options: StreamOptions = {}
): Effect.Effect<StreamEnd> =>
  Effect.suspend(() => {
    response.writeHead(200, { "content-type": sseType, ...streamHeaders, ...headers })
    const pump = (send: Send) =>
      Stream.runForEachArray(frames, (chunk) =>
        Effect.gen(function* () {
          let short = ""
          for (const frame of chunk) {
            if (typeof frame === "string") {
              short += frame
              continue
            }
            if (short !== "") yield* send(short)
            short = ""
            yield* send(frame)
          }
          if (short !== "") yield* send(short)
        })
      )
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
    /** Only some of the pieces of a text are sent: anything else would be in the middle of an event. */
    let isAmidPieces = false
    /** How many pieces were written, and how many of them the connection has taken. */
    const pieces = { written: 0, taken: 0 }

    const send: Send = (what) =>
      Effect.gen(function* () {
        const isWhole = typeof what === "string" || what instanceof Uint8Array
        const isOnePiece = isWhole && what.length <= longText
        if (!isOnePiece) isAmidPieces = true
        for (const text of isWhole ? [what] : what)
          for (const piece of piecesOf(text)) {
            pieces.written++
            yield* flush(response, piece)
            pieces.taken++
            // A connection may take all of them at once.
            if (!isOnePiece) yield* othersFirst
          }
        if (!isOnePiece) isAmidPieces = false
        quietSince = yield* Clock.currentTimeMillis
      })

    const breakSilence = Effect.gen(function* () {
      for (;;) {
        const now = yield* Clock.currentTimeMillis
        const wait = isAmidPieces ? interval : quietSince + interval - now
        if (sign === undefined) yield* Effect.never
        else if (wait > 0) yield* Effect.sleep(wait)
        else yield* send(sign)
      }
    })

    const step = Duration.toMillis(Duration.fromInputUnsafe(stallLimit)) / stallSteps
    const watchReader = Effect.gen(function* () {
      for (let idle = 0; idle < stallSteps; ) {
        const { taken, written } = pieces
        yield* Effect.sleep(step)
        yield* othersFirst
        // Somebody who reads takes something within a step, or is asked to take it in the middle of one.
        idle = written > taken && pieces.taken === taken ? idle + 1 : 0
      }
      return yield* new ReaderStalled()
    })

    response.flushHeaders()
    return yield* pump(send).pipe(
      Effect.raceFirst(breakSilence),
      Effect.raceFirst(watchReader),
      Effect.raceFirst(closed(response)),
      Effect.andThen(
        Effect.sync((): StreamEnd => {
          writeEnding("SESSION_CLOSED", "The session was closed before the run ended.")
          return "complete"
        })
      ),
      Effect.catch((failure) => {
        if (failure instanceof ReaderGone) return Effect.succeed<StreamEnd>("gone")
        // The only other failure is a log that has moved on.
        if (!(failure instanceof LogFailed)) return cutOff(response)
        return Effect.sync((): StreamEnd => {
          writeEnding(failure.code, failure.message)
          return "complete"
        })
      }),
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          if (isAmidPieces) response.destroy()
          else writeEnding("SERVER_CLOSED", "The server was stopped before the run ended.")
        })
      )
    )
  })

/** In how many steps the time of a reader is counted. */
const stallSteps = 10

const cutOff = (response: ServerResponse): Effect.Effect<StreamEnd> =>
  Effect.sync(() => {
    response.destroy()
    return "slow"
  })

/** What is longer is written in pieces: a slow reader of a long text is one that reads. */
const longText = 65_536

/** The pieces, each cut when it is its turn. No character is cut. */
function* piecesOf(text: string | Uint8Array): Generator<string | Uint8Array, void> {
  for (let from = 0; from < text.length; ) {
    const to = from + longText
    const end = typeof text === "string" && to < text.length && isPair(text, to) ? to - 1 : to
    yield typeof text === "string" ? text.slice(from, end) : text.subarray(from, end)
    from = end
  }
}

/** Whether a character of two units is on both sides of a place. */
const isPair = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff

/** Writes, and waits until the connection has taken it. */
const flush = (response: ServerResponse, text: string | Uint8Array): Effect.Effect<void, ReaderGone> =>
  Effect.callback<void, ReaderGone>((resume) => {
    if (response.destroyed || response.writableEnded) return resume(Effect.fail(new ReaderGone()))
    response.write(text, (error) => resume(error ? Effect.fail(new ReaderGone()) : Effect.void))
  })

/** Fails when the reader's connection closes. */
const closed = (response: ServerResponse): Effect.Effect<never, ReaderGone> =>
  Effect.callback<never, ReaderGone>((resume) => {
    const onClose = () => resume(Effect.fail(new ReaderGone()))
    if (response.destroyed || response.socket === null) return onClose()
    response.on("close", onClose)
    return Effect.sync(() => response.off("close", onClose))
  })
