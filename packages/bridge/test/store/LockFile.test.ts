import { spawn, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { lockFile } from "../../src/store/LockFile.ts"
import { emptyFolder } from "../Folder.ts"

const lockOf = (pid: number, began: string | null = null): string => JSON.stringify({ pid, began, token: "theirs" })

/** The number of a process that is gone. */
const deadPid = (): number => spawnSync(process.execPath, ["-e", ""]).pid

const otherProcess = Effect.acquireRelease(
  Effect.sync(() => spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" })),
  (child) =>
    Effect.callback<void>((resume) => {
      child.once("exit", () => resume(Effect.void))
      child.kill("SIGKILL")
    })
).pipe(Effect.map(({ pid }) => pid ?? 0))

it.effect("is there as long as the scope, and names this process", () =>
  Effect.gen(function* () {
    const path = join(yield* emptyFolder, "lock")
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* lockFile(path)
        assert.strictEqual(JSON.parse(readFileSync(path, "utf8")).pid, process.pid)
      })
    )
    assert.isFalse(existsSync(path))
  })
)

describe("held", () => {
  it.effect("by this process", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "lock")
      yield* lockFile(path)
      const error = yield* Effect.flip(lockFile(path))
      assert.strictEqual(error._tag === "LockHeld" && error.pid, process.pid)
    })
  )

  it.effect("by another that runs; the message says what to do", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "lock")
      const pid = yield* otherProcess
      writeFileSync(path, lockOf(pid))
      const error = yield* Effect.flip(lockFile(path))
      assert.strictEqual(error._tag === "LockHeld" && error.pid, pid)
      assert.include(error.message, path)
      assert.strictEqual(readFileSync(path, "utf8"), lockOf(pid))
    })
  )
})

describe("taken over", () => {
  const stale: ReadonlyArray<readonly [string, () => string]> = [
    ["from a process that is gone", () => lockOf(deadPid())],
    ["from a process that had this one's number", () => lockOf(process.pid)],
    ["when it is empty", () => ""],
    ["when it is half", () => '{"pid":1'],
    ["when it is something else", () => "[]"],
    ["when its number is none", () => lockOf(-1)]
  ]
  it.effect.each(stale)("%s", ([, text]) =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const path = join(folder, "lock")
      writeFileSync(path, text())
      yield* lockFile(path)
      assert.strictEqual(JSON.parse(readFileSync(path, "utf8")).pid, process.pid)
      assert.deepStrictEqual(readdirSync(folder), ["lock"])
    })
  )

  it.effect.runIf(existsSync("/proc/self/stat"))("from a process whose number was given out again", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "lock")
      writeFileSync(path, lockOf(yield* otherProcess, "0"))
      yield* lockFile(path)
    })
  )

  it.effect.runIf(existsSync("/proc/self/stat"))("from a process that ended and that nobody asked how", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "lock")
      // The shell becomes a program that never waits for the child it started as a shell.
      const parent = yield* Effect.acquireRelease(
        Effect.sync(() => spawn("sh", ["-c", "sh -c 'echo $$' & exec tail -f /dev/null"])),
        (child) =>
          Effect.callback<void>((resume) => {
            child.once("exit", () => resume(Effect.void))
            child.kill("SIGKILL")
          })
      )
      const pid = yield* Effect.callback<number>((resume) => {
        parent.stdout.once("data", (chunk) => resume(Effect.succeed(Number(String(chunk)))))
      })
      const ended = () => / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
      while (!ended()) yield* Effect.promise(() => stat(path).catch(() => undefined))
      writeFileSync(path, lockOf(pid))
      yield* lockFile(path)
    })
  )

  it.effect("by one of many that come at once", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const pid = deadPid()
      for (let round = 0; round < 50; round++) {
        const path = join(folder, `lock-${round}`)
        writeFileSync(path, lockOf(pid))
        // Each comes a little later than the one before, so that they are at different steps.
        const comers = Array.from({ length: 16 }, (_, i) =>
          Effect.promise(() => stat(folder)).pipe(
            Effect.repeat({ times: i % 8 }),
            Effect.andThen(Effect.result(lockFile(path)))
          )
        )
        const all = yield* Effect.all(comers, { concurrency: "unbounded" })
        assert.lengthOf(all.filter(Result.isSuccess), 1)
      }
      assert.lengthOf(readdirSync(folder), 50)
    })
  )
})

it.effect("who died while taking over is in nobody's way", () =>
  Effect.gen(function* () {
    const folder = yield* emptyFolder
    const path = join(folder, "lock")
    writeFileSync(path, lockOf(deadPid()))
    writeFileSync(`${path}.takeover`, lockOf(deadPid()))
    yield* lockFile(path)
    assert.deepStrictEqual(readdirSync(folder), ["lock"])
  })
)

it.effect("the lock of whoever took it over is left alone", () =>
  Effect.gen(function* () {
    const path = join(yield* emptyFolder, "lock")
    const scope = yield* Scope.make()
    yield* lockFile(path).pipe(Scope.provide(scope))
    writeFileSync(path, lockOf(1))
    yield* Scope.close(scope, Exit.void)
    assert.strictEqual(readFileSync(path, "utf8"), lockOf(1))
  })
)

it.effect("a folder that is not there is a failure", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(lockFile(join(yield* emptyFolder, "none/lock")))
    assert.strictEqual(error._tag === "FileFailed" && error.code, "ENOENT")
  })
)
