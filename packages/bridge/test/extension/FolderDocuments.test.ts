/** Documents of both kinds do the same, and those of a folder outlive whoever wrote them. */
import { readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Documents, memoryDocuments } from "../../src/extension/Documents.ts"
import { folderDocuments } from "../../src/extension/FolderDocuments.ts"
import { folder } from "./Hosting.ts"

const kinds: ReadonlyArray<readonly [string, (path: string) => Documents]> = [
  ["in memory", () => memoryDocuments()],
  ["in a folder", folderDocuments]
]

describe.each(kinds)("documents %s", (_, make) => {
  it.live("are put, replaced, listed and removed, by their owners", () =>
    Effect.gen(function* () {
      const documents = make(yield* folder)
      expect(yield* documents.list("a")).toEqual([])
      expect(yield* documents.get("a", "x")).toBeUndefined()
      yield* documents.put("a", "x", { n: 1 })
      yield* documents.put("a", "x", { n: 2 })
      yield* documents.put("a", "w", [null])
      yield* documents.put("b", "x", "other")
      expect(yield* documents.get("a", "x")).toEqual({ n: 2 })
      expect(yield* documents.list("a")).toEqual([
        { key: "w", value: [null] },
        { key: "x", value: { n: 2 } }
      ])
      yield* documents.remove("a", "x")
      yield* documents.remove("a", "never there")
      expect(yield* documents.get("a", "x")).toBeUndefined()
      expect(yield* documents.get("b", "x")).toBe("other")
    }).pipe(Effect.scoped)
  )
})

describe("documents in a folder", () => {
  it.live("are there for whoever comes next, for nobody else, and what was begun is none", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "kept")
      yield* folderDocuments(path).put("a", "x", 1)
      expect(statSync(join(path, "a")).mode & 0o777).toBe(0o700)
      expect(statSync(join(path, "a", "x.json")).mode & 0o777).toBe(0o600)
      // A process was killed as it wrote.
      writeFileSync(join(path, "a", "y.json.123.1"), '{"half')
      expect(yield* folderDocuments(path).list("a")).toEqual([{ key: "x", value: 1 }])
      expect(readdirSync(join(path, "a"))).toContain("x.json")
    }).pipe(Effect.scoped)
  )

  it.live("say what is wrong with the folder", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "file")
      writeFileSync(path, "")
      expect(yield* Effect.flip(folderDocuments(path).put("a", "x", 1))).toMatchObject({
        code: "EXTENSION_STORE_FAILED"
      })
      expect(yield* Effect.flip(folderDocuments(path).list("a"))).toMatchObject({ code: "EXTENSION_STORE_FAILED" })
    }).pipe(Effect.scoped)
  )
})
