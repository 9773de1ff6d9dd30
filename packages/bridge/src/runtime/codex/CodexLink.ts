/**
 * The way from a session to its app-server: starts a process when one is needed, greets it, has its thread begun, and
 * tells the session every line in the order in which it came, before anybody acts on it.
 */
import { Dialogue, type Heard } from "@agentwire/protocol/codex"
import {
  makePeer,
  type Peer,
  type Refusal,
  type Request,
  RequestFailed,
  type RequestId
} from "@agentwire/protocol/jsonrpc"
import { isRecord } from "@agentwire/protocol/wire"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AgentExit } from "../../process/AgentLife.ts"
import { CodexLauncher, type CodexServer, type ServerRequest } from "./Server.ts"

/** Why an app-server could not be started. */
export interface StartFailure {
  readonly code: string
  readonly message: string
}

/** What a link tells its session. All but `sent` and `asked` is called under the session's lock. */
export interface LinkEvents {
  readonly heard: (heard: Heard) => Effect.Effect<void>
  /** A line was sent. */
  readonly sent: (heard: Heard) => void
  /** Answers a request of the server, after it was heard. */
  readonly asked: (request: Request) => Effect.Effect<unknown, Refusal>
  /** Has the thread begun on a server that was greeted. Not under the lock. */
  readonly begin: (ask: Peer["request"], greeting: unknown) => Effect.Effect<void, StartFailure | RequestFailed>
  readonly ready: Effect.Effect<void>
  readonly ended: (exit: AgentExit) => Effect.Effect<void>
  readonly failed: (failure: StartFailure) => Effect.Effect<void>
}

/** The way to an app-server. */
export interface CodexLink {
  /** Starts a server, unless there is one. Under the lock. */
  readonly ensureStarted: (request: Effect.Effect<ServerRequest, StartFailure>) => Effect.Effect<void>
  /** Waits until the server that was started last is ready. Not under the lock. */
  readonly whenReady: Effect.Effect<void, StartFailure>
  /** There is a server, or one is being started. */
  readonly isRunning: () => boolean
  /** The server can be given prompts. */
  readonly isReady: () => boolean
  /** Asks the server. Not under the lock. */
  readonly request: Peer["request"]
  readonly notify: Peer["notify"]
  /** Ends the process. The session is not told: it asked for it. Under the lock. */
  readonly disconnect: Effect.Effect<void>
}

interface Linked {
  readonly server: CodexServer
  readonly scope: Scope.Closeable
  peer: Peer | undefined
  isReady: boolean
}

/** How long lines may still come after the end of a process: something out of reach may hold its pipe. */
const lastLines = Duration.seconds(2)

