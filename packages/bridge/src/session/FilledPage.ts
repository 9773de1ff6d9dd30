/**
 * Pages of a list of which not everything is shown: as full as they are wanted, however much of the list is left out.
 */
import * as Effect from "effect/Effect"

/** A part of a list. */
export interface ListPage<A> {
  readonly items: ReadonlyArray<A>
  /** What to ask for the next part with; undefined when there is none. */
  readonly before: string | undefined
}

/** A page of what is kept of a list, which is read in parts. */
export const filledPage = <A, E, F>(
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
  read: (before: string | undefined, limit: number) => Effect.Effect<ListPage<A>, E>,
  keep: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<A>, F>
): Effect.Effect<ListPage<A>, E | F> =>
  Effect.gen(function* () {
    const kept: Array<A> = []
    for (let at = before; ; ) {
      // No more than fit: the part that fills the page ends where the next one begins.
      const part = yield* read(at, limit - kept.length)
      kept.push(...(yield* keep(part.items)))
      at = part.before
      if (at === undefined || kept.length >= limit) return { items: kept, before: at }
    }
  })
