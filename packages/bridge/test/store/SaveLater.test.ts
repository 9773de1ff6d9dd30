import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { makeSaveLater } from "../../src/store/SaveLater.ts"

const full = { code: "DISK_FULL", message: "The disk is full.", path: "/x" }

/** A number that is saved later, on a disk that may be full. */
const saving = Effect.gen(function* () {
  const scope = yield* Scope.make()
  const disk = { isFull: false, tries: 0, written: [] as Array<number> }
  const logged: Array<string> = []
  let value = 0
  let saved = 0
  const saveLater = yield* makeSaveLater({
    subject: "Numbers",
    write: Effect.suspend(() => {
      if (saved === value) return Effect.void
      disk.tries++
      if (disk.isFull) return Effect.fail(full)
      saved = value
      disk.written.push(value)
      return Effect.void
    }),
    writeDelay: "1 second",
    retryDelay: "30 seconds"
  }).pipe(
    Scope.provide(scope),
    Effect.provide(
      Logger.layer([
        Logger.make(({ logLevel, message }) => void logged.push(`${logLevel} ${[message].flat().join(" ")}`))
      ])
    )
  )
  return {
    disk,
    logged,
    change: Effect.sync(() => {
      value++
      saveLater()
    }),
    close: Scope.close(scope, Exit.void)
  }
})

describe("saving later", () => {
  it.effect("writes many changes as one, and not before their time", () =>
    Effect.gen(function* () {
      const { change, disk } = yield* saving
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(disk.tries, 0)
      yield* change
      yield* TestClock.adjust("900 millis")
      yield* change
      yield* change
      assert.deepStrictEqual(disk.written, [])
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(disk.written, [3])
      yield* change
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(disk.written, [3, 4])
    })
  )

  it.effect("writes at the end what was not written yet", () =>
    Effect.gen(function* () {
      const { change, close, disk } = yield* saving
      yield* change
      yield* close
      assert.deepStrictEqual(disk.written, [1])
      yield* change
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(disk.written, [1])
    })
  )

  it.effect("tells once of a disk that refuses, tries until it works, and says so", () =>
    Effect.gen(function* () {
      const { change, disk, logged } = yield* saving
      disk.isFull = true
      yield* change
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual(disk.tries, 3)
      const complaint = "Error Numbers cannot be saved at the moment: The disk is full. Retrying until it works."
      assert.deepStrictEqual(logged, [complaint])
      yield* change
      disk.isFull = false
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(disk.written, [2])
      assert.deepStrictEqual(logged, [complaint, "Info Numbers are being saved again."])
      disk.isFull = true
      yield* change
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(logged.length, 3)
    })
  )
})
