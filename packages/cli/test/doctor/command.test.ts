/** The command with programs that stand in for the CLI, each with one fault. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { Checked, DoctorReport } from "../../src/doctor/Finding.ts"
import { run } from "../run.ts"

// What a developer has set must not decide what is tested.
const settings = { ANTHROPIC_API_KEY: "not-to-be-shown-anywhere", XDG_STATE_HOME: "", CLAUDE_PATH: "", NO_COLOR: "" }

let folder = ""
let tmp = ""
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-doctor-test-")))
  tmp = join(folder, "tmp")
  mkdirSync(tmp)
  for (const [name, value] of Object.entries({ ...settings, HOME: folder, TMPDIR: tmp })) vi.stubEnv(name, value)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** A shell script that tells a version, and does something else when it is to talk. */
const fakeCli = (does: string, version = "echo '2.1.325 (Claude Code)'"): string => {
  const file = join(folder, "claude")
  writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && { ${version}; exit; }\n${does}\n`, { mode: 0o755 })
  return file
}

const hang = "exec tail -f /dev/null"

const examine = async (...args: ReadonlyArray<string>) => {
  const { code, err, out } = await run(["doctor", "--json", ...args])
  expect(err).toBe("")
  expect(out).not.toContain("not-to-be-shown")
  expect(readdirSync(tmp)).toEqual([])
  const report = JSON.parse(out) as DoctorReport
  const of = (check: string): Checked | undefined => report.checks.find((each) => each.check === check)
  return { code, report, of }
}

describe("agentwire doctor", () => {
  it("finds no CLI, and looks at the rest all the same", async () => {
    vi.stubEnv("PATH", folder)
    const { code, of, report } = await examine()
    expect(code).toBe(1)
    expect(report).toMatchObject({ ok: false, problems: 1 })
    expect(of("cli")).toMatchObject({ status: "problem", facts: { code: "CLI_NOT_FOUND" } })
    expect(of("node")).toMatchObject({ status: "ok", facts: { version: process.versions.node } })
    expect(of("login")).toMatchObject({ status: "ok", found: "ANTHROPIC_API_KEY is set." })
    expect(of("state")).toMatchObject({ status: "ok" })
    expect(of("package:vitest")).toMatchObject({ facts: { installed: true } })
    expect(of("package:@ag-ui/proto")?.status).toBe("ok")
  })

  it("does not run the CLI with --no-run", async () => {
    const { code, of } = await examine("--no-run", "--cli", fakeCli(`touch ${folder}/ran`))
    expect(code).toBe(0)
    expect(of("round-trip")).toMatchObject({ status: "skipped" })
    expect(readdirSync(folder)).not.toContain("ran")
  })

  it.each([
    ["exits at once", "30", "echo 'cannot find module' >&2; exit 1", "The CLI ended with code 1: cannot find module"],
    ["hangs", "2", hang, "did not answer `initialize`"],
    ["prints garbage", "3", `echo Welcome; ${hang}`, 'It said "Welcome", which is not its protocol.'],
    ["prints garbage and ends", "30", "echo Update me; exit 0", 'It said "Update me", which is not its protocol.']
  ])("a CLI that %s is a problem", async (_, timeout, does, words) => {
    const { code, of } = await examine("--timeout", timeout, "--cli", fakeCli(does))
    expect(code).toBe(1)
    expect(of("cli")).toMatchObject({ status: "ok", facts: { version: "2.1.325" } })
    expect(of("round-trip")).toMatchObject({ status: "problem" })
    expect(of("round-trip")?.found).toContain(words)
  })

  it.each([
    ["fails", "30", "echo no >&2; exit 3", "it failed with 3: no"],
    ["hangs", "1", hang, "it did not answer within 1000 ms"],
    ["prints no version", "30", "echo hello", 'it printed "hello"']
  ])("a CLI whose --version %s is a problem", async (_, timeout, version, words) => {
    const { code, of } = await examine("--timeout", timeout, "--cli", fakeCli("exit 1", version))
    expect(code).toBe(1)
    expect(of("cli")).toMatchObject({ status: "problem", facts: { code: "CLI_VERSION_UNKNOWN" } })
    expect(of("cli")?.found).toContain(words)
    expect(of("round-trip")).toMatchObject({ status: "skipped" })
  })

  it("a program that cannot be started is a problem", async () => {
    const file = join(folder, "claude")
    writeFileSync(file, "#!/no/such/interpreter\n", { mode: 0o755 })
    const { of } = await examine("--cli", file)
    expect(of("cli")).toMatchObject({ status: "problem" })
  })

  it("sees that something else is where threads are to be kept", async () => {
    const data = join(folder, ".local", "share", "agentwire")
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, "agentwire.db"), "no database")
    const { of } = await examine("--no-run")
    expect(of("state")).toMatchObject({ status: "problem", facts: { path: join(data, "agentwire.db") } })
  })

  it("sees that the port is taken", async () => {
    const server = createServer()
    // Where somebody else has it, it is taken all the same.
    await new Promise((resolve) => server.once("error", resolve).listen(3210, "127.0.0.1", () => resolve(undefined)))
    const { code, of } = await examine("--no-run", "--cli", fakeCli("exit 1"))
    server.close()
    expect(of("port")).toMatchObject({ status: "warning", facts: { port: 3210, free: false } })
    expect(code).toBe(0)
  })

  it("is readable without --json", async () => {
    const { code, out } = await run(["doctor", "--no-run", "--cli", fakeCli("exit 1")])
    expect(code).toBe(0)
    expect(out).toMatch(/^ok +Claude Code +2\.1\.325 at /m)
    expect(out).not.toContain("\u001b")
    expect(out).not.toContain("not-to-be-shown")
  })

  it.each([
    [["here"], 'doctor takes no "here".'],
    [["--cli", ""], "--cli is empty."],
    [["--transport", "pigeon"], '--transport takes auto, stdio or ws, not "pigeon".'],
    [["--timeout", "soon"], '--timeout takes a number of seconds above 0, up to 3600, not "soon".'],
    [["--timeout", "0"], "--timeout takes"]
  ])("refuses %j", async (args, words) => {
    const { code, err } = await run(["doctor", ...args])
    expect(code).toBe(2)
    expect(err).toContain(words)
  })
})
