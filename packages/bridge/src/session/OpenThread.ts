/**
 * Takes a thread of the store, to run a session on it. It is given back with the scope.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Claim, Store } from "../store/Store.ts"
import type { StoredThread } from "../store/StoredThread.ts"
import type { StoreFailed, ThreadElsewhere } from "../store/StoreErrors.ts"

/** Takes a thread, which is made as this one when there is none. */
export const openThread = <E = StoreFailed>(
  store: Pick<Store["Service"], "claim" | "release"> & {
    readonly create: (thread: StoredThread) => Effect.Effect<boolean, E>
  },
  thread: StoredThread
): Effect.Effect<Claim, ThreadElsewhere | StoreFailed | E, Scope.Scope> => {
  const take: Effect.Effect<Claim, ThreadElsewhere | StoreFailed | E> = Effect.catchTag(
    store.claim(thread.threadId),
    "ThreadMissing",
    // Somebody may make it meanwhile, or remove it again.
    () => Effect.flatMap(store.create(thread), () => take)
  )
  return Effect.acquireRelease(take, (claim) =>
    Effect.catch(store.release(claim), ({ code, message }) =>
      // It is free once this bridge gives no sign of life any more.
      Effect.annotateLogs(Effect.logWarning(`A thread could not be given back: ${message}`), { code })
    )
  )
}
