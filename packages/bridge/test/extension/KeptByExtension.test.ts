/** Each extension keeps its own things, within its limits. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { memoryDocuments } from "../../src/extension/Documents.ts"
import { KeptByExtension, ownerOf } from "../../src/extension/KeptByExtension.ts"

const limits = { maxDocuments: 2, maxDocumentCharacters: 10 }

describe("KeptByExtension", () => {
  it.effect("keeps what is its own", () =>
    Effect.gen(function* () {
      const documents = memoryDocuments()
      const kept = new KeptByExtension(documents)
      yield* kept.do("a", limits, "set", { key: "k", value: 1 })
      yield* kept.do("b", limits, "set", { key: "k", value: 2 })
      expect(yield* kept.do("a", limits, "get", { key: "k" })).toBe(1)
      expect(yield* documents.list(ownerOf("b"))).toEqual([{ key: "k", value: 2 }])
      yield* kept.do("a", limits, "delete", { key: "k" })
      expect(yield* kept.do("a", limits, "list", {})).toEqual([])
    })
  )

  it.effect("refuses what is too much, and replaces what is there", () =>
    Effect.gen(function* () {
      const kept = new KeptByExtension(memoryDocuments())
      const set = (key: unknown, value: unknown) => kept.do("a", limits, "set", { key, value })
      for (const key of ["one", "two", "two"]) yield* set(key, 1)
      for (const [key, value, code] of [
        ["three", 1, "EXTENSION_BUSY"],
        ["one", "x".repeat(9), "EXTENSION_BUSY"],
        ["../one", 1, "EXTENSION_BAD_REQUEST"],
        [".one", 1, "EXTENSION_BAD_REQUEST"],
        [7, 1, "EXTENSION_BAD_REQUEST"]
      ] as const)
        expect(yield* Effect.flip(set(key, value))).toMatchObject({ code })
    })
  )
})
