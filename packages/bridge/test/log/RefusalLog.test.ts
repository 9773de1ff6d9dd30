/** Refusals in the log: each is told or counted, and a flood does not fill the disk. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { makeRefusalLog, refusalLinesPerSecond } from "../../src/log/RefusalLog.ts"
import { layerLog } from "../../src/observe/Log.ts"

interface Line {
  readonly event: string
  readonly code: string
  readonly count?: number
}

/** Refuses requests in bursts, a second apart, and gives the lines. */
const flood = (bursts: ReadonlyArray<ReadonlyArray<string>>) =>
  Effect.gen(function* () {
    const lines: Array<Line> = []
    const write = (line: string) => lines.push(JSON.parse(line) as Line)
    yield* Effect.gen(function* () {
      const scope = yield* Scope.make()
      const refuse = yield* Scope.provide(makeRefusalLog, scope)
      for (const codes of bursts) {
        for (const code of codes) yield* refuse({ code, status: 401, method: "GET" })
        yield* TestClock.adjust("1 second")
      }
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.provide(layerLog({ write, json: true })))
    return lines
  })

const code = fc.constantFrom("UNAUTHORIZED", "HOST_REFUSED", "NOT_FOUND")

describe("refusals in the log", () => {
  it("are all told or counted, by code, with a bounded number of lines a second", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.array(code, { maxLength: 100 }), { maxLength: 4 }), async (bursts) => {
        const lines = await Effect.runPromise(Effect.provide(flood(bursts), TestClock.layer()))
        for (const each of ["UNAUTHORIZED", "HOST_REFUSED", "NOT_FOUND"]) {
          const mine = lines.filter((line) => line.code === each)
          const told = mine.filter(({ event }) => event === "request refused").length
          const suppressed = mine
            .filter(({ event }) => event === "suppressed")
            .reduce((n, { count = 0 }) => n + count, 0)
          expect(told + suppressed).toBe(bursts.flat().filter((given) => given === each).length)
          expect(mine.length).toBeLessThanOrEqual((refusalLinesPerSecond + 1) * bursts.length)
        }
      })
    ))

  it.effect("that come one by one have a line each, and none that says that one is missing", () =>
    Effect.gen(function* () {
      const bursts = Array.from({ length: 50 }, () => ["UNAUTHORIZED"])
      const lines = yield* flood(bursts)
      expect(lines).toHaveLength(50)
      for (const { event } of lines) expect(event).toBe("request refused")
    })
  )

  it.effect("of a flood that is cut off are still counted", () =>
    Effect.gen(function* () {
      const lines: Array<Line> = []
      const write = (line: string) => lines.push(JSON.parse(line) as Line)
      yield* Effect.flatMap(makeRefusalLog, (refuse) =>
        Effect.forEach(Array.from({ length: 5000 }), () => refuse({ code: "X", status: 401, method: "GET" }))
      ).pipe(Effect.scoped, Effect.provide(layerLog({ write, json: true })))
      expect(lines).toHaveLength(refusalLinesPerSecond + 1)
      expect(lines.at(-1)).toMatchObject({ event: "suppressed", code: "X", count: 5000 - refusalLinesPerSecond })
    })
  )
})
