/** What a bridge keeps in its folder, looked at from outside while none runs. */
import * as Effect from "effect/Effect"
import { Store } from "../../packages/bridge/src/store/Store.ts"
import type { StoredThread } from "../../packages/bridge/src/store/StoredThread.ts"
import { layerSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"

/** Uses the store in a folder. */
export const inStore = <A, E>(
  folder: string,
  use: (store: Store["Service"]) => Effect.Effect<A, E>
): Effect.Effect<A> => Effect.flatMap(Store, use).pipe(Effect.provide(layerSqliteStore({ folder })), Effect.orDie)

/** What is known of a thread. */
export const threadIn = (folder: string, threadId: string): Effect.Effect<StoredThread | undefined> =>
  inStore(folder, (store) => store.thread(threadId))

/** Makes threads, each in a folder. */
export const putThreads = (
  folder: string,
  threads: ReadonlyArray<Pick<StoredThread, "threadId" | "cwd" | "providerSessionId">>
): Effect.Effect<void> =>
  inStore(folder, (store) =>
    Effect.forEach(
      threads,
      (thread) => store.create({ ...thread, options: {}, archived: false, createdAt: 1, activeAt: 1 }),
      { discard: true }
    )
  )
