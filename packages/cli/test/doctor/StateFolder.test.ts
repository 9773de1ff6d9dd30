import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { layerSqliteStore, Store } from "@agentwire/bridge/store"
import { afterEach, beforeEach, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inspectState } from "../../src/doctor/StateFolder.ts"

let root = ""
let folder = ""
let path = ""
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-state-")))
  folder = join(root, "share", "agentwire")
  path = join(folder, "agentwire.db")
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const everything = () => readdirSync(root, { recursive: true }).sort()

/** Takes a look that must leave all as it was. */
const look = () => {
  const before = everything()
  const found = inspectState(folder)
  expect(everything()).toEqual(before)
  return found
}

describe("the folder of threads", () => {
  it("will be made where there is none", () => {
    expect(look()).toEqual({ _tag: "Absent", path })
  })

  it.live("is usable while a bridge has it, and after", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        yield* Store
        expect(look()).toMatchObject({ _tag: "Usable", path })
      }).pipe(Effect.provide(layerSqliteStore({ folder })))
      expect(look()).toMatchObject({ _tag: "Usable", path })
    })
  )

  it.each(["{}", "SQLite format 2\0", `SQLite format 3\0${"x".repeat(200)}`])("%j is not its database", (text) => {
    write(path, text)
    expect(look()).toEqual({ _tag: "Foreign", path })
  })

  it("cannot be used where a file is in its place", () => {
    write(join(root, "share"), "")
    expect(look()).toEqual({ _tag: "Unusable", path, reason: `${join(root, "share")} is not a folder` })
  })

  it("cannot be used where a folder is in the place of the database", () => {
    mkdirSync(path, { recursive: true })
    expect(look()).toEqual({ _tag: "Unusable", path, reason: `${path} is not a file` })
  })
})
