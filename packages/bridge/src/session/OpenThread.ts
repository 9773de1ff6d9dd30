/**
 * Takes a thread of the store, to run a session on it. It is given back with the scope.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Claim, Store } from "../store/Store.ts"
import type { StoredThread } from "../store/StoredThread.ts"
import type { StoreFailed, ThreadElsewhere } from "../store/StoreErrors.ts"
import { SessionRefused } from "./SessionRefused.ts"

/** There is a thread of this id. It may be one that only others can use. */
export const threadExists = new SessionRefused({
  code: "THREAD_EXISTS",
  message:
    "A thread with this id exists already. If it is not in the list, its folder is not below a root of this bridge: choose another id."
})

/** Takes a thread, which is made as this one when there is none. */
export const openThread = <E = StoreFailed>(
  store: Pick<Store["Service"], "claim" | "release"> & {
    readonly create: (thread: StoredThread) => Effect.Effect<boolean, E>
  },
  thread: StoredThread
): Effect.Effect<Claim, ThreadElsewhere | StoreFailed | SessionRefused | E, Scope.Scope> => {
  const claim = store.claim(thread.threadId)
  const take: Effect.Effect<Claim, ThreadElsewhere | StoreFailed | SessionRefused | E> = Effect.catchTag(
    claim,
    "ThreadMissing",
    () =>
      Effect.flatMap(store.create(thread), (isNew) =>
        // Somebody may remove it again. What is there all the same, and cannot be had, is another's.
        isNew ? take : Effect.catchTag(claim, "ThreadMissing", () => Effect.fail(threadExists))
      )
  )
  return Effect.acquireRelease(take, (claim) =>
    Effect.catch(store.release(claim), ({ code, message }) =>
      // It is free once this bridge gives no sign of life any more.
      Effect.annotateLogs(Effect.logWarning(`A thread could not be given back: ${message}`), { code })
    )
  )
}
