import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { agentwire, node, packages } from "../../../src/doctor/checks/Installed.ts"
import { surroundings } from "../FakeSurroundings.ts"

describe("the check of Node", () => {
  it.effect.each([
    ["v20.19.0", "ok"],
    ["v24.0.0", "ok"],
    ["v20.18.9", "problem"],
    ["v18.20.0", "problem"]
  ] as const)("%s is %s", ([version, status]) =>
    Effect.gen(function* () {
      const found = yield* node.inspect(surroundings({ node: version }))
      expect(found).toMatchObject({ status, facts: { version: version.slice(1), required: "20.19" } })
      expect(found.advice === undefined).toBe(status === "ok")
    })
  )
})

describe("the check of agentwire", () => {
  it.effect("tells its version", () =>
    Effect.gen(function* () {
      expect(yield* agentwire.inspect(surroundings())).toMatchObject({ status: "ok", facts: { version: "1.2.3" } })
    })
  )
})

describe.each(packages.map((check) => [check.title, check] as const))("the check of %s", (name, { inspect }) => {
  it.effect("is ok with it, and without", () =>
    Effect.gen(function* () {
      const packageVersion = (asked: string) => Effect.succeed(asked === name ? "9.8.7" : undefined)
      expect(yield* inspect(surroundings({ packageVersion }))).toMatchObject({
        status: "ok",
        facts: { version: "9.8.7" }
      })
      expect(yield* inspect(surroundings())).toMatchObject({ status: "ok", facts: { installed: false } })
    })
  )
})
