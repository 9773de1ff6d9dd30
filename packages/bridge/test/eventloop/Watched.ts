/** Counts what is done in each turn of the event loop. */
import * as Effect from "effect/Effect"

/** What was counted. */
export interface TurnCount {
  /** Adds to what is done in this turn. */
  readonly add: (amount: number) => void
  /** The most that was done in one turn, and in how many turns anything was. */
  readonly most: () => { readonly most: number; readonly turns: number }
}

/** Counts for as long as the scope is open. */
export const countTurns = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const turns: Array<number> = []
      let now = 0
      const watch = { immediate: setImmediate(() => undefined) }
      const turn = (): void => {
        if (now > 0) turns.push(now)
        now = 0
        watch.immediate = setImmediate(turn)
      }
      turn()
      const count: TurnCount = {
        add: (amount) => {
          now += amount
        },
        most: () => ({ most: Math.max(0, now, ...turns), turns: turns.length + (now > 0 ? 1 : 0) })
      }
      return { count, watch }
    }),
    ({ watch }) => Effect.sync(() => clearImmediate(watch.immediate))
  ),
  ({ count }) => count
)
