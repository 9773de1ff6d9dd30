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
import { kindProblem } from "../session/Runtimes.ts"
import { makeSession } from "../session/SessionActor.ts"
import { sessionKeyOf } from "../session/SessionKey.ts"
import type { SessionOptions } from "../session/SessionOptions.ts"
import { refused } from "../session/SessionRefused.ts"
import { layerSessions, SessionMaker, type SessionRegistryOptions } from "../session/SessionRegistry.ts"
import { Sessions } from "../session/Sessions.ts"
import { keptOptions } from "../session/StoredOptions.ts"
import { layerMemoryStore } from "../store/memory/MemoryStore.ts"
import { Store } from "../store/Store.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import { checkChoices } from "./CheckedChoices.ts"
import { layerRootedStore, rootedConversations } from "./RootedStore.ts"

/** What all sessions of a bridge have in common. */
export interface SharedSessionOptions extends Omit<SessionOptions, "claim" | "sessionKey" | "findFolder" | "canAsk"> {
  /** How questions reach a person. Default `deny`: an application that cannot answer must not be asked. */
  readonly approvals?: ApprovalMode
  /**
   * Makes the folder of a session ready before its agent starts, each time, such as with `prepareWorkspace`. Which sessions
   * want it is its to say. An agent whose folder cannot be made ready does not start, and the run ends with the code.
   */
  readonly prepare?: (session: PreparedSession) => Effect.Effect<unknown, PreparationFailed>
}

/** A session whose agent is about to start. */
export interface PreparedSession {
  readonly threadId: string
  /** The real path of its folder. */
  readonly folder: string
  /** The kind of its agent, such as `codex`. */
  readonly runtime: string
  /** What it is for, where that was said. */
  readonly mode: string | undefined
}

/** Why a folder is not ready, such as `WorkspaceRefused`. */
export interface PreparationFailed {
  readonly code: string
  readonly message: string
}

/** What may be chosen about a bridge. */
export interface BridgeOptions {
  readonly session: SharedSessionOptions
  /** Agents work below these folders only. Default: the folder of `session`. */
  readonly roots?: ReadonlyArray<string>
  readonly sessions?: SessionRegistryOptions
  /** Where threads are kept, such as `layerSqliteStore`. Default: in memory, and they end with the bridge. */
  readonly store?: Layer.Layer<Store, StoreFailed>
  readonly http: HttpServerOptions
}

/** Makes sessions that run agents. */
const layerSessionMaker = (
  { approvals = "deny", prepare, ...options }: SharedSessionOptions,
  folders: WorkingFolders
): Layer.Layer<SessionMaker, never, Runtime | Store> =>
  Layer.effect(
    SessionMaker,
    Effect.gen(function* () {
      const runtime = yield* Runtime
      const store = yield* Store
      return {
        agentName: runtime.name,
        agents: runtime.agents,
        conversations:
          runtime.conversations === undefined ? undefined : rootedConversations(folders, runtime.conversations),
        folder: (cwd) => Effect.mapError(folders.resolve(cwd), refused),
        // Kept by name where there is a choice: another bridge may have another first one.
        terms: ({ agent = {}, cwd = options.cwd, mode = options.mode }) => ({
          cwd,
          ...(mode !== undefined && { mode }),
          options: encodeAgentOptions(runtime.kinds === undefined ? agent : { runtime: runtime.kind, ...agent })
        }),
        make: (claim) => {
          const { cwd, mode, threadId } = claim.thread
          const own = keptOptions(claim.thread)
          const { mode: _, ...shared } = options
          const chosen = Result.getOrElse(own, () => ({}) as AgentOptions)
          // What all sessions have in common is about the agents of the first kind: others know other models.
          const isFirst = (chosen.runtime ?? runtime.kind) === runtime.kind
          return makeSession({
            ...shared,
            claim,
            cwd,
            ...(mode !== undefined && { mode }),
            agent: mergeAgentOptions(isFirst ? options.agent : {}, chosen),
            canAsk: approvals !== "deny",
            // A thread from before may have been in another folder.
            findFolder: (folder) =>
              Effect.mapError(
                Effect.gen(function* () {
                  const { addDirs = [], runtime: kind } = yield* Effect.fromResult(own)
                  // A thread from before may have been with an agent that this bridge does not have.
                  const problem = kindProblem(runtime, kind)
                  if (problem !== undefined) return yield* Effect.fail(problem)
                  for (const further of addDirs) yield* folders.resolve(further)
                  const resolved = yield* folders.resolve(folder)
                  const session = { threadId, folder: resolved, runtime: kind ?? runtime.kind, mode }
                  if (prepare !== undefined) yield* prepare(session)
                  return resolved
                }),
                ({ code, message }) => new StartFailed({ code, message })
              ),
            sessionKey: sessionKeyOf(threadId)
          }).pipe(Effect.provideService(Runtime, runtime), Effect.provideService(Store, store))
        }
      }
    })
  )

/** The same sessions; one for a folder that is not below a root, or with options that do not fit, is refused at once. */
const layerCheckedSessions = (folders: WorkingFolders): Layer.Layer<Sessions, never, Runtime | Sessions> =>
  Layer.effect(
    Sessions,
    Effect.map(Effect.all([Sessions, Runtime]), ([sessions, runtime]) => ({
      ...sessions,
      open: (threadId, choices) =>
        choices === undefined
          ? sessions.open(threadId)
          : Effect.flatMap(checkChoices(folders, choices, runtime), (checked) => sessions.open(threadId, checked)),
      create: (threadId, choices) =>
        Effect.flatMap(checkChoices(folders, choices, runtime), (checked) => sessions.create(threadId, checked)),
      adopt: ({ agent = {}, ...request }) =>
        Effect.flatMap(checkChoices(folders, { agent }, runtime), (checked) =>
          sessions.adopt({ ...request, agent: checked.agent })
        )
    }))
  )

/** Why a bridge does not start. */
export type BridgeFailed = StoreFailed | WorkingFolderRefused | BadOption

/** The sessions of a bridge. */
export const layerBridgeSessions = (
  options: Omit<BridgeOptions, "http">
): Layer.Layer<Sessions, BridgeFailed, Runtime> => {
  const { roots = [options.session.cwd], session, sessions, store = layerMemoryStore() } = options
  const checked = Effect.andThen(Effect.fromResult(decodeAgentOptions(session.agent ?? {})), makeWorkingFolders(roots))
  return Layer.unwrap(
    Effect.map(checked, (folders) =>
      layerCheckedSessions(folders).pipe(
        Layer.provide(layerSessions(sessions)),
        Layer.provide(layerSessionMaker(session, folders)),
        Layer.provide(layerRootedStore(folders)),
        Layer.provide(store)
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
