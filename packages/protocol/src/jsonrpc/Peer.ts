/**
 * One side of a JSON-RPC connection: it asks and is asked at the same time.
 *
 * Every request that can be answered is answered once, whatever becomes of its handler. Every request of ours ends: with
 * a result, an error of the other side, its time limit, or the end of the connection. An answer that nobody waits for is
 * told and does nothing. Neither side can make the other remember without end.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { readJson } from "../wire/ReadJson.ts"
import type { Channel } from "./Channel.ts"
import { type Refusal, RequestFailed } from "./Failure.ts"
import {
  type Classified,
  classify,
  type ErrorObject,
  errorCodes,
  type Failure,
  type Notification,
  type Request,
  type RequestId,
  type Response
} from "./Message.ts"

/** Something about the connection that nobody asked for. */
export type Notice =
  /** A text that is no message: not JSON, or none of the four kinds. */
  | { readonly _tag: "NotAMessage"; readonly text: string; readonly why: string }
  /** An answer that nobody waits for: it is late, the second one, or to nothing that was asked. */
  | { readonly _tag: "UnexpectedAnswer"; readonly answer: Response | Failure }
  /** An answer or a notification of ours that could not be written. */
  | { readonly _tag: "Unsent"; readonly text: string; readonly cause: unknown }
  /** A handler broke. The other side was told that something did, and no more. */
  | { readonly _tag: "HandlerBroke"; readonly method: string; readonly cause: Cause.Cause<unknown> }

/** What a peer does, and its limits. */
export interface PeerOptions {
  /** Answers a request of the other side. Without it every request is refused as an unknown method. */
  readonly handle?: (request: Request) => Effect.Effect<unknown, Refusal>
  /** Hears the notifications of the other side, one after the other. Answers do not wait for it. */
  readonly notified?: (notification: Notification) => Effect.Effect<void>
  /** Is told what nobody asked for. Nothing by default. */
  readonly noticed?: (notice: Notice) => Effect.Effect<void>
  /** Is told when the answer to a request was written, or could not be: what is to follow it may be said now. */
  readonly answered?: (request: Request) => Effect.Effect<void>
  /** Whether `"jsonrpc":"2.0"` is written. Default true; codex writes none. Both are read. */
  readonly writesVersion?: boolean
  /** What our notifications have beside their params, such as when they were sent. Nothing by default. */
  readonly stamp?: () => Readonly<Record<string, unknown>>
  /** How long a request of ours waits, unless it says otherwise. Default a minute. */
  readonly limit?: Duration.Input
  /** How many requests of ours may wait at once. Default 1000. */
  readonly maxWaiting?: number
  /** How many requests of the other side are handled at once; more are refused. Default 1000. */
  readonly maxHandled?: number
  /**
   * How long what was asked may yet be answered when the other side has said its last: it may still be listening, as who
   * writes into a pipe and closes it. By default not at all.
   */
  readonly lastAnswers?: Duration.Input
  /** What tells the other side that a request of ours is taken back: it was interrupted, or took too long. */
  readonly cancellation?: (request: Request) => Notification | undefined
  /** Which request of the other side a notification of its takes back. */
  readonly cancels?: (notification: Notification) => RequestId | undefined
}

/** One side of a connection. */
export interface Peer {
  /** Asks, and waits for the result. Interrupting it takes the request back. */
  readonly request: (
    method: string,
    params?: unknown,
    options?: {
      readonly limit?: Duration.Input
      /** Is told the id that the request has, before it is sent. */
      readonly named?: (id: RequestId) => void
    }
  ) => Effect.Effect<unknown, RequestFailed>
  /** Says something that is not answered. */
  readonly notify: (method: string, params?: unknown) => Effect.Effect<void, RequestFailed>
  /** Waits until the other side is gone, and all that it said has been heard. */
  readonly closed: Effect.Effect<void>
}

/** The error of a request that was taken back by whoever made it, as the Language Server Protocol numbers it. */
export const requestCancelled = -32800

/** The error of a request that is one too many, as codex numbers it. */
export const overloaded = -32001

/** A request of ours that is not answered yet. */
interface Waiting {
  readonly method: string
  readonly answer: Deferred.Deferred<unknown, RequestFailed | ErrorObject>
}

/** How many notifications wait for `notified` before nothing more is read. */
const maxHeard = 10_000

