import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { checks, runChecks } from "../../src/doctor/Doctor.ts"
import { noCli, surroundings } from "./FakeSurroundings.ts"

describe("the doctor", () => {
  it.effect("looks at everything, in order, and finds nothing where all is well", () =>
    Effect.gen(function* () {
      const started: Array<string> = []
      const ended: Array<string> = []
      const report = yield* runChecks(surroundings(), {
        onStart: ({ name }) => void started.push(name),
        onEnd: ({ name }) => void ended.push(name)
      })
      const names = checks.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(started).toEqual(names)
      expect(ended).toEqual(names)
      expect(report.checks.map(({ check }) => check)).toEqual(names)
      expect(report).toMatchObject({ ok: true, problems: 0, warnings: 0 })
      expect(report.checks.filter(({ status }) => status !== "ok")).toEqual([])
    })
  )

  it.effect("goes on without a CLI", () =>
    Effect.gen(function* () {
      const report = yield* runChecks(surroundings({ findCli: noCli("CLI_NOT_FOUND") }))
      expect(report).toMatchObject({ ok: false, problems: 1, warnings: 0 })
      const skipped = report.checks.filter(({ status }) => status === "skipped").map(({ check }) => check)
      expect(skipped).toEqual(["version", "transport", "round-trip"])
    })
  )

  it.effect("warnings are no problem", () =>
    Effect.gen(function* () {
      const port = () => Effect.succeed({ free: false, code: "EADDRINUSE" } as const)
      expect(yield* runChecks(surroundings({ port }))).toMatchObject({ ok: true, problems: 0, warnings: 1 })
    })
  )

  it.effect("every finding that is not ok has advice", () =>
    Effect.gen(function* () {
      const { checks: found } = yield* runChecks(
        surroundings({
          node: "v18.0.0",
          env: {},
          findCli: noCli("CLI_NOT_FOUND"),
          state: Effect.succeed({ _tag: "Foreign", path: "/x" }),
          port: () => Effect.succeed({ free: false, code: "EADDRINUSE" })
        })
      )
      const wrong = found.filter(({ status }) => status === "warning" || status === "problem")
      expect(wrong.map(({ check }) => check)).toEqual(["node", "cli", "login", "state", "port"])
      expect(wrong.filter(({ advice }) => advice === undefined)).toEqual([])
    })
  )

  it.effect("shows no secret and no escape sequence of a program", () =>
    Effect.gen(function* () {
      const env = { MY_PASSWORD: "hunter2-hunter2", AGENTWIRE_TOKEN: "short-token" }
      const said = "hunter2-hunter2 short-token sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789 \u001b[31mred"
      const report = yield* runChecks(surroundings({ env, findCli: noCli("CLI_VERSION_UNKNOWN", said) }))
      const text = report.checks.map(({ advice = "", found }) => `${found} ${advice}`).join("\n")
      for (const secret of ["hunter2", "short-token", "sk-ant", "\u001b"]) expect(text).not.toContain(secret)
      expect(text).toContain("red")
    })
  )
})
