import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { draftOf, writeAtomic } from "../../src/store/AtomicFile.ts"
import { emptyFolder } from "../Folder.ts"

it.effect("puts the text in place of the old one, for this user alone, and leaves nothing else", () =>
  Effect.gen(function* () {
    const folder = yield* emptyFolder
    const path = join(folder, "file")
    writeFileSync(path, "a longer text from before", { mode: 0o644 })
    yield* writeAtomic(path, "new")
    assert.strictEqual(readFileSync(path, "utf8"), "new")
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    assert.deepStrictEqual(readdirSync(folder), ["file"])
  })
)

it.effect("what a crash left beside it does no harm", () =>
  Effect.gen(function* () {
    const folder = yield* emptyFolder
    const path = join(folder, "file")
    writeFileSync(draftOf(path), "half a te", { mode: 0o644 })
    yield* writeAtomic(path, "new")
    assert.strictEqual(readFileSync(path, "utf8"), "new")
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
  })
)

it.effect("a link in the draft's place is not followed", () =>
  Effect.gen(function* () {
    const folder = yield* emptyFolder
    const path = join(folder, "file")
    writeFileSync(join(folder, "precious"), "precious")
    symlinkSync(join(folder, "precious"), draftOf(path))
    yield* writeAtomic(path, "new")
    assert.strictEqual(readFileSync(join(folder, "precious"), "utf8"), "precious")
  })
)

it.effect("a write that fails leaves the old text, no draft, and says what the system said", () =>
  Effect.gen(function* () {
    const folder = yield* emptyFolder
    const path = join(folder, "file")
    // A folder cannot be replaced by a file: the last step fails.
    mkdirSync(join(path, "inside"), { recursive: true })
    const error = yield* Effect.flip(writeAtomic(path, "new"))
    assert.include(["EISDIR", "ENOTEMPTY", "EEXIST"], error.code)
    assert.deepStrictEqual(readdirSync(folder), ["file"])
    assert.strictEqual((yield* Effect.flip(writeAtomic(join(folder, "none/file"), "new"))).code, "ENOENT")
  })
)
