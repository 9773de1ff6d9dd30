import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  codex,
  codexApprovals,
  codexLogin,
  codexRoundTrip,
  codexSandbox,
  codexVersion
} from "../../../src/doctor/checks/Codex.ts"
import { runChecks } from "../../../src/doctor/Doctor.ts"
import { RoundTripFailed } from "../../../src/doctor/RoundTrip.ts"
import { sandboxAnswer } from "../../../src/doctor/SandboxTrip.ts"
import { cliOf, noCli, options, surroundings } from "../FakeSurroundings.ts"
import { saying } from "../trips.ts"

const there = { findCodex: Effect.succeed(cliOf("0.166.0", "/bin/codex")) }

const wanted = { options: { ...options, runtime: "codex" } } as const

describe("the check of Codex", () => {
  it.effect.each([
    ["found", there, { installed: true, version: "0.166.0", path: "/bin/codex" }],
    ["silent", { findCodex: noCli("CLI_VERSION_UNKNOWN") }, { installed: true }],
    ["missing", {}, { installed: false }]
  ] as const)("is ok when it is %s and nobody asked for it", ([, but, facts]) =>
    Effect.gen(function* () {
      expect(yield* codex.inspect(surroundings(but))).toMatchObject({ status: "ok", facts })
    })
  )

  it.effect.each([
    ["CLI_NOT_FOUND", "npm install -g @openai/codex"],
    ["CLI_NOT_EXECUTABLE", "chmod +x"],
    ["CLI_VERSION_UNKNOWN", "install it again"]
  ])("is a problem when it is asked for and %s", ([code = "", advice]) =>
    Effect.gen(function* () {
      const found = yield* codex.inspect(surroundings({ ...wanted, findCodex: noCli(code) }))
      expect(found).toMatchObject({ status: "problem", found: "It is not there.", facts: { code } })
      expect(found.advice).toContain(advice)
      for (const check of [codexVersion, codexLogin, codexRoundTrip, codexSandbox, codexApprovals])
        expect(yield* check.inspect(surroundings({ ...wanted, findCodex: noCli(code) }))).toMatchObject({
          status: "skipped"
        })
    })
  )

  it.effect("Claude Code is nothing that is needed then", () =>
    Effect.gen(function* () {
      const report = yield* runChecks(
        surroundings({ ...wanted, ...there, findCli: noCli("CLI_NOT_FOUND"), env: { OPENAI_API_KEY: "x" } })
      )
      expect(report).toMatchObject({ ok: true, problems: 0, warnings: 0 })
    })
  )
})

describe("the version of Codex", () => {
  it.effect.each([
    ["0.100.0", "warning", "older"],
    ["0.150.1", "ok", "measured"],
    ["0.155.0", "ok", "between"],
    ["0.166.0", "ok", "measured"],
    ["0.170.0", "warning", "newer"]
  ])("%s is %s: %s", ([version = "", status, standing]) =>
    Effect.gen(function* () {
      const findCodex = Effect.succeed(cliOf(version, "/bin/codex"))
      const found = yield* codexVersion.inspect(surroundings({ findCodex }))
      expect(found).toMatchObject({ status, facts: { standing } })
      expect(found.advice === undefined).toBe(status === "ok")
      if (standing === "newer") expect(found.advice).toContain("agentwire drift --cli /bin/codex")
    })
  )
})

describe("the login of Codex", () => {
  const text = 'model_provider = "mine"\n'
  it.effect.each([
    ["in a variable", { env: { OPENAI_API_KEY: "k-of-somebody" } }, "OPENAI_API_KEY is set."],
    ["in a file", { hasCodexLogin: Effect.succeed(true) }, "Codex has a login."],
    [
      "nothing that is needed",
      { codexConfig: Effect.succeed({ path: "/c", text }) },
      "/c names the model provider mine."
    ]
  ] as const)("is %s", ([, but, found]) =>
    Effect.gen(function* () {
      expect(yield* codexLogin.inspect(surroundings({ env: {}, ...wanted, ...there, ...but }))).toMatchObject({
        status: "ok",
        found
      })
    })
  )

  it.effect("that was not seen is a warning where Codex has to work", () =>
    Effect.gen(function* () {
      expect(yield* codexLogin.inspect(surroundings({ ...there, env: {} }))).toMatchObject({ status: "ok" })
      expect(yield* codexLogin.inspect(surroundings({ ...wanted, ...there, env: {} }))).toMatchObject({
        status: "warning",
        advice: expect.stringContaining("codex login")
      })
    })
  )
})

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
    ["is ok without Codex", { findCodex: noCli("CLI_NOT_FOUND") }, "ok"],
    ["is skipped when nothing is to be run", { options: { ...options, run: false } }, "skipped"]
  ] as const)("%s", ([, but, status]) =>
    Effect.gen(function* () {
      expect(yield* codexRoundTrip.inspect(surroundings({ ...there, ...but }))).toMatchObject({ status })
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
    ["is ok without Codex", { findCodex: noCli("CLI_NOT_FOUND") }, "ok"],
    ["is skipped when nothing is to be run", { options: { ...options, run: false } }, "skipped"]
  ] as const)("%s", ([, but, status]) =>
    Effect.gen(function* () {
      expect(yield* codexSandbox.inspect(surroundings({ ...there, ...but }))).toMatchObject({ status })
    })
  )
})

describe("what Codex runs without asking", () => {
  it.effect("is also what rules of the person's allow", () =>
    Effect.gen(function* () {
      const text =
        'prefix_rule(pattern=["ls"], decision="allow")\n# decision="allow"\nprefix_rule(pattern=["rm"], decision="prompt")\n'
      const codexRules = Effect.succeed([{ path: "/c/rules/default.rules", text }])
      const found = yield* codexApprovals.inspect(surroundings({ ...there, codexRules }))
      expect(found).toMatchObject({ status: "ok", facts: { allowRules: 1 } })
      expect(found.found).toContain("By a rule in /c/rules/default.rules")
    })
  )

  it.effect.each([
    [undefined, "ok"],
    ['approval_policy = "on-request"\n', "ok"],
    ['model = "m"\napproval_policy = "never" # so\n', "warning"],
    ["sandbox_mode = 'danger-full-access'", "warning"],
    ['[profiles.fast]\napproval_policy = "never"\n', "ok"]
  ] as const)("%j is %s", ([text, status]) =>
    Effect.gen(function* () {
      const codexConfig = Effect.succeed({ path: "/c/config.toml", text })
      const found = yield* codexApprovals.inspect(surroundings({ ...there, codexConfig }))
      expect(found.status).toBe(status)
      expect(found.found).toContain(
        status === "ok" && text !== undefined && !text.startsWith("[") ? "on-request" : "/c/config.toml"
      )
    })
  )
})
