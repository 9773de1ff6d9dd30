/**
 * Long work in short steps, so that nobody waits for the end of it: there is one event loop for all connections.
 */
import * as Effect from "effect/Effect"

/** Lets the event loop go round once. */
export const othersFirst: Effect.Effect<void> = Effect.callback<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

/**
 * Work that can be left between two of its steps: each `yield` is a place where others may have their turn. Whoever runs it
 * decides whether they get it.
 */
export type Steps<A> = Generator<void, A>

/** Takes all steps at once. */
export const allAtOnce = <A>(steps: Steps<A>): A => {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Takes steps, each in a turn of its own. */
export const inTurns = <A>(begin: () => Steps<A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const steps = begin()
    const go: Effect.Effect<A> = Effect.suspend(() => {
      const { done, value } = steps.next()
      return done === true ? Effect.succeed(value) : Effect.andThen(othersFirst, go)
    })
    return go
  })

/** How long one turn of such work is, in milliseconds: a fraction of what anybody should have to wait. */
export const turnMillis = 10

/**
 * Does something with each item of a list, in turns, until it finds something; undefined when it finds nothing. `now`:
 * the time in milliseconds.
 */
export const findInTurns = <A, B>(
  items: ReadonlyArray<A>,
  find: (item: A, index: number) => B | undefined,
  now: () => number = () => performance.now()
): Effect.Effect<B | undefined> =>
  Effect.gen(function* () {
    let began = now()
    for (const [index, item] of items.entries()) {
      const found = find(item, index)
      if (found !== undefined) return found
      if (now() - began < turnMillis) continue
      yield* othersFirst
      began = now()
    }
    return undefined
  })
