/**
 * What takes several turns, one after the other: others may come meanwhile, and are to be done after it.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** Does things in the order in which they are run. */
export class InOrder {
  #last: Deferred.Deferred<void> | undefined

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return this.#last === undefined
  }

  /** Does something after all that was run before. */
  run<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const before = this.#last === undefined ? Effect.void : Deferred.await(this.#last)
      const own = Deferred.makeUnsafe<void>()
      this.#last = own
      // What is interrupted while it waits still has its place: what comes after it must not overtake what is before.
      const over = Effect.andThen(
        before,
        Effect.sync(() => {
          if (this.#last === own) this.#last = undefined
          Deferred.doneUnsafe(own, Effect.void)
        })
      )
      return Effect.ensuring(Effect.andThen(before, effect), over)
    })
  }
}
