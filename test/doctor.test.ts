/** `agentwire doctor` as a process of its own: with the real CLI all is well, and Ctrl-C leaves nothing behind. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { installCli } from "@agentwire/fixtures"
import { schemaVersion } from "@agentwire/protocol/codex"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { isAlive, livingIn } from "../packages/bridge/test/FakeCli.ts"
import type { DoctorReport } from "../packages/cli/src/doctor/Finding.ts"
import { agentwireArgs } from "../packages/cli/test/AgentwireCommand.ts"
import { installCodex } from "../packages/fixtures/src/codex/InstallCodex.ts"

const key = "a-key-that-nobody-may-see"

let root = ""
let tmp = ""
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-doctor-live-")))
  tmp = join(root, "tmp")
  mkdirSync(tmp)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const start = (...args: ReadonlyArray<string>) => startIn(process.env["PATH"], ...args)

const startIn = (path: string | undefined, ...args: ReadonlyArray<string>) => {
  const env = { PATH: path, HOME: root, TMPDIR: tmp, ANTHROPIC_API_KEY: key }
  const child = spawn(process.execPath, [...agentwireArgs, "doctor", ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"]
  })
  let out = ""
  let err = ""
  child.stdout.on("data", (chunk) => {
    out += chunk
  })
  child.stderr.on("data", (chunk) => {
    err += chunk
  })
  const ended = once(child, "close").then(([code]: ReadonlyArray<unknown>) => ({ code, out, err }))
  return { child, ended }
}

const pathOf = async (version: string): Promise<string> => {
  const { args, program } = await installCli(version)
  return args[0] ?? program
}

/** Nothing but what the CLIs of npm and tsx keep for themselves. */
const left = () => readdirSync(tmp).filter((name) => name.startsWith("agentwire"))

describe("agentwire doctor", () => {
  it.each([
    ["2.1.325", "auto"],
    ["2.1.197", "stdio"],
    ["2.1.37", "ws"]
  ] as const)("%s over %s is in order", async (version, transport) => {
    const args = ["--json", "--cli", await pathOf(version), "--transport", transport]
    const { code, err, out } = await start(...args).ended
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).not.toContain(key)
    const { checks, ok } = JSON.parse(out) as DoctorReport
    expect(ok).toBe(true)
    // The port is whoever's it is.
    expect(checks.filter(({ check, status }) => status !== "ok" && check !== "port")).toEqual([])
    const facts = Object.fromEntries(checks.map(({ check, facts }) => [check, facts]))
    expect(facts).toMatchObject({
      cli: { version },
      version: { standing: "measured" },
      transport: { transport: transport === "ws" ? "ws" : "stdio" },
      "round-trip": { errors: 0, warnings: 0 }
    })
    expect(facts["round-trip"]?.["asked"]).toBeGreaterThan(0)
    expect(left()).toEqual([])
  })

  it("finds the real Codex, hears its answer and tries its sandbox", async () => {
    const { program } = await installCodex(schemaVersion)
    mkdirSync(join(root, ".codex"))
    writeFileSync(join(root, ".codex", "config.toml"), 'approval_policy = "never"\n')
    // Claude Code is nowhere, and nobody asks for it.
    const { code, out } = await startIn(dirname(process.execPath), "--json", "--cli", program).ended
    const { checks, ok } = JSON.parse(out) as DoctorReport
    expect({ code, ok }).toEqual({ code: 0, ok: true })
    const found = Object.fromEntries(checks.map(({ check, facts, status }) => [check, { status, facts }]))
    expect(found).toMatchObject({
      cli: { status: "ok" },
      codex: { status: "ok", facts: { installed: true, version: schemaVersion, path: program } },
      "codex-version": { status: "ok", facts: { standing: "measured" } },
      "codex-round-trip": { status: "ok" },
      // Held back by the sandbox: the command that wants to write fails.
      "codex-sandbox": { status: "ok" },
      "codex-approvals": { status: "warning", facts: { approvalPolicy: "never" } }
    })
    expect(found["codex-sandbox"]?.facts?.["exitCode"]).not.toBe(0)
    expect(left()).toEqual([])
  })

  it("says what a version cannot do", async () => {
    const { code, out } = await start("--cli", await pathOf("2.1.325"), "--transport", "ws").ended
    expect(code).toBe(1)
    expect(out).toMatch(/^problem +Transport +ws was asked for, which 2\.1\.325 refuses/m)
    expect(out).toMatch(/^skipped +Round trip/m)
  })

  it.each(["SIGINT", "SIGTERM"] as const)("%s in mid-prompt leaves nothing behind", async (signal) => {
    const file = join(root, "claude")
    writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && { echo 2.1.325; exit; }\nexec tail -f /dev/null\n`, {
      mode: 0o755
    })
    const { child, ended } = start("--cli", file)
    const running = () => left().flatMap((name) => livingIn(join(tmp, name, "project")))
    await expect.poll(() => running().length, { timeout: 60_000 }).toBeGreaterThan(0)
    const started = running()
    child.kill(signal)
    expect(await ended).toEqual({ code: 2, out: "", err: "Stopped before everything was checked.\n" })
    expect(left()).toEqual([])
    expect(started.filter(isAlive)).toEqual([])
  })
})
