import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { codex, codexApprovals, codexRoundTrip, codexSandbox } from "../../../src/doctor/checks/Codex.ts"
import { RoundTripFailed } from "../../../src/doctor/RoundTrip.ts"
import { sandboxAnswer } from "../../../src/doctor/SandboxTrip.ts"
import { cliOf, noCli, options, surroundings } from "../FakeSurroundings.ts"
import { saying } from "../trips.ts"

describe("the check of Codex", () => {
  it.effect.each([
    ["found", Effect.succeed(cliOf("0.1.2", "/bin/codex")), { installed: true, version: "0.1.2", path: "/bin/codex" }],
    ["silent", noCli("CLI_VERSION_UNKNOWN"), { installed: true }],
    ["missing", noCli("CLI_NOT_FOUND"), { installed: false }]
  ] as const)("is ok when it is %s", ([, program, facts]) =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const found = yield* codex.inspect(
        surroundings({
          program: (name) =>
            Effect.andThen(
              Effect.sync(() => asked.push(name)),
              program
            )
        })
      )
      expect(found).toMatchObject({ status: "ok", facts })
      expect(asked).toEqual(["codex"])
    })
  )
})

const program = () => Effect.succeed(cliOf("0.166.0", "/bin/codex"))

describe("a scripted prompt to Codex", () => {
  const trip = { problems: [], stderr: "", milliseconds: 5 }
  it.effect.each([
    ["is ok when the model's words come back", {}, "ok"],
    ["is a problem when others do", { codexTrip: () => Effect.succeed({ ...trip, events: saying("No.") }) }, "problem"],
    ["is a problem when nothing does", { codexTrip: () => Effect.succeed({ ...trip, events: [] }) }, "problem"],
    [
      "is a problem when it cannot be tried",
      { codexTrip: () => Effect.fail(new RoundTripFailed({ message: "no port" })) },
      "problem"
    ],
    ["is ok without Codex", { program: () => noCli("CLI_NOT_FOUND") }, "ok"],
    ["is skipped when nothing is to be run", { options: { ...options, run: false } }, "skipped"]
  ] as const)("%s", ([, but, status]) =>
    Effect.gen(function* () {
      expect(yield* codexRoundTrip.inspect(surroundings({ program, ...but }))).toMatchObject({ status })
    })
  )
})

describe("a command of codex exec that would write", () => {
  const trip = { exitCode: 1, said: sandboxAnswer, stderr: "", milliseconds: 5 }
  it.effect.each([
    ["is ok when it may not", {}, "ok"],
    ["is a problem when it does", { sandboxTrip: () => Effect.succeed({ ...trip, exitCode: 0 }) }, "problem"],
    ["is ok when it does not even run", { sandboxTrip: () => Effect.succeed({ ...trip, exitCode: undefined }) }, "ok"],
    ["is not judged without an answer", { sandboxTrip: () => Effect.succeed({ ...trip, said: undefined }) }, "warning"],
    [
      "is not judged when it cannot be tried",
      { sandboxTrip: () => Effect.fail(new RoundTripFailed({ message: "no port" })) },
      "warning"
    ],
    ["is ok without Codex", { program: () => noCli("CLI_NOT_FOUND") }, "ok"],
    ["is skipped when nothing is to be run", { options: { ...options, run: false } }, "skipped"]
  ] as const)("%s", ([, but, status]) =>
    Effect.gen(function* () {
      expect(yield* codexSandbox.inspect(surroundings({ program, ...but }))).toMatchObject({ status })
    })
  )
})

describe("what Codex runs without asking", () => {
  it.effect.each([
    [undefined, "ok"],
    ['approval_policy = "on-request"\n', "ok"],
    ['model = "m"\napproval_policy = "never" # so\n', "warning"],
    ["sandbox_mode = 'danger-full-access'", "warning"],
    ['[profiles.fast]\napproval_policy = "never"\n', "ok"]
  ] as const)("%j is %s", ([text, status]) =>
    Effect.gen(function* () {
      const codexConfig = Effect.succeed({ path: "/c/config.toml", text })
      const found = yield* codexApprovals.inspect(surroundings({ program, codexConfig }))
      expect(found.status).toBe(status)
      expect(found.found).toContain(
        status === "ok" && text !== undefined && !text.startsWith("[") ? "on-request" : "/c/config.toml"
      )
    })
  )
})
