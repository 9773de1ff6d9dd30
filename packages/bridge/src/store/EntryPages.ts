/**
 * The newest entries of a list that fit.
 */
import * as Effect from "effect/Effect"
import { sizeInTurns } from "../eventloop/LongJson.ts"
import type { PlacedEntry } from "./Store.ts"

/** The newest entries that fit: so many, and so many bytes as JSON in UTF-8. The newest is given even when it is larger. */
export const newestThatFit = (
  all: ReadonlyArray<PlacedEntry>,
  maxEntries: number,
  maxBytes: number
): Effect.Effect<ReadonlyArray<PlacedEntry>> =>
  Effect.gen(function* () {
    let bytes = 0
    let from = all.length
    for (; from > 0 && all.length - from < maxEntries; from--) {
      bytes += (yield* sizeInTurns(all[from - 1]?.entry)).bytes
      if (bytes > maxBytes && from < all.length) break
    }
    return all.slice(from)
  })
