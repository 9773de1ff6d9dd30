import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { delimiter, join, relative } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { findProgram } from "../../src/process/FindProgram.ts"
import { emptyFolder } from "../Folder.ts"

/** A folder with folders, each with a program of this name, executable or not. */
const withPrograms = (programs: Readonly<Record<string, "executable" | "plain" | "folder">>) =>
  Effect.map(emptyFolder, (root) => {
    for (const [folder, kind] of Object.entries(programs)) {
      const file = join(root, folder, "tool")
      mkdirSync(kind === "folder" ? file : join(root, folder), { recursive: true })
      if (kind !== "folder") writeFileSync(file, "#!/bin/sh\n")
      if (kind === "executable") chmodSync(file, 0o755)
    }
    return {
      root,
      find: (folders: ReadonlyArray<string>, without?: string) => {
        const path = folders.map((folder) => join(root, folder)).join(delimiter)
        const found = findProgram("tool", { path, ...(without !== undefined && { without: join(root, without) }) })
        return found === undefined ? undefined : relative(root, found)
      }
    }
  })

describe("a program", () => {
  it.effect("is the first of the PATH that may be executed", () =>
    Effect.gen(function* () {
      const { find } = yield* withPrograms({ a: "folder", b: "plain", c: "executable", d: "executable" })
      assert.strictEqual(find(["none", "a", "b", "c", "d"]), join("c", "tool"))
      assert.strictEqual(find(["d", "c"]), join("d", "tool"))
      assert.strictEqual(find(["c", "d"], "c"), join("d", "tool"))
      assert.strictEqual(find(["none", "a"]), undefined)
    })
  )

  it.effect("that may not be executed is better than none: who starts it is told why not", () =>
    Effect.gen(function* () {
      const { find } = yield* withPrograms({ b: "plain" })
      assert.strictEqual(find(["none", "b"]), join("b", "tool"))
    })
  )

  it.effect("is not looked for in folders that depend on where one is", () =>
    Effect.gen(function* () {
      const { root } = yield* withPrograms({ c: "executable" })
      const path = ["", ".", relative(process.cwd(), join(root, "c"))].join(delimiter)
      assert.strictEqual(findProgram("tool", { path }), undefined)
    })
  )

  it.effect("with a slash is a path", () =>
    Effect.gen(function* () {
      const { root } = yield* withPrograms({ b: "plain", a: "folder" })
      const file = join(root, "b", "tool")
      assert.strictEqual(findProgram(file, { path: "" }), file)
      assert.strictEqual(findProgram(relative(process.cwd(), file), { path: "" }), file)
      assert.strictEqual(findProgram(join(root, "a", "tool"), { path: "" }), undefined)
    })
  )
})
