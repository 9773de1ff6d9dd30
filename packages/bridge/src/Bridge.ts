/**
 * The bridge as one layer: sessions that run agents, and the HTTP server in front of them.
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AgentLauncher } from "./Agent.ts"
import { HistoryStore, type HistoryStoreFailed, type HistoryStoreOptions } from "./HistoryStore.ts"
import { HttpServer, type HttpServerFailed, type HttpServerOptions } from "./HttpServer.ts"
import type { Session } from "./Session.ts"
import { makeSession, type SessionOptions } from "./SessionActor.ts"
import { SessionIndex, type SessionIndexFailed } from "./SessionIndex.ts"
import { layerSessions, SessionMaker, type SessionRegistryOptions } from "./SessionRegistry.ts"
import { Sessions } from "./Sessions.ts"

/** What all sessions of a bridge have in common. */
export type SharedSessionOptions = Omit<
  SessionOptions,
  "threadId" | "sessionKey" | "resume" | "history" | "onRunEnd" | "onProviderSession"
>

/** What may be chosen about a bridge. */
export interface BridgeOptions {
  readonly session: SharedSessionOptions
  readonly sessions?: SessionRegistryOptions
  /** The file that remembers which conversation a thread is; without one, threads end with the bridge. */
  readonly indexPath?: string
  /**
   * How conversations are kept. Without an index, in memory. With one, in the folder `<indexPath>.history` unless
   * another is given.
   */
  readonly history?: Partial<HistoryStoreOptions>
  readonly http: HttpServerOptions
}

/** Makes sessions that run agents, and keeps what is said in them. */
export const layerSessionMaker = (
  options: SharedSessionOptions
): Layer.Layer<SessionMaker, never, AgentLauncher | HistoryStore> =>
  Layer.effect(
    SessionMaker,
    Effect.gen(function* () {
      const launcher = yield* AgentLauncher
      const histories = yield* HistoryStore
      return {
        make: ({ remember, stored, threadId }) =>
          Effect.gen(function* () {
            const { before, keep } = yield* histories.open(threadId)
            const keepAll = (session: Session) => Effect.flatMap(session.log.history, ({ history }) => keep(history))
            let made: Session | undefined
            // Before the session, so that it comes after its end: of a run that is cut short, what was said is kept.
            yield* Effect.addFinalizer(() => (made === undefined ? Effect.void : keepAll(made)))
            made = yield* makeSession({
              ...options,
              threadId,
              sessionKey: keyOf(threadId),
              cwd: stored?.cwd ?? options.cwd,
              ...(stored === undefined ? {} : { resume: stored.providerSessionId }),
              history: before,
              onRunEnd: keep,
              onProviderSession: (providerSessionId) => remember({ providerSessionId, cwd: stored?.cwd ?? options.cwd })
            }).pipe(Effect.provideService(AgentLauncher, launcher))
            return made
          })
      }
    })
  )

/** A name for a thread that is safe in a path. */
const keyOf = (threadId: string): string => createHash("sha256").update(threadId).digest("base64url").slice(0, 22)

/** Sessions whose threads are forgotten with what was said in them. */
const layerForgetful: Layer.Layer<Sessions, never, Sessions | HistoryStore> = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const histories = yield* HistoryStore
    return {
      ...sessions,
      // In this order a session that is still open keeps nothing more, and none begins with what is forgotten.
      remove: (threadId) => Effect.andThen(histories.remove(threadId), sessions.remove(threadId))
    }
  })
)

/** Where the conversations of a bridge are kept. */
const layerHistory = ({
  history = {},
  indexPath
}: Pick<BridgeOptions, "history" | "indexPath">): Layer.Layer<HistoryStore, HistoryStoreFailed> => {
  const path = history.path ?? (indexPath === undefined ? undefined : `${indexPath}.history`)
  return path === undefined ? HistoryStore.layerMemory(history) : HistoryStore.layer({ ...history, path })
}

/** The sessions of a bridge. */
export const layerBridgeSessions = (
  options: Omit<BridgeOptions, "http">
): Layer.Layer<Sessions, SessionIndexFailed | HistoryStoreFailed, AgentLauncher> => {
  const { indexPath, session, sessions } = options
  const index = indexPath === undefined ? SessionIndex.layerMemory() : SessionIndex.layer({ path: indexPath })
  return layerForgetful.pipe(
    Layer.provide(layerSessions(sessions)),
    Layer.provide(layerSessionMaker(session)),
    // The index first: its lock is the folder's, too.
    Layer.provide(Layer.provideMerge(layerHistory(options), index))
  )
}

/** A bridge that listens. */
export const layerBridge = (
  options: BridgeOptions
): Layer.Layer<HttpServer | Sessions, HttpServerFailed | SessionIndexFailed | HistoryStoreFailed, AgentLauncher> =>
  HttpServer.layer(options.http).pipe(Layer.provideMerge(layerBridgeSessions(options)))
