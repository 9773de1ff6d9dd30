import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { SessionIndex } from "@agentwire/bridge/store"
import { afterEach, beforeEach, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inspectState } from "../../src/doctor/StateFolder.ts"

let root = ""
let path = ""
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-state-")))
  path = join(root, "state", "agentwire", "index.json")
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
  const found = inspectState(path)
  expect(everything()).toEqual(before)
  return found
}

/** A process that was, and is not any more. */
const gone = 2 ** 22 + 1

describe("the state folder", () => {
  it("will be made where there is none", () => {
    expect(look()).toEqual({ _tag: "Absent", path })
  })

  it.live("is locked while a bridge has it, and usable before and after", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(
        Effect.gen(function* () {
          const index = yield* SessionIndex
          yield* index.set("thread", { providerSessionId: "p", cwd: "/" })
          expect(look()).toEqual({ _tag: "Locked", path, pid: process.pid })
        }).pipe(Effect.provide(SessionIndex.layer({ path })))
      )
      expect(look()).toEqual({ _tag: "Usable", path, threads: 1 })
    })
  )

  it.each([`{"pid":${gone},"began":null,"token":"t"}`, "no JSON", '{"pid":-1}', '{"pid":"1"}', "null"])(
    "is not locked by %s",
    (lock) => {
      write(`${path}.lock`, lock)
      expect(look()).toEqual({ _tag: "Absent", path })
    }
  )

  it.each(["", "{", "[]", "null", '{"version":2,"sessions":[]}', '{"version":1}'])("%j is no index", (text) => {
    write(path, text)
    expect(look()).toEqual({ _tag: "Corrupt", path })
  })

  it("cannot be used where a file is in the place of its folder", () => {
    write(join(root, "state"), "")
    expect(look()).toEqual({ _tag: "Unusable", path, reason: `${join(root, "state")} is not a folder` })
  })

  it("cannot be used where a file is in the place of the conversations", () => {
    write(`${path}.history`, "")
    expect(look()).toEqual({ _tag: "Unusable", path, reason: `${path}.history is not a folder` })
  })

  it("cannot be used where a folder is in the place of the index", () => {
    mkdirSync(path, { recursive: true })
    expect(look()).toEqual({ _tag: "Unusable", path, reason: `${path} is not a file` })
  })
})
