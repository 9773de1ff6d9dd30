/** A machine on which everything is in order, for tests to break one thing of. */
import { LaunchFailed } from "@agentwire/bridge/claude"
import * as Effect from "effect/Effect"
import { codexAnswer } from "../../src/doctor/CodexTrip.ts"
import { sandboxAnswer } from "../../src/doctor/SandboxTrip.ts"
import type { DoctorOptions, Surroundings } from "../../src/doctor/Surroundings.ts"
import { aRoundTrip, saying } from "./trips.ts"

/** What the command was told: nothing. */
export const options: DoctorOptions = {
  runtime: "claude",
  cli: undefined,
  transport: "auto",
  run: true,
  timeoutMs: 60_000
}

/** A CLI of that version. */
export const cliOf = (version: string, program = "/usr/bin/claude") => ({ program, args: [], version })

/** A CLI that was not found, and why. */
export const noCli = (code: string, message = "It is not there.") => Effect.fail(new LaunchFailed({ code, message }))

/** The machine, but for what a test says of it. */
export const surroundings = (but: Partial<Surroundings> = {}): Surroundings => ({
  options,
  env: { ANTHROPIC_API_KEY: "a key of somebody" },
  platform: "linux",
  node: "v22.1.0",
  agentwire: { version: "1.2.3", node: ">=20.19" },
  findCli: Effect.succeed(cliOf("2.1.325")),
  roundTrip: () => Effect.succeed(aRoundTrip()),
  state: Effect.succeed({ _tag: "Absent", path: "/state/index.json" }),
  port: () => Effect.succeed({ free: true }),
  hasLogin: Effect.succeed(false),
  packageVersion: () => Effect.succeed(undefined),
  findCodex: noCli("CLI_NOT_FOUND"),
  codexTrip: () => Effect.succeed({ events: saying(codexAnswer), problems: [], stderr: "", milliseconds: 1234 }),
  sandboxTrip: () => Effect.succeed({ exitCode: 1, said: sandboxAnswer, stderr: "", milliseconds: 1234 }),
  hasCodexLogin: Effect.succeed(false),
  codexConfig: Effect.succeed({ path: "/home/me/.codex/config.toml", text: undefined }),
  codexRules: Effect.succeed([]),
  ...but
})
