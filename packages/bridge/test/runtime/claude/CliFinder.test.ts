/** Where the CLI is looked for, and what is said when it is not there or not it. */
import { appendFileSync, chmodSync, mkdirSync, readFileSync, utimesSync } from "node:fs"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { findCli } from "../../../src/runtime/claude/CliFinder.ts"
import { isAlive, scratch, writeScript } from "../../FakeCli.ts"

const says = (text: string) => `#!/bin/sh\necho "${text}"\n`
const path = process.env["PATH"] ?? ""

const failing = (options: Parameters<typeof findCli>[0]) => Effect.flip(findCli(options))

describe("CliFinder", () => {
  it.live("prefers the path it is given, then CLAUDE_PATH, then the PATH", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      mkdirSync(join(folder, "bin"))
      const given = writeScript(folder, "given", says("2.1.1 (Claude Code)"))
      const named = writeScript(folder, "named", says("2.1.2 (Claude Code)"))
      writeScript(join(folder, "bin"), "claude", says("2.1.3 (Claude Code)"))
      const inPath = { PATH: [join(folder, "none"), join(folder, "bin"), path].join(delimiter) }
      expect((yield* findCli({ cliPath: given, env: { ...inPath, CLAUDE_PATH: named } })).version).toBe("2.1.1")
      expect((yield* findCli({ env: { ...inPath, CLAUDE_PATH: named } })).version).toBe("2.1.2")
      expect(yield* findCli({ env: inPath })).toEqual({
        program: join(folder, "bin", "claude"),
        args: [],
        version: "2.1.3"
      })
    })
  )

  it.live("runs a script with node, executable or not", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const script = writeScript(folder, "cli.js", `console.log("2.1.37 (Claude Code)")`)
      chmodSync(script, 0o644)
      expect(yield* findCli({ cliPath: script })).toEqual({
        program: process.execPath,
        args: [script],
        version: "2.1.37"
      })
    })
  )

  it.live("asks for the version once, and again when the file has changed", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const log = join(folder, "log")
      appendFileSync(log, "")
      const script = writeScript(folder, "claude", `#!/bin/sh\necho asked >> '${log}'\necho 2.1.9\n`)
      const asked = () => readFileSync(log, "utf8").split("\n").length - 1
      yield* findCli({ cliPath: script })
      yield* findCli({ cliPath: script })
      expect(asked()).toBe(1)
      utimesSync(script, 1000, 1000)
      yield* findCli({ cliPath: script })
      expect(asked()).toBe(2)
    })
  )

  it.live("says what is wrong and what to do", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const plain = writeScript(folder, "plain", says("2.1.1"))
      chmodSync(plain, 0o644)
      const missing = join(folder, "missing")
      expect(yield* failing({ env: { PATH: folder } })).toMatchObject({
        code: "CLI_NOT_FOUND",
        message: expect.stringContaining("CLAUDE_PATH")
      })
      expect(yield* failing({ cliPath: missing })).toMatchObject({
        code: "CLI_NOT_FOUND",
        message: expect.stringContaining(missing)
      })
      expect(yield* failing({ env: { PATH: path, CLAUDE_PATH: folder } })).toMatchObject({ code: "CLI_NOT_FOUND" })
      expect(yield* failing({ cliPath: plain })).toMatchObject({
        code: "CLI_NOT_EXECUTABLE",
        message: expect.stringContaining("chmod +x")
      })
    })
  )

  it.live("does not take another program for the CLI, and does not wait for one that is silent", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const other = writeScript(folder, "other", says("no version here"))
      const broken = writeScript(folder, "broken", "#!/bin/sh\necho 'cannot open shared object' >&2\nexit 127\n")
      const silent = writeScript(folder, "silent.js", "setInterval(() => {}, 1000)")
      const codes = [
        [{ cliPath: other }, "no version here"],
        [{ cliPath: broken }, "cannot open shared object"],
        [{ cliPath: silent, versionLimitMs: 300 }, "300 ms"]
      ] as const
      for (const [options, why] of codes)
        expect(yield* failing(options)).toMatchObject({
          code: "CLI_VERSION_UNKNOWN",
          message: expect.stringContaining(why)
        })
    })
  )

  it.live("leaves nothing of a wrapper that hangs", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const wrapper = writeScript(folder, "wrapper", `#!/bin/sh\nsleep 1000 &\necho $! > ${folder}/pid\nwait\n`)
      yield* failing({ cliPath: wrapper, versionLimitMs: 300 })
      expect(isAlive(Number(readFileSync(join(folder, "pid"), "utf8")))).toBe(false)
    })
  )
})
