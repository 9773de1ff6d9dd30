import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { makeWorkingFolders } from "../../src/process/WorkingFolder.ts"

/** A folder for one test: `root` is allowed, `root-2` and `outside` are not. */
const place = Effect.acquireRelease(
  Effect.sync(() => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "working-folder-")))
    for (const path of ["root/a/b", "root/~", "root/..b", "root-2/a", "outside/deep"])
      mkdirSync(join(base, path), { recursive: true })
    writeFileSync(join(base, "root/file"), "")
    writeFileSync(join(base, "outside/file"), "")
    symlinkSync(join(base, "outside"), join(base, "root/out"))
    symlinkSync("../../outside", join(base, "root/a/out"))
    symlinkSync(join(base, "root/a"), join(base, "root/in"))
    symlinkSync(join(base, "root/a"), join(base, "outside/back"))
    symlinkSync(join(base, "nowhere"), join(base, "root/dangling"))
    symlinkSync(join(base, "root/loop"), join(base, "root/loop"))
    symlinkSync(join(base, "root"), join(base, "linked-root"))
    return base
  }),
  (base) => Effect.sync(() => rmSync(base, { recursive: true, force: true }))
)

const resolved = (roots: ReadonlyArray<string>, path: string) =>
  Effect.gen(function* () {
    const folders = yield* makeWorkingFolders(roots)
    return yield* folders.resolve(path)
  })

const allowed: ReadonlyArray<readonly [asked: string, real: string]> = [
  ["root", "root"],
  ["root/", "root"],
  ["root/a/b", "root/a/b"],
  ["root//a/./b/../b", "root/a/b"],
  ["root/in", "root/a"],
  ["root/in/b", "root/a/b"],
  ["outside/back/b", "root/a/b"],
  ["root/a/../../root/a", "root/a"],
  ["linked-root/a", "root/a"],
  ["root/~", "root/~"],
  ["root/..b", "root/..b"]
]

const refused: ReadonlyArray<readonly [asked: string, code: string]> = [
  ["", "CWD_OUTSIDE_ROOTS"],
  ["outside", "CWD_OUTSIDE_ROOTS"],
  ["root-2", "CWD_OUTSIDE_ROOTS"],
  ["root-2/a", "CWD_OUTSIDE_ROOTS"],
  ["root/..", "CWD_OUTSIDE_ROOTS"],
  ["root/../outside", "CWD_OUTSIDE_ROOTS"],
  ["root/out", "CWD_OUTSIDE_ROOTS"],
  ["root/out/deep", "CWD_OUTSIDE_ROOTS"],
  ["root/a/out", "CWD_OUTSIDE_ROOTS"],
  // To the system this is the parent of `outside`, though it reads like `root`.
  ["root/out/..", "CWD_OUTSIDE_ROOTS"],
  // Nobody learns from the code what exists elsewhere.
  ["outside/file", "CWD_OUTSIDE_ROOTS"],
  ["outside/nothing", "CWD_OUTSIDE_ROOTS"],
  ["root/file", "CWD_NOT_A_FOLDER"],
  ["root/nothing", "CWD_MISSING"],
  ["root/file/deeper", "CWD_MISSING"],
  ["root/dangling", "CWD_MISSING"],
  ["root/loop", "CWD_UNREADABLE"]
]

describe("under a root", () => {
  it.effect.each(allowed)("%s is %s", ([asked, real]) =>
    Effect.gen(function* () {
      const base = yield* place
      assert.strictEqual(yield* resolved([join(base, "root")], `${base}/${asked}`), join(base, real))
    })
  )

  it.effect("a root may be a link itself", () =>
    Effect.gen(function* () {
      const base = yield* place
      assert.strictEqual(yield* resolved([join(base, "linked-root")], join(base, "root/a")), join(base, "root/a"))
    })
  )

  it.effect("any of the roots will do", () =>
    Effect.gen(function* () {
      const base = yield* place
      const roots = [join(base, "root"), join(base, "root-2")]
      assert.strictEqual(yield* resolved(roots, join(base, "root-2/a")), join(base, "root-2/a"))
    })
  )

  it.effect("everything is under /", () =>
    Effect.gen(function* () {
      const base = yield* place
      assert.strictEqual(yield* resolved(["/"], join(base, "outside")), join(base, "outside"))
    })
  )
})

