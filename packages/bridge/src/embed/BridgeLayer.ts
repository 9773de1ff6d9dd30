/**
 * The bridge as one layer: sessions that run agents, and the HTTP server in front of them.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { ApprovalMode } from "../face/agui/AguiThread.ts"
import { makeWorkingFolders, type WorkingFolderRefused, type WorkingFolders } from "../process/WorkingFolder.ts"
import { HttpServer, type HttpServerFailed, type HttpServerOptions } from "../server/HttpServer.ts"
import { type AgentOptions, type BadOption, decodeAgentOptions, encodeAgentOptions } from "../session/AgentOptions.ts"
import { mergeAgentOptions } from "../session/OptionRules.ts"
import { Runtime, StartFailed } from "../session/Runtime.ts"
import type { Session } from "../session/Session.ts"
import { makeSession, type SessionOptions } from "../session/SessionActor.ts"
import { sessionKeyOf } from "../session/SessionKey.ts"
import { layerSessions, SessionMaker, type SessionRegistryOptions } from "../session/SessionRegistry.ts"
import { type SessionChoices, SessionRefused, Sessions } from "../session/Sessions.ts"
import { HistoryStore, type HistoryStoreFailed, type HistoryStoreOptions } from "../store/HistoryStore.ts"
import { SessionIndex, type SessionIndexFailed, type StoredSession } from "../store/SessionIndex.ts"

/** What all sessions of a bridge have in common. */
export interface SharedSessionOptions
  extends Omit<
    SessionOptions,
    | "threadId"
    | "sessionKey"
    | "findFolder"
    | "own"
    | "resume"
    | "title"
    | "transcript"
    | "canAsk"
    | "onTurnEnd"
    | "onIdentity"
  > {
  /** How questions reach a person. Default `deny`: an application that cannot answer must not be asked. */
  readonly approvals?: ApprovalMode
}

