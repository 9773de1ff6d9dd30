import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { port, state } from "../../../src/doctor/checks/Serving.ts"
import type { StateLook } from "../../../src/doctor/StateFolder.ts"
import { surroundings } from "../FakeSurroundings.ts"

const path = "/share/agentwire/agentwire.db"

const looks: ReadonlyArray<readonly [look: StateLook, status: string, words: string]> = [
  [{ _tag: "Usable", path, bytes: 40_960 }, "ok", "41 kB"],
  [{ _tag: "Usable", path, bytes: 3_500_000 }, "ok", "3.5 MB"],
  [{ _tag: "Absent", path }, "ok", "will be made"],
  [{ _tag: "Foreign", path }, "problem", "is not a database"],
  [{ _tag: "Unusable", path, reason: "the moon is full" }, "problem", "the moon is full"]
]

describe("the check of the state", () => {
  it.effect.each(looks)("%j is %s", ([look, status, words]) =>
    Effect.gen(function* () {
      const found = yield* state.inspect(surroundings({ state: Effect.succeed(look) }))
      expect(found).toMatchObject({ status, facts: { path } })
      expect(found.found).toContain(words)
      if (status !== "ok") expect(found.advice).toContain("agentwire serve --data DIR")
    })
  )
})

describe("the check of the port", () => {
  it.effect.each([
    [{ free: true }, "ok", "is free"],
    [{ free: false, code: "EADDRINUSE" }, "warning", "is taken"],
    [{ free: false, code: "EACCES" }, "warning", "EACCES"]
  ] as const)("%j is %s", ([look, status, words]) =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const found = yield* port.inspect(
        surroundings({
          port: (number) =>
            Effect.as(
              Effect.sync(() => asked.push(number)),
              look
            )
        })
      )
      expect(asked).toEqual([3210])
      expect(found.status).toBe(status)
      expect(found.found).toContain(words)
      if (status !== "ok") expect(found.advice).toContain("agentwire serve --port 0")
    })
  )
})
