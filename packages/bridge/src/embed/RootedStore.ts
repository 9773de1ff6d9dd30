/**
 * A store as a bridge sees it: without the threads and workspaces of folders that are not below its roots. A store may be
 * that of many bridges, and roots may change. What else there is does not exist for whoever asks, by whatever way; only
 * its ids are taken.
 *
 * A thread that this bridge has taken was below a root then, and is there until it is given back: its agent works in the
 * real folder, whatever becomes of the path.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { WorkingFolders } from "../process/WorkingFolder.ts"
import type { ProviderConversations } from "../session/ProviderConversations.ts"
import { defaultMaxThreads, type ListedThread, Store, type ThreadPage, type ThreadQuery } from "../store/Store.ts"
import { type StoreFailed, threadMissing } from "../store/StoreErrors.ts"

type Folders = Pick<WorkingFolders, "contains">

/** The same store, without what is not below the roots. */
export const layerRootedStore = (folders: Folders): Layer.Layer<Store, never, Store> =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) => rootedStore(folders, store))
  )

/** The same store, without what is not below the roots. */
export const rootedStore = (folders: Folders, store: Store["Service"]): Store["Service"] => {
  /** The epochs of the threads that were taken here. */
  const held = new Map<string, number>()

  const isSeen =
    (contains: Folders["contains"]) =>
    ({ cwd, threadId }: Pick<ListedThread, "cwd" | "threadId">): Effect.Effect<boolean> =>
      held.has(threadId) ? Effect.succeed(true) : contains(cwd)

  const thread: Store["Service"]["thread"] = (threadId) =>
    Effect.gen(function* () {
      const found = yield* store.thread(threadId)
      return found !== undefined && (yield* isSeen(folders.contains)(found)) ? found : undefined
    })

  /** Does it where the thread is seen; else what is answered where there is none. */
  const where = <A, E>(
    threadId: string,
    effect: Effect.Effect<A, E>,
    otherwise: Effect.Effect<A, E>
  ): Effect.Effect<A, E | StoreFailed> =>
    held.has(threadId)
      ? effect
      : Effect.flatMap(thread(threadId), (found) => (found === undefined ? otherwise : effect))

  const nothing = Effect.succeed([])
  const none = Effect.succeed(0)

  return {
    ...store,
    thread,
    change: (threadId, change) => where(threadId, store.change(threadId, change), Effect.succeed(false)),
    threads: (query = {}) => readThreads(store, isSeen(remembering(folders.contains)), query),
    remove: (threadId) => where(threadId, store.remove(threadId), Effect.succeed(false)),
    claim: (threadId) =>
      Effect.tap(where(threadId, store.claim(threadId), Effect.fail(threadMissing(threadId))), ({ epoch }) =>
        Effect.sync(() => held.set(threadId, epoch))
      ),
    release: (claim) =>
      Effect.suspend(() => {
        if (held.get(claim.threadId) === claim.epoch) held.delete(claim.threadId)
        return store.release(claim)
      }),
    events: (threadId, from, limit) => where(threadId, store.events(threadId, from, limit), nothing),
    next: (threadId) => where(threadId, store.next(threadId), Effect.undefined),
    checkpointBefore: (threadId, seq) => where(threadId, store.checkpointBefore(threadId, seq), Effect.undefined),
    entries: (threadId, query) =>
      where(threadId, store.entries(threadId, query), Effect.succeed({ entries: [], more: false })),
    countEntries: (threadId, query) => where(threadId, store.countEntries(threadId, query), none),
    countMessages: (threadId, query) => where(threadId, store.countMessages(threadId, query), none),
    messageParts: (threadId, ids, except) => where(threadId, store.messageParts(threadId, ids, except), nothing),
    entriesById: (threadId, ids, except) => where(threadId, store.entriesById(threadId, ids, except), nothing),
    workspaces: Effect.flatMap(store.workspaces, (all) => Effect.filter(all, ({ folder }) => folders.contains(folder))),
    workspace: (id) =>
      Effect.gen(function* () {
        const found = yield* store.workspace(id)
        return found !== undefined && (yield* folders.contains(found.folder)) ? found : undefined
      }),
    removeWorkspace: (id) =>
      Effect.gen(function* () {
        const found = yield* store.workspace(id)
        return found !== undefined && (yield* folders.contains(found.folder)) && (yield* store.removeWorkspace(id))
      })
  }
}

/** Asks only once about each folder: many threads are in the same. */
const remembering = (contains: Folders["contains"]): Folders["contains"] => {
  const known = new Map<string, boolean>()
  return (folder) => {
    const answer = known.get(folder)
    return answer === undefined
      ? Effect.tap(contains(folder), (answer) => Effect.sync(() => known.set(folder, answer)))
      : Effect.succeed(answer)
  }
}

/** How many threads are read at once, when the first that were read did not fill the page. */
const furtherThreads = 1000

/** A page of the threads that are seen, as full as it is wanted, however many are not. */
const readThreads = (
  store: Pick<Store["Service"], "threads">,
  isSeen: (thread: ListedThread) => Effect.Effect<boolean>,
  { limit = defaultMaxThreads, ...query }: ThreadQuery
): Effect.Effect<ThreadPage, StoreFailed> =>
  Effect.gen(function* () {
    const seen: Array<ListedThread> = []
    // One more than is wanted says whether there are more.
    let size = limit + 1
    for (let after = query.after; ; size = Math.max(size, furtherThreads)) {
      const page = yield* store.threads({ ...query, ...(after !== undefined && { after }), limit: size })
      for (const thread of page.threads) if (seen.length <= limit && (yield* isSeen(thread))) seen.push(thread)
      after = page.threads.at(-1)
      if (!page.more || seen.length > limit) return { threads: seen.slice(0, limit), more: seen.length > limit }
    }
  })

/** What a provider has kept, without what is not below the roots. */
export const rootedConversations = (
  folders: Folders,
  { list, read }: ProviderConversations
): ProviderConversations => ({
  list: (query) =>
    Effect.gen(function* () {
      const { conversations, next } = yield* list(query)
      return { conversations: yield* Effect.filter(conversations, ({ cwd }) => folders.contains(cwd)), next }
    }),
  read: (providerSessionId) =>
    Effect.gen(function* () {
      const found = yield* read(providerSessionId)
      return found !== undefined && (yield* folders.contains(found.cwd)) ? found : undefined
    })
})