/** A peer on a channel. It is gone with its scope: what still waits fails, and what is handled is interrupted. */
export const makePeer = (channel: Channel, options: PeerOptions = {}): Effect.Effect<Peer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { limit: defaultLimit = "1 minute", maxHandled = 1000, maxWaiting = 1000, writesVersion = true } = options
    const scope = yield* Effect.scope
    const writing = Semaphore.makeUnsafe(1)
    const waiting = new Map<RequestId, Waiting>()
    const handled = new Set<{ readonly id: RequestId; readonly fiber: Fiber.Fiber<unknown> }>()
    const heard = yield* Queue.bounded<Notification, Cause.Done>(maxHeard)
    const closed = yield* Deferred.make<void>()
    let isClosed = false
    let nextId = 0

    const notice = (what: Notice): Effect.Effect<void> => options.noticed?.(what) ?? Effect.void

    const textOf = (message: object): string => JSON.stringify(writesVersion ? { jsonrpc: "2.0", ...message } : message)

    // A text that has begun is finished: half a line would spoil the next one.
    const write = (text: string): Effect.Effect<void, unknown> =>
      writing.withPermit(Effect.uninterruptible(channel.send(text)))

    const tell = (message: object): Effect.Effect<void> => {
      const text = textOf(message)
      return Effect.catchCause(write(text), (cause) => notice({ _tag: "Unsent", text, cause: Cause.squash(cause) }))
    }

    const failed = (reason: RequestFailed["reason"], method: string, message: string): RequestFailed =>
      new RequestFailed({ reason, method, message })

    const send = (message: Request | Notification): Effect.Effect<void, RequestFailed> =>
      Effect.try({
        try: () => textOf(message),
        catch: () => failed("UNSENT", message.method, "The params cannot be written as JSON.")
      }).pipe(
        Effect.flatMap((text) =>
          Effect.mapError(write(text), (cause) =>
            failed("UNSENT", message.method, `It could not be sent: ${String(cause)}`)
          )
        )
      )

    const request: Peer["request"] = (method, params, { limit = defaultLimit, named } = {}) =>
      Effect.suspend(() => {
        if (isClosed) return Effect.fail(failed("CLOSED", method, "The other side is gone."))
        if (waiting.size >= maxWaiting)
          return Effect.fail(failed("BUSY", method, `${maxWaiting} requests wait for their answers already.`))
        const asked: Request = { id: nextId++, method, ...(params !== undefined && { params }) }
        const answer: Waiting["answer"] = Deferred.makeUnsafe()
        waiting.set(asked.id, { method, answer })
        named?.(asked.id)
        let isSent = false
        const takeBack = Effect.suspend(() => {
          const isOpen = waiting.delete(asked.id)
          const said = isOpen && isSent && !isClosed ? options.cancellation?.(asked) : undefined
          return said === undefined ? Effect.void : tell(said)
        })
        return send(asked).pipe(
          Effect.tap(() =>
            Effect.sync(() => {
              isSent = true
            })
          ),
          Effect.andThen(Deferred.await(answer)),
          Effect.mapError((error) =>
            error instanceof RequestFailed ? error : new RequestFailed({ reason: "REFUSED", method, ...error })
          ),
          Effect.timeoutOrElse({
            duration: limit,
            orElse: () =>
              Effect.fail(
                failed("TIMEOUT", method, `No answer within ${Duration.format(Duration.fromInputUnsafe(limit))}.`)
              )
          }),
          Effect.ensuring(takeBack)
        )
      })

    const notify: Peer["notify"] = (method, params) =>
      Effect.suspend(() => {
        if (isClosed) return Effect.fail(failed("CLOSED", method, "The other side is gone."))
        return send({ method, ...(params !== undefined && { params }), ...options.stamp?.() })
      })

    const settle = (answer: Response | Failure): Effect.Effect<void> => {
      const waits = answer.id === null ? undefined : waiting.get(answer.id)
      if (waits === undefined || answer.id === null) return notice({ _tag: "UnexpectedAnswer", answer })
      waiting.delete(answer.id)
      return "error" in answer
        ? Deferred.fail(waits.answer, answer.error)
        : Deferred.succeed(waits.answer, answer.result)
    }

    /** What the other side gets of a handler's end. */
    const answerOf = (asked: Request, exit: Exit.Exit<unknown, Refusal>): Effect.Effect<object> => {
      const { id, method } = asked
      if (Exit.isSuccess(exit)) {
        const text = jsonOf(exit.value)
        if (text !== undefined) return Effect.succeed({ id, result: exit.value ?? null })
      }
      const cause = Exit.isSuccess(exit) ? Cause.die("The result cannot be written as JSON.") : exit.cause
      const refusal = Option.getOrUndefined(Cause.findErrorOption(cause))
      if (refusal !== undefined) {
        const { code, data, message } = refusal
        return Effect.succeed({ id, error: { code, message, ...(data !== undefined && { data }) } })
      }
      if (Cause.hasInterruptsOnly(cause))
        return Effect.succeed({ id, error: { code: requestCancelled, message: "The request was cancelled." } })
      const error = { code: errorCodes.internalError, message: "The request could not be handled." }
      return Effect.as(notice({ _tag: "HandlerBroke", method, cause }), { id, error })
    }

    const serve = (asked: Request): Effect.Effect<void> => {
      const refuse = (code: number, message: string) => tell({ id: asked.id, error: { code, message } })
      if (options.handle === undefined)
        return refuse(errorCodes.methodNotFound, `There is no method ${JSON.stringify(asked.method)}.`)
      if (handled.size >= maxHandled) return refuse(overloaded, `${maxHandled} requests are handled already.`)
      const { handle } = options
      const handling = Effect.uninterruptibleMask((restore) =>
        Effect.exit(restore(Effect.suspend(() => handle(asked)))).pipe(
          Effect.flatMap((exit) => answerOf(asked, exit)),
          Effect.flatMap((answer) => (isClosed ? Effect.void : tell(answer))),
          Effect.andThen(Effect.suspend(() => options.answered?.(asked) ?? Effect.void))
        )
      )
      return Effect.gen(function* () {
        const fiber = yield* Effect.forkIn(handling, scope)
        const entry = { id: asked.id, fiber }
        handled.add(entry)
        fiber.addObserver(() => handled.delete(entry))
      })
    }

    const hear = (said: Notification): Effect.Effect<void> => {
      const id = options.cancels?.(said)
      if (id !== undefined) {
        const taken = [...handled].filter((entry) => entry.id === id)
        return Effect.asVoid(Effect.forkIn(Fiber.interruptAll(taken.map(({ fiber }) => fiber)), scope))
      }
      return options.notified === undefined ? Effect.void : Effect.asVoid(Queue.offer(heard, said))
    }

    const receive = (text: string): Effect.Effect<void> => {
      const read = readJson(text)
      if (!read.isRead) return notice({ _tag: "NotAMessage", text, why: read.code })
      const message: Classified = classify(read.value)
      switch (message._tag) {
        case "Request":
          return serve(message)
        case "Notification":
          return hear(message)
        case "Response":
        case "Failure":
          return settle(message)
        case "Invalid":
          return notice({ _tag: "NotAMessage", text, why: message.fault })
      }
    }

    const hearing = yield* Stream.fromQueue(heard).pipe(
      Stream.runForEach((said) =>
        Effect.catchCause(options.notified?.(said) ?? Effect.void, (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : notice({ _tag: "HandlerBroke", method: said.method, cause })
        )
      ),
      Effect.forkIn(scope)
    )

    const close = Effect.gen(function* () {
      isClosed = true
      const left = [...waiting.values()]
      waiting.clear()
      for (const { answer, method } of left)
        yield* Deferred.fail(answer, failed("CLOSED", method, "The other side went before it answered."))
      Queue.endUnsafe(heard)
    })

    const finish = Effect.suspend(() =>
      options.lastAnswers === undefined
        ? Effect.void
        : Effect.forEach([...handled], ({ fiber }) => Fiber.await(fiber), { concurrency: "unbounded" }).pipe(
            Effect.timeoutOption(options.lastAnswers),
            Effect.asVoid
          )
    )

    yield* channel.incoming.pipe(
      Stream.runForEach(receive),
      Effect.exit,
      Effect.andThen(finish),
      Effect.andThen(close),
      Effect.andThen(Fiber.await(hearing)),
      Effect.ensuring(Effect.andThen(close, Deferred.succeed(closed, undefined))),
      Effect.forkIn(scope)
    )

    return { request, notify, closed: Deferred.await(closed) }
  })

const jsonOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value ?? null)
  } catch {
    // A cycle or a bigint: whoever asked is told.
    return undefined
  }
}
