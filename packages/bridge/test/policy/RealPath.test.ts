import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { placeFrom, realPath } from "../../src/policy/RealPath.ts"
import { emptyFolder } from "../Folder.ts"

const place = Effect.tap(emptyFolder, (base) =>
  Effect.sync(() => {
    for (const path of ["work/src", "secret/deep"]) mkdirSync(join(base, path), { recursive: true })
    writeFileSync(join(base, "secret/key"), "")
    symlinkSync("../secret", join(base, "work/link"))
    symlinkSync(join(base, "secret/deep"), join(base, "work/deep"))
    symlinkSync("../secret/not-yet", join(base, "work/dangling"))
    symlinkSync("loop", join(base, "work/loop"))
  })
)

const real = (path: string) => Effect.promise(() => realPath(path))
const from = (cwd: string, path: string) => Effect.promise(() => placeFrom(cwd, path))

describe("realPath", () => {
  it.effect("agrees with the system on what exists", () =>
    Effect.gen(function* () {
      const base = yield* place
      for (const path of [
        "work",
        "work/link",
        "work/link/key",
        "work/deep/../key",
        "work/./src/../link/deep",
        "/",
        "/tmp"
      ]) {
        const whole = path.startsWith("/") ? path : `${base}/${path}`
        assert.strictEqual(yield* real(whole), realpathSync.native(whole))
      }
    })
  )

  it.effect("follows links to where a new file would be", () =>
    Effect.gen(function* () {
      const base = yield* place
      assert.strictEqual(yield* real(`${base}/work/link/new/file`), `${base}/secret/new/file`)
      assert.strictEqual(yield* real(`${base}/work/dangling`), `${base}/secret/not-yet`)
      assert.strictEqual(yield* real(`${base}/work/new/../link/x`), `${base}/secret/x`)
    })
  )

  it.effect("does not know the end of a loop", () =>
    Effect.gen(function* () {
      const base = yield* place
      assert.strictEqual(yield* real(`${base}/work/loop/x`), undefined)
    })
  )
})

describe("placeFrom", () => {
  it.effect("keeps both readings of .. behind a link", () =>
    Effect.gen(function* () {
      const base = yield* place
      const found = yield* from(`${base}/work`, "deep/../key")
      assert.deepStrictEqual(found, { written: `${base}/work/key`, real: [`${base}/work/key`, `${base}/secret/key`] })
    })
  )

  it.effect("knows the home, and no path that programs read differently", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* from("/", "~/x")).written, join(homedir(), "x"))
      for (const path of ["", " x", "x\n", "a\0b", "e\u0301"])
        assert.strictEqual((yield* from("/", path)).real, undefined)
    })
  )
})