/** Whether what is at a path is under the root, or was. */
const contained: ReadonlyArray<readonly [asked: string, isContained: boolean]> = [
  ...allowed.map(([asked]) => [asked, true] as const),
  ["root/nothing", true],
  ["root/nothing/deeper", true],
  ["root/file", true],
  ["root/file/deeper", true],
  ["root/loop", true],
  ["root/dangling", true],
  ["root/in/nothing", true],
  ["outside/back/nothing", true],
  ["linked-root/nothing", true],
  ["", false],
  ["outside", false],
  ["outside/nothing", false],
  ["root-2", false],
  ["root-2/nothing", false],
  ["root/out", false],
  ["root/out/nothing", false],
  ["root/nothing/../../outside", false],
  ["root/out/../root/../nothing", false]
]

describe("what is under a root, or was before it was gone", () => {
  it.effect.each(contained)("%s: %s", ([asked, expected]) =>
    Effect.gen(function* () {
      const base = yield* place
      for (const root of ["root", "linked-root"]) {
        const { contains } = yield* makeWorkingFolders([join(base, root)])
        assert.strictEqual(yield* contains(`${base}/${asked}`), expected, root)
      }
    })
  )

  it.effect.each(["", "a", "~", "~/a", "/a\0b", `/${"a".repeat(5000)}`])("%j is not, whatever the roots", (path) =>
    Effect.gen(function* () {
      assert.isFalse(yield* (yield* makeWorkingFolders(["/"])).contains(path))
    })
  )
})

describe("refused", () => {
  it.effect.each(refused)("%s: %s", ([asked, code]) =>
    Effect.gen(function* () {
      const base = yield* place
      const error = yield* Effect.flip(resolved([join(base, "root")], `${base}/${asked}`))
      assert.strictEqual(error.code, code)
    })
  )

  it.effect.each([
    ["", "CWD_BAD_PATH"],
    ["/a\0b", "CWD_BAD_PATH"],
    [`/${"a".repeat(5000)}`, "CWD_BAD_PATH"],
    ["~", "CWD_NOT_ABSOLUTE"],
    ["~/a", "CWD_NOT_ABSOLUTE"],
    ["a", "CWD_NOT_ABSOLUTE"],
    [".", "CWD_NOT_ABSOLUTE"],
    ["../a", "CWD_NOT_ABSOLUTE"]
  ] as const)("%j: %s, whatever the roots", ([asked, code]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(resolved(["/"], asked))).code, code)
    })
  )

  it.effect("everything, without a root", () =>
    Effect.gen(function* () {
      const base = yield* place
      assert.strictEqual((yield* Effect.flip(resolved([], base))).code, "CWD_OUTSIDE_ROOTS")
    })
  )

  it.effect.each(["root/file", "root/nothing", "root/dangling"])("%s as a root", (root) =>
    Effect.gen(function* () {
      const base = yield* place
      assert.strictEqual((yield* Effect.flip(makeWorkingFolders([join(base, root)]))).code, "CWD_BAD_ROOT")
    })
  )

  it.effect("a root that is relative", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(makeWorkingFolders(["src"]))).code, "CWD_BAD_ROOT")
    })
  )

  it.effect("the message cannot fake a line of a log", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(resolved(["/"], "/nothing\nERROR: all is lost"))
      assert.notInclude(error.message, "\n")
    })
  )
})

it.effect("whatever way is taken through folders, links and back: never outside the root", () =>
  Effect.gen(function* () {
    const base = yield* place
    const root = join(base, "root")
    const folders = yield* makeWorkingFolders([root])
    const steps = fc.constantFrom("a", "b", "in", "out", "back", "..", ".", "", "outside", "root", "deep", "loop", "~")
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(steps, { maxLength: 8 }), async (way) => {
          const found = await Effect.runPromise(Effect.result(folders.resolve([base, "root", ...way].join("/"))))
          if (found._tag === "Failure") return
          assert.strictEqual(found.success, realpathSync.native(found.success))
          assert.isTrue(found.success === root || found.success.startsWith(`${root}/`))
        }),
        { numRuns: 300 }
      )
    )
  })
)
