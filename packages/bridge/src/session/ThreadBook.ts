/**
 * The threads of a store, each in the workspace of its folder: making them, listing them, and forgetting them.
 */
import * as Effect from "effect/Effect"
import type { Batch, Claim, ListedThread, Store } from "../store/Store.ts"
import type { StoredThread } from "../store/StoredThread.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import type { SessionStatus } from "./Session.ts"
import { readSessionPage, type SessionPage, type SessionQuery, type SessionSummary, summaryOf } from "./SessionList.ts"
import { refused, type SessionRefused } from "./SessionRefused.ts"
import { makeWorkspaces, type Workspaces, workspaceIdOf } from "./Workspaces.ts"

/** The threads of a store. */
export interface ThreadBook {
  readonly workspaces: Workspaces
  /** Makes a thread, with what was said in it before. False: there is one of this id. */
  readonly add: (
    thread: StoredThread,
    beginning?: Pick<Batch, "checkpoint" | "entries">
  ) => Effect.Effect<boolean, StoreFailed | SessionRefused>
  /** Gives a thread a workspace that is from before there were any. */
  readonly settle: (claim: Claim) => Effect.Effect<void, StoreFailed | SessionRefused>
  /** Forgets a thread. False: there was none. */
  readonly forget: (threadId: string) => Effect.Effect<boolean, SessionRefused>
  /** A thread as a list shows it; undefined: there is none. */
  readonly summary: (threadId: string) => Effect.Effect<SessionSummary | undefined, StoreFailed>
  readonly page: (query: SessionQuery) => Effect.Effect<SessionPage, SessionRefused>
  /** All threads, that with the newest message first. */
  readonly list: Effect.Effect<ReadonlyArray<SessionSummary>, SessionRefused>
}

/** How many threads are read at once. */
const pageSize = 1000

/** The threads of a store. `folderOf`: where a path leads. `statusOf`: what the session of a thread is doing. */
export const makeThreadBook = (
  store: Store["Service"],
  folderOf: (cwd: string) => Effect.Effect<string, SessionRefused>,
  statusOf: (threadId: string) => Effect.Effect<SessionStatus>
): ThreadBook => {
  const keeper = makeWorkspaces(store)

  /** The folder of a thread's workspace. One that is gone has a workspace, too; one where agents may not work has none. */
  const workspaceFolder = (cwd: string): Effect.Effect<string, SessionRefused> =>
    Effect.catchIf(
      folderOf(cwd),
      ({ code }) => code !== "CWD_OUTSIDE_ROOTS",
      () => Effect.succeed(cwd)
    )

  const summaryIn = (thread: ListedThread): Effect.Effect<SessionSummary> =>
    Effect.map(statusOf(thread.threadId), (status) => summaryOf(thread, status))

  return {
    workspaces: {
      list: keeper.list,
      get: keeper.get,
      ofFolder: (path, name) => Effect.flatMap(folderOf(path), (folder) => keeper.ofFolder(folder, name)),
      change: keeper.change,
      remove: keeper.remove
    },
    add: (thread, beginning) =>
      Effect.gen(function* () {
        const folder = yield* workspaceFolder(thread.cwd)
        const isNew = yield* store.create({ ...thread, workspaceId: workspaceIdOf(folder) }, beginning)
        if (isNew) yield* keeper.enter(folder, thread.threadId)
        return isNew
      }),
    settle: ({ thread, threadId }) =>
      Effect.gen(function* () {
        if (thread.workspaceId !== undefined) return
        const { id } = yield* keeper.ofFolder(yield* workspaceFolder(thread.cwd))
        yield* store.change(threadId, { workspaceId: id })
      }),
    forget: (threadId) =>
      Effect.gen(function* () {
        const workspaceId = (yield* store.thread(threadId))?.workspaceId
        const wasThere = yield* store.remove(threadId)
        if (workspaceId !== undefined) yield* keeper.leave(workspaceId, threadId)
        return wasThere
      }).pipe(Effect.mapError(refused)),
    summary: (threadId) =>
      Effect.flatMap(store.thread(threadId), (thread) => (thread === undefined ? Effect.undefined : summaryIn(thread))),
    page: (query) => Effect.mapError(readSessionPage(store, statusOf, query), refused),
    list: Effect.gen(function* () {
      const all: Array<ListedThread> = []
      for (;;) {
        const after = all.at(-1)
        const page = yield* store.threads({ limit: pageSize, ...(after !== undefined && { after }) })
        all.push(...page.threads)
        if (!page.more) return yield* Effect.forEach(all, summaryIn)
      }
    }).pipe(Effect.mapError(refused))
  }
}
