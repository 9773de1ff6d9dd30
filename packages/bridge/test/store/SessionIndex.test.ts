import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { draftOf, FileFailed } from "../../src/store/AtomicFile.ts"
import { SessionIndex, type SessionIndexOptions } from "../../src/store/SessionIndex.ts"
import { emptyFolder } from "../Folder.ts"

/** One life of a bridge with an index. */
const life = <A, E>(
  options: SessionIndexOptions,
  use: (index: SessionIndex["Service"]) => Effect.Effect<A, E>
): Effect.Effect<A, E | Layer.Error<ReturnType<typeof SessionIndex.layer>>> =>
  Effect.flatMap(SessionIndex, use).pipe(Effect.provide(SessionIndex.layer(options)))

const contents = (options: SessionIndexOptions) => life(options, ({ entries }) => entries)

const session = (providerSessionId: string) => ({ providerSessionId, cwd: "/work" })

/** The messages that are logged. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, ReadonlyArray<string>], E, R> => {
  const messages: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => messages.push(`${logLevel} ${[message].flat().join(" ")}`))
  return effect.pipe(
    Effect.provide(Logger.layer([logger])),
    Effect.map((result) => [result, messages] as const)
  )
}

describe("from one life to the next", () => {
  it.effect("threads stay, whatever their names are", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const fit = fc.string({ unit: "grapheme" })
      const thread = fc.oneof(fit, fc.constantFrom("__proto__", "constructor", "a\u2028b", '"', "ü😀"))
      let n = 0
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(fc.tuple(thread, fit, fit)), async (all) => {
            const path = join(folder, `${n++}`, "index.json")
            const wanted = new Map(
              all.map(([threadId, providerSessionId, cwd]) => [threadId, { providerSessionId, cwd }])
            )
            await Effect.runPromise(
              life({ path }, ({ set }) =>
                Effect.forEach(all, ([threadId, providerSessionId, cwd]) => set(threadId, { providerSessionId, cwd }))
              )
            )
            const found = await Effect.runPromise(contents({ path }))
            assert.strictEqual(found.length, wanted.size)
            for (const [threadId, { cwd, providerSessionId }] of found)
              assert.deepStrictEqual({ providerSessionId, cwd }, wanted.get(threadId))
          }),
          { numRuns: 40 }
        )
      )
    })
  )

  it.effect("all that is known of a thread stays: also one that the provider has not named", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "index.json")
      const whole = {
        providerSessionId: "1",
        cwd: "/work",
        mode: "planner",
        title: "What is to be done",
        agent: { model: "m", permissionMode: "plan" }
      }
      const unnamed = { cwd: "/else", mode: "reader" }
      yield* life({ path }, ({ set }) => Effect.andThen(set("a", whole), set("b", unnamed)))
      const found = new Map(yield* contents({ path }))
      assert.deepStrictEqual(found.get("a"), { ...whole, updatedAt: 0 })
      assert.deepStrictEqual(found.get("b"), { ...unnamed, updatedAt: 0 })
    })
  )

  it.effect("removed threads do not come back", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "index.json")
      yield* life({ path }, ({ set }) => Effect.andThen(set("a", session("1")), set("b", session("2"))))
      yield* life({ path }, ({ get, remove }) =>
        Effect.gen(function* () {
          assert.isTrue(yield* remove("a"))
          assert.isFalse(yield* remove("a"))
          assert.isUndefined(yield* get("a"))
        })
      )
      assert.deepStrictEqual(
        (yield* contents({ path })).map(([threadId]) => threadId),
        ["b"]
      )
    })
  )

  it.effect("the threads used longest ago go when there are too many", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "index.json")
      const ids = (found: ReadonlyArray<readonly [string, unknown]>) => found.map(([threadId]) => threadId)
      yield* life({ path, maxEntries: 3 }, ({ entries, set }) =>
        Effect.gen(function* () {
          for (const id of ["a", "b", "c", "a", "d"]) {
            yield* TestClock.adjust(1)
            yield* set(id, session(id))
          }
          assert.deepStrictEqual(ids(yield* entries), ["c", "a", "d"])
        })
      )
      assert.deepStrictEqual(ids(yield* contents({ path, maxEntries: 2 })), ["a", "d"])
    })
  )

  it.effect("only this user may read it, and its folder is made", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const path = join(folder, "deep/er/index.json")
      yield* life({ path }, ({ set }) => set("a", session("1")))
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(folder, "deep/er")).mode & 0o777, 0o700)
      assert.deepStrictEqual(readdirSync(join(folder, "deep/er")), ["index.json"])
    })
  )
})

describe("writing", () => {
  it.effect("many changes are one write, some time later", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const write = (_: string, text: string) => Effect.sync(() => written.push(text)).pipe(Effect.asVoid)
      const path = join(yield* emptyFolder, "index.json")
      yield* life({ path, write, writeDelay: "1 second" }, ({ set }) =>
        Effect.gen(function* () {
          for (let i = 0; i < 100; i++) yield* set(`thread ${i % 10}`, session(`${i}`))
          yield* TestClock.adjust("999 millis")
          assert.lengthOf(written, 0)
          yield* TestClock.adjust("1 millis")
          assert.lengthOf(written, 1)
          assert.lengthOf(JSON.parse(written[0] ?? "").sessions, 10)
          yield* TestClock.adjust("1 hour")
          assert.lengthOf(written, 1)
          yield* set("last", session("last"))
        })
      )
      assert.lengthOf(written, 2)
      assert.lengthOf(JSON.parse(written[1] ?? "").sessions, 11)
    })
  )

  it.effect("a full disk is told once, tried again, and stops nobody", () =>
    Effect.gen(function* () {
      let full = true
      const written: Array<string> = []
      const write = (path: string, text: string) =>
        full
          ? Effect.fail(new FileFailed({ code: "ENOSPC", message: "no space left on device", path }))
          : Effect.sync(() => written.push(text)).pipe(Effect.asVoid)
      const path = join(yield* emptyFolder, "index.json")
      const [, messages] = yield* logged(
        life({ path, write, writeDelay: "1 second", retryDelay: "1 minute" }, ({ flush, get, set }) =>
          Effect.gen(function* () {
            yield* set("a", session("1"))
            assert.strictEqual((yield* Effect.flip(flush)).code, "INDEX_DISK_FULL")
            yield* TestClock.adjust("10 minutes")
            assert.strictEqual((yield* get("a"))?.providerSessionId, "1")
            full = false
            yield* TestClock.adjust("1 minute")
            assert.lengthOf(written, 1)
          })
        )
      )
      assert.lengthOf(
        messages.filter((message) => message.includes("full")),
        1
      )
    })
  )

  it.effect("a folder that went away is told, and does not end anything either", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "index.json")
      const write = (path: string) => Effect.fail(new FileFailed({ code: "ENOENT", message: "no such file", path }))
      const [code, messages] = yield* logged(
        life({ path, write }, ({ flush, set }) =>
          Effect.gen(function* () {
            yield* set("a", session("1"))
            return (yield* Effect.flip(flush)).code
          })
        )
      )
      assert.strictEqual(code, "INDEX_UNWRITABLE")
      assert.lengthOf(messages, 1)
    })
  )
})

describe("after a crash", () => {
  const filled = (path: string) =>
    life({ path }, ({ set }) =>
      Effect.andThen(set("ü😀", session("provider-1")), set("b", session("provider-2")))
    ).pipe(Effect.map(() => readFileSync(path)))

  it.effect("at any byte of a write, what was there before is there", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const path = join(folder, "index.json")
      const bytes = yield* filled(path)
      const wanted = yield* contents({ path })
      for (let cut = 0; cut <= bytes.length; cut++) {
        writeFileSync(draftOf(path), bytes.subarray(0, cut))
        assert.deepStrictEqual(yield* contents({ path }), wanted)
      }
    })
  )

  it.effect("a file cut at any byte is whole, or kept beside a fresh one with a warning", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const bytes = yield* filled(join(folder, "index.json"))
      const wanted = yield* contents({ path: join(folder, "index.json") })
      for (let cut = 0; cut < bytes.length; cut++) {
        const path = join(folder, `${cut}`, "index.json")
        mkdirSync(join(folder, `${cut}`))
        writeFileSync(path, bytes.subarray(0, cut))
        const [found, messages] = yield* logged(contents({ path }))
        if (found.length > 0) {
          assert.deepStrictEqual(found, wanted)
          continue
        }
        assert.isTrue(readFileSync(`${path}.corrupt-1`).equals(bytes.subarray(0, cut)))
        assert.isFalse(existsSync(path))
        assert.lengthOf(messages, 1)
        assert.include(messages[0], `${path}.corrupt-1`)
      }
    })
  )

  it.effect.each([
    ["a later version", { version: 2, sessions: [] }],
    ["a wrong entry", { version: 1, sessions: [{ threadId: "a" }] }],
    ["something else", [1, 2]]
  ] as const)("%s is kept, and so are those from before", ([, value]) =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "index.json")
      writeFileSync(`${path}.corrupt-1`, "older")
      writeFileSync(path, JSON.stringify(value))
      yield* logged(life({ path }, ({ set }) => set("a", session("1"))))
      assert.strictEqual(readFileSync(`${path}.corrupt-1`, "utf8"), "older")
      assert.deepStrictEqual(JSON.parse(readFileSync(`${path}.corrupt-2`, "utf8")), value)
      assert.lengthOf(yield* contents({ path }), 1)
    })
  )

  it.effect("a folder in its place is a failure, not a fresh index", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "index.json")
      mkdirSync(path)
      assert.strictEqual((yield* Effect.flip(contents({ path }))).code, "INDEX_UNREADABLE")
    })
  )

  it.effect("a device in its place is a failure and is not read: it has no end", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "index.json")
      symlinkSync("/dev/zero", path)
      const error = yield* Effect.flip(contents({ path }))
      assert.strictEqual(error.code, "INDEX_UNREADABLE")
      assert.include(error.message, "not a file")
    })
  )
})

describe("two bridges", () => {
  it.effect("cannot have one index; the second can once the first is gone", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "index.json")
      const scope = yield* Scope.make()
      yield* Layer.build(SessionIndex.layer({ path })).pipe(Scope.provide(scope))
      const error = yield* Effect.flip(contents({ path }))
      assert.strictEqual(error.code, "INDEX_LOCKED")
      assert.include(error.message, String(process.pid))
      yield* Scope.close(scope, Exit.void)
      assert.lengthOf(yield* contents({ path }), 0)
    })
  )
})

it.effect("in memory it is the same without a file", () =>
  Effect.gen(function* () {
    const { entries, flush, get, set } = yield* SessionIndex
    for (const id of ["a", "b", "c"]) yield* set(id, session(id))
    yield* flush
    assert.isUndefined(yield* get("a"))
    assert.lengthOf(yield* entries, 2)
  }).pipe(Effect.provide(SessionIndex.layerMemory(2)))
)
