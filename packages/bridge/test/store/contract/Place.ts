/** Where stores keep things, for the suite that every store runs. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { StoreFailed } from "../../../src/store/StoreErrors.ts"
import { type OpenStore, thread } from "../Samples.ts"

/** Where a store keeps things. It can be opened again, and by several bridges at a time. */
export interface Place {
  readonly open: (options?: { readonly lease?: Duration.Input }) => Effect.Effect<OpenStore, StoreFailed, Scope.Scope>
}

/** Makes a place with nothing in it. */
export type PlaceMaker = Effect.Effect<Place, never, Scope.Scope>

/** With one bridge. */
export const alone = <A, E>(place: PlaceMaker, use: (store: OpenStore) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.gen(function* () {
    return yield* use(yield* (yield* place).open())
  })

/** A claim of a thread `a`, which is made for it. */
export const claimed = (store: OpenStore) => Effect.andThen(store.create(thread("a")), store.claim("a"))
