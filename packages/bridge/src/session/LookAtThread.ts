/**
 * Looks at what was said in a thread. Nothing is started for it, and the thread need not be open here: another bridge may
 * have it.
 */
import * as Effect from "effect/Effect"
import { type EntryView, mapViewError } from "../log/EntryView.ts"
import { lookAtStored } from "../log/StoredThreadTail.ts"
import type { Store } from "../store/Store.ts"
import type { Session } from "./Session.ts"
import { refused, type SessionRefused } from "./SessionRefused.ts"

/** What was said in a thread. */
export interface SeenThread {
  readonly view: EntryView<SessionRefused>
  /** When the thread was made, in milliseconds since 1970. */
  readonly createdAt: number
}

/** Looks at a thread. What is done with it may be done again. Undefined: there is no such thread. */
export type LookAtThread = <A>(
  threadId: string,
  use: (seen: SeenThread) => Effect.Effect<A, SessionRefused>
) => Effect.Effect<A | undefined, SessionRefused>

/** Looks at the threads of a store. `openHere`: the session of a thread that is open here. */
export const makeLookAtThread =
  (store: Store["Service"], openHere: (threadId: string) => Effect.Effect<Session | undefined>): LookAtThread =>
  (threadId, use) =>
    Effect.gen(function* () {
      const session = yield* openHere(threadId)
      const createdAt = session?.createdAt ?? (yield* store.thread(threadId))?.createdAt
      if (createdAt === undefined) return undefined
      return yield* session === undefined
        ? lookAtStored(store, threadId, (view) => use({ view: mapViewError(view, refused), createdAt }))
        : session.log.look((view) => use({ view: mapViewError(view, refused), createdAt }))
    }).pipe(Effect.mapError(refused))
