/**
 * What a `Bridge` is while it runs: its sessions, its handler, and the scope that all of it lives in.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Extensions } from "../extension/ExtensionHost.ts"
import { type HttpRefusal, refuse } from "../face/http/HttpRefusal.ts"
import { sessionRefused } from "../face/http/SessionRefusal.ts"
import type { HookFailed } from "../runtime/claude/HookCallbacks.ts"
import { type Handler, makeHandler } from "../server/HttpHandler.ts"
import { type HttpServerFailed, type HttpServerOptions, type Listening, serveHttp } from "../server/HttpServer.ts"
import type { Session, SessionStatus } from "../session/Session.ts"
import { Sessions } from "../session/Sessions.ts"
import { type BridgeConfig, checkConfig, httpOptions, layerOfConfig } from "./BridgeConfig.ts"
import { bridgeErrorOf } from "./BridgeError.ts"
import { runCommand } from "./Command.ts"
import { listenerObserver } from "./ListenerObserver.ts"
import type { Listeners } from "./Listeners.ts"

/** What `start` or `open` has made. */
export interface RunningBridge {
  readonly context: Context.Context<Sessions>
  readonly scope: Scope.Closeable
  readonly http: HttpServerOptions
  readonly handler: Handler
  /** Runs an effect until it ends or the bridge does. Rejects with a `BridgeError`. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Sessions>) => Promise<A>
}

/** The session of a thread. Asking for its details says why there is none. */
export const sessionOf = (threadId: string): Effect.Effect<Session, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    yield* runCommand("sessions.get", { params: { threadId } })
    const sessions = yield* Sessions
    const found: Session | undefined = yield* Effect.mapError(sessions.find(threadId), sessionRefused)
    return found ?? (yield* refuse("SESSION_NOT_FOUND", "This thread has no session."))
  })

/** Listens until the scope closes. When that fails, nothing is left behind. */
export const listenInScope = (
  parent: Scope.Scope,
  http: HttpServerOptions
): Effect.Effect<Listening, HttpServerFailed, Sessions> =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(parent)
    return yield* serveHttp(http).pipe(
      Scope.provide(scope),
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
    )
  })

/** Opens a bridge. When that fails, whatever was already made is ended. */
export const openBridge = async (
  config: BridgeConfig,
  token: string | undefined,
  listeners: Listeners
): Promise<RunningBridge> => {
  const scope = Scope.makeUnsafe()
  const building = Effect.gen(function* () {
    yield* checkConfig(config)
    const options = yield* httpOptions(config, token)
    const onStatus = (threadId: string, status: SessionStatus) =>
      Effect.sync(() => listeners.notify("status", { threadId, status }))
    const onHookFailed: HookFailed = ({ error, event }) =>
      Effect.sync(() => listeners.failed(`hook ${event}`, error, `A hook for ${event} of a bridge`))
    const sessions = layerOfConfig(config, listenerObserver(listeners), onHookFailed, onStatus)
    const context = yield* Layer.buildWithScope(sessions, scope)
    const http = { ...options, extensions: Context.get(context, Extensions) }
    const parts = Effect.all([makeHandler(http), FiberSet.makeRuntime<Sessions>()])
    const [handler, fork] = yield* parts.pipe(Scope.provide(scope), Effect.provideContext(context))
    const run: RunningBridge["run"] = (effect) =>
      new Promise((resolve, reject) => {
        fork(effect).addObserver((exit) =>
          Exit.isSuccess(exit) ? resolve(exit.value) : reject(bridgeErrorOf(exit.cause))
        )
      })
    return { context, scope, http, handler, run }
  })
  const exit = await Effect.runPromiseExit(building)
  if (Exit.isSuccess(exit)) return exit.value
  await closeBridge(scope)
  throw bridgeErrorOf(exit.cause)
}

/** Ends everything. */
export const closeBridge = async (scope: Scope.Closeable): Promise<void> => {
  const exit = await Effect.runPromiseExit(Scope.close(scope, Exit.void))
  if (Exit.isFailure(exit)) throw bridgeErrorOf(exit.cause)
}