/** A link without a server yet. */
export const makeCodexLink = (
  locked: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
  startTimeout: Duration.Input,
  events: LinkEvents
): Effect.Effect<CodexLink, never, CodexLauncher | Scope.Scope> =>
  Effect.gen(function* () {
    const launcher = yield* CodexLauncher
    const scope = yield* Effect.scope
    let linked: Linked | undefined
    let isStarting = false
    let starting: Fiber.Fiber<void> | undefined
    let readiness = Deferred.makeUnsafe<void, StartFailure>()

    /** A line that breaks us costs that line: who stops listening would leave its session waiting for ever. */
    const hearAll = (own: Linked, lines: ReadonlyArray<Heard>): Effect.Effect<void> =>
      Effect.forEach(
        lines,
        (heard) =>
          linked !== own
            ? Effect.void
            : Effect.catchDefect(
                Effect.suspend(() => events.heard(heard)),
                (defect) => Effect.logError("A line of the agent could not be handled, and is left out.", defect)
              ),
        { discard: true }
      )

    /** The peer outlives its process until all is heard, and is never waited for by whoever ends the process. */
    const connect = (own: Linked, peerScope: Scope.Scope): Effect.Effect<Peer> => {
      const dialogue = new Dialogue()
      const { incoming, send } = own.server.channel
      const channel = {
        incoming: Stream.mapArrayEffect(incoming, (texts) =>
          Effect.as(
            locked(
              Effect.suspend(() =>
                hearAll(
                  own,
                  texts.map((text) => dialogue.hear("server", text))
                )
              )
            ),
            texts
          )
        ),
        send: (text: string) =>
          Effect.suspend(() => {
            events.sent(dialogue.hear("client", text))
            return send(text)
          })
      }
      return Scope.provide(
        makePeer(channel, {
          writesVersion: false,
          handle: events.asked,
          cancels: (said) => (said.method === "serverRequest/resolved" ? resolvedIn(said.params) : undefined)
        }),
        peerScope
      )
    }

    const listen = (own: Linked, peer: Peer, peerScope: Scope.Closeable): Effect.Effect<void> =>
      Effect.gen(function* () {
        const exit = yield* own.server.exit
        yield* Effect.timeoutOption(peer.closed, lastLines)
        yield* locked(
          Effect.suspend(() => {
            if (linked !== own) return Effect.void
            linked = undefined
            isStarting = false
            return Effect.andThen(
              Deferred.fail(readiness, { code: "GONE", message: "The agent ended as it started." }),
              events.ended(exit)
            )
          })
        )
        yield* Scope.close(own.scope, Exit.void)
        yield* Scope.close(peerScope, Exit.void)
      })

    const start = (
      asked: Effect.Effect<ServerRequest, StartFailure>,
      ready: Deferred.Deferred<void, StartFailure>
    ): Effect.Effect<void> =>
      Effect.gen(function* () {
        const own = yield* Scope.fork(scope)
        let made: Linked | undefined
        const started = yield* Effect.gen(function* () {
          const server = yield* Scope.provide(Effect.flatMap(asked, launcher.launch), own)
          const live: Linked = { server, scope: own, peer: undefined, isReady: false }
          made = live
          yield* locked(
            Effect.sync(() => {
              linked = live
            })
          )
          const peerScope = yield* Scope.fork(scope)
          const peer = yield* connect(live, peerScope)
          live.peer = peer
          yield* Effect.forkIn(listen(live, peer, peerScope), scope)
          const greeting = yield* peer.request("initialize", hello, { limit: startTimeout })
          yield* peer.notify("initialized")
          const ask: Peer["request"] = (method, params) => peer.request(method, params, { limit: startTimeout })
          yield* events.begin(ask, greeting)
          return live
        }).pipe(
          Effect.onInterrupt(() => Scope.close(own, Exit.void)),
          Effect.exit
        )
        if (Exit.isSuccess(started)) {
          yield* locked(
            Effect.suspend(() => {
              if (linked !== started.value) return Effect.void
              started.value.isReady = true
              isStarting = false
              return events.ready
            })
          )
          yield* Deferred.succeed(ready, undefined)
          return
        }
        const failure = failureOf(Cause.squash(started.cause))
        // A process that ended while it started has more to tell: its exit and its last words.
        if (failure.code === "CLOSED" && made !== undefined) return
        yield* locked(
          Effect.suspend(() => {
            if (linked !== undefined && linked !== made) return Effect.void
            linked = undefined
            isStarting = false
            return Effect.andThen(Deferred.fail(ready, failure), events.failed(failure))
          })
        )
        yield* Scope.close(own, Exit.void)
      })

    const gone = (method: string) =>
      new RequestFailed({ reason: "CLOSED", method, message: "The agent is not running." })

    return {
      isRunning: () => linked !== undefined || isStarting,
      isReady: () => linked?.isReady === true,
      whenReady: Effect.suspend(() => Deferred.await(readiness)),
      ensureStarted: (request) =>
        Effect.suspend(() => {
          if (linked !== undefined || isStarting) return Effect.void
          isStarting = true
          readiness = Deferred.makeUnsafe()
          return Effect.map(Effect.forkIn(start(request, readiness), scope), (fiber) => {
            starting = fiber
          })
        }),
      request: (method, params, options) =>
        Effect.suspend(() => linked?.peer?.request(method, params, options) ?? Effect.fail(gone(method))),
      notify: (method, params) =>
        Effect.suspend(() => linked?.peer?.notify(method, params) ?? Effect.fail(gone(method))),
      disconnect: Effect.suspend(() => {
        const [current, beginning] = [linked, starting]
        linked = undefined
        isStarting = false
        starting = undefined
        Deferred.doneUnsafe(readiness, Effect.fail({ code: "GONE", message: "The agent was ended." }))
        return Effect.andThen(
          beginning === undefined ? Effect.void : Fiber.interrupt(beginning),
          current === undefined ? Effect.void : Scope.close(current.scope, Exit.void)
        )
      })
    }
  })

/** Tools of the application need the experimental API, and so does ending what outlives a turn. */
const hello = {
  clientInfo: { name: "agentwire", title: "agentwire", version: "0.0.0" },
  capabilities: { experimentalApi: true, requestAttestation: false }
}

const resolvedIn = (params: unknown): RequestId | undefined => {
  const id = isRecord(params) ? params["requestId"] : undefined
  return typeof id === "string" || typeof id === "number" ? id : undefined
}

const failureOf = (cause: unknown): StartFailure => {
  if (cause instanceof RequestFailed)
    return {
      code: cause.reason === "CLOSED" ? "CLOSED" : cause.reason === "TIMEOUT" ? "TIMEOUT" : "START_FAILED",
      message: `${cause.method}: ${cause.message}`
    }
  return {
    code: isRecord(cause) && "code" in cause ? String(cause["code"]) : "START_FAILED",
    message: isRecord(cause) && "message" in cause ? String(cause["message"]) : String(cause)
  }
}
