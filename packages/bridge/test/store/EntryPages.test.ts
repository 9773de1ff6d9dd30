import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { newestThatFit } from "../../src/store/EntryPages.ts"
import { said } from "./Samples.ts"

describe("the newest entries that fit", () => {
  it.live("are as many as there may be, and the newest however large it is", () =>
    Effect.gen(function* () {
      const all = [said(0), said(1, "é".repeat(500_000)), said(2), said(3)]
      const bytes = all.map(({ entry }) => Buffer.byteLength(JSON.stringify(entry)))
      const sum = (from: number): number => bytes.slice(from).reduce((one, other) => one + other, 0)
      for (let from = 0; from < all.length; from++) {
        assert.deepStrictEqual(yield* newestThatFit(all, 10, sum(from)), all.slice(from))
        assert.deepStrictEqual(yield* newestThatFit(all, 10, sum(from) - 1), all.slice(Math.min(from + 1, 3)))
        assert.deepStrictEqual(yield* newestThatFit(all, 4 - from, 1e9), all.slice(from))
      }
      assert.deepStrictEqual(yield* newestThatFit([], 10, 10), [])
    })
  )
})