/** What may be chosen about a bridge. */
export interface BridgeOptions {
  readonly session: SharedSessionOptions
  /** Agents work below these folders only. Default: the folder of `session`. */
  readonly roots?: ReadonlyArray<string>
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
const layerSessionMaker = (
  { approvals = "deny", ...options }: SharedSessionOptions,
  folders: WorkingFolders
): Layer.Layer<SessionMaker, never, Runtime | HistoryStore> =>
  Layer.effect(
    SessionMaker,
    Effect.gen(function* () {
      const runtime = yield* Runtime
      const histories = yield* HistoryStore
      return {
        agentName: runtime.name,
        make: ({ choices, remember, stored, threadId }) =>
          Effect.gen(function* () {
            const { cwd = options.cwd, mode = options.mode } = stored ?? choices
            const own =
              stored === undefined ? Result.succeed(choices.agent ?? {}) : decodeAgentOptions(stored.agent ?? {})
            const agent = Result.getOrElse(own, () => ({}))
            const kept = { cwd, ...(mode !== undefined && { mode }), ...storedAgent(agent) }
            const { before, keep } = yield* histories.open(threadId)
            let made: Session | undefined
            // Added before the session, so that it runs after its end: what was said in a turn that was cut short is kept.
            yield* Effect.addFinalizer(() =>
              made === undefined || made.log.next() === 0 ? Effect.void : keep(made.log.moment().transcript)
            )
            made = yield* makeSession({
              ...options,
              cwd,
              ...(mode !== undefined && { mode }),
              agent: mergeAgentOptions(options.agent, agent),
              own: agent,
              canAsk: approvals !== "deny",
              // A thread from before may have been in another folder.
              findFolder: (folder) =>
                Effect.mapError(
                  Effect.gen(function* () {
                    const { addDirs = [] } = yield* Effect.fromResult(own)
                    for (const further of addDirs) yield* folders.resolve(further)
                    return yield* folders.resolve(folder)
                  }),
                  ({ code, message }) => new StartFailed({ code, message })
                ),
              threadId,
              sessionKey: sessionKeyOf(threadId),
              ...(stored?.providerSessionId !== undefined && { resume: stored.providerSessionId }),
              ...(stored?.title !== undefined && { title: stored.title }),
              transcript: before,
              onTurnEnd: keep,
              onIdentity: ({ agent: chosen, providerSessionId, title }) =>
                remember({
                  ...kept,
                  ...storedAgent({ ...agent, ...chosen }),
                  ...(providerSessionId !== undefined && { providerSessionId }),
                  ...(title !== undefined && { title })
                })
            }).pipe(Effect.provideService(Runtime, runtime))
            // What a session was made with outlives a restart, even when nobody has spoken to it.
            if (stored === undefined) yield* remember(kept)
            return made
          })
      }
    })
  )

/** What is kept of the choices about an agent. */
const storedAgent = (agent: AgentOptions): Pick<StoredSession, "agent"> =>
  Object.keys(agent).length === 0 ? {} : { agent: encodeAgentOptions(agent) }

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

/** The same sessions; one for a folder that is not below a root, or with options that do not fit, is refused. */
const layerCheckedSessions = (folders: WorkingFolders): Layer.Layer<Sessions, never, Sessions> => {
  const check = checkChoices(folders)
  return Layer.effect(
    Sessions,
    Effect.map(Sessions, (sessions) => ({
      ...sessions,
      open: (threadId, choices) =>
        choices === undefined
          ? sessions.open(threadId)
          : Effect.flatMap(check(choices), (checked) => sessions.open(threadId, checked)),
      create: (threadId, choices) => Effect.flatMap(check(choices), (checked) => sessions.create(threadId, checked))
    }))
  )
}

/** Choices that may be had: options that fit, and real folders below the roots. */
const checkChoices =
  (folders: WorkingFolders) =>
  (choices: SessionChoices): Effect.Effect<SessionChoices, SessionRefused> =>
    Effect.gen(function* () {
      const agent = yield* Effect.mapError(
        Effect.fromResult(decodeAgentOptions(choices.agent ?? {})),
        ({ message }) => new SessionRefused({ code: "BAD_OPTION", message })
      )
      const folder = (path: string) =>
        Effect.mapError(folders.resolve(path), ({ code, message }) => new SessionRefused({ code, message }))
      const addDirs = agent.addDirs === undefined ? undefined : yield* Effect.forEach(agent.addDirs, folder)
      const cwd = choices.cwd === undefined ? undefined : yield* folder(choices.cwd)
      return {
        ...choices,
        ...(cwd !== undefined && { cwd }),
        agent: { ...agent, ...(addDirs !== undefined && { addDirs }) }
      }
    })

/** Where the conversations of a bridge are kept. */
const layerHistory = ({
  history = {},
  indexPath
}: Pick<BridgeOptions, "history" | "indexPath">): Layer.Layer<HistoryStore, HistoryStoreFailed> => {
  const path = history.path ?? (indexPath === undefined ? undefined : `${indexPath}.history`)
  return path === undefined ? HistoryStore.layerMemory(history) : HistoryStore.layer({ ...history, path })
}

/** Why a bridge does not start. */
export type BridgeFailed = SessionIndexFailed | HistoryStoreFailed | WorkingFolderRefused | BadOption

/** The sessions of a bridge. */
export const layerBridgeSessions = (
  options: Omit<BridgeOptions, "http">
): Layer.Layer<Sessions, BridgeFailed, Runtime> => {
  const { indexPath, roots = [options.session.cwd], session, sessions } = options
  const index = indexPath === undefined ? SessionIndex.layerMemory() : SessionIndex.layer({ path: indexPath })
  const folders = Effect.andThen(Effect.fromResult(decodeAgentOptions(session.agent ?? {})), makeWorkingFolders(roots))
  return Layer.unwrap(
    Effect.map(folders, (folders) =>
      layerCheckedSessions(folders).pipe(
        Layer.provide(layerForgetful),
        Layer.provide(layerSessions(sessions)),
        Layer.provide(layerSessionMaker(session, folders)),
        // The index first: its lock is the folder's, too.
        Layer.provide(Layer.provideMerge(layerHistory(options), index))
      )
    )
  )
}

/** A bridge that listens. */
export const layerBridge = (
  options: BridgeOptions
): Layer.Layer<HttpServer | Sessions, HttpServerFailed | BridgeFailed, Runtime> =>
  HttpServer.layer({ approvals: options.session.approvals ?? "deny", ...options.http }).pipe(
    Layer.provideMerge(layerBridgeSessions(options))
  )
