/**
 * The command line of `agentwire app-server`: addresses, the shim, and what the shim does with command lines of codex.
 */
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { schemaVersion } from "@agentwire/protocol/codex"
import { afterAll, assert, describe, it } from "vitest"
import { readCodexCommand } from "../../src/appserver/AsCodex.ts"
import { listeningOf } from "../../src/appserver/Listen.ts"
import { UsageFailure } from "../../src/Failure.ts"
import { agentwireCommand } from "../AgentwireCommand.ts"
import { run } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("an address", () => {
  const of = (listen: string) => listeningOf({ values: { listen } })

  it("is one of Codex's", () => {
    assert.deepStrictEqual(listeningOf({ values: {} }), { _tag: "Stdio" })
    assert.deepStrictEqual(of("stdio://"), { _tag: "Stdio" })
    assert.deepStrictEqual(of("ws://127.0.0.1:0"), { _tag: "WebSocket", host: "127.0.0.1", port: 0 })
    assert.deepStrictEqual(of("ws://[::1]:4500"), { _tag: "WebSocket", host: "::1", port: 4500 })
    assert.deepStrictEqual(of("unix:///run/a.sock"), { _tag: "Unix", path: "/run/a.sock" })
  })

  it("is refused when it is none", () => {
    for (const listen of ["", "off", "ws://127.0.0.1", "ws://127.0.0.1:70000", "http://127.0.0.1:1", "unix://"])
      assert.throws(() => of(listen), UsageFailure)
  })
})

describe("what cannot be", () => {
  it("is said in the words of this command", async () => {
    const taken = createServer().listen(0, "127.0.0.1")
    await once(taken, "listening")
    const { port } = taken.address() as AddressInfo
    const demo = ["--demo", "--no-data"]
    const inUse = await run(["app-server", "--listen", `ws://127.0.0.1:${port}`, ...demo])
    taken.close()
    assert.deepStrictEqual([inUse.code, inUse.out], [2, ""])
    assert.match(inUse.err, /port is in use.*--listen ws:\/\/127\.0\.0\.1:0 takes any that is free/)
    const nowhere = await run(["app-server", "--listen", `unix://${join(folder, "none", "s.sock")}`, ...demo])
    assert.include(nowhere.err, `there is no folder ${join(folder, "none")}`)
    const unnamed = await run(["app-server", "--shim", ""])
    assert.deepStrictEqual([unnamed.code, unnamed.out], [2, ""])
    for (const { err } of [inUse, nowhere, unnamed]) assert.notMatch(err, /^\s+at /m)
  })
})

describe("a command line of codex", () => {
  const rows = [
    ["--version", { _tag: "Version" }],
    ["app-server", { _tag: "AppServer", listen: undefined }],
    ["app-server --listen stdio://", { _tag: "AppServer", listen: "stdio://" }],
    ["app-server --listen=ws://127.0.0.1:1", { _tag: "AppServer", listen: "ws://127.0.0.1:1" }],
    ["-c model=a app-server -c b=c --enable x", { _tag: "AppServer", listen: undefined }],
    ["exec --json", { _tag: "Other" }],
    ["app-server generate-ts --out x", { _tag: "Other" }],
    ["app-server --help", { _tag: "Other" }],
    ["", { _tag: "Other" }]
  ] as const

  it.each(rows)("%s", (line, expected) => {
    assert.deepStrictEqual(readCodexCommand(line.split(" ").filter(Boolean)), expected)
  })
})

describe("the shim", () => {
  it("is a codex that knows its version, and hands on what is the real one's", () => {
    const real = join(folder, "real")
    execFileSync("mkdir", [real])
    writeFileSync(join(real, "codex"), '#!/bin/sh\necho "real: $*"\nexit 3\n', { mode: 0o755 })
    const [node, ...args] = agentwireCommand
    const written = execFileSync(
      node,
      [...args, "app-server", "--shim", join(folder, "shim"), "--demo", "--no-data", "--speed", "instant"],
      { encoding: "utf8", env: { ...process.env, PATH: `${real}:${process.env["PATH"]}` } }
    ).trim()
    assert.strictEqual(written, join(folder, "shim", "codex"))
    assert.strictEqual(statSync(written).mode & 0o777, 0o755)
    assert.include(readFileSync(written, "utf8"), "--demo")
    assert.strictEqual(
      execFileSync(written, ["--version"], { encoding: "utf8", env: {} }),
      `codex-cli ${schemaVersion}\n`
    )
    const handed = assertFails(() => execFileSync(written, ["exec", "a b"], { encoding: "utf8", env: {} }))
    assert.deepStrictEqual(handed, { status: 3, stdout: "real: exec a b\n" })
    const hello = '{"id":1,"method":"initialize","params":{"clientInfo":{"name":"t","version":"1"}}}\n'
    const answer = execFileSync(written, ["app-server"], {
      encoding: "utf8",
      env: {},
      input: hello,
      stdio: ["pipe", "pipe", "ignore"]
    })
    assert.match(answer, /^\{"id":1,"result":\{.*\}\}\n$/)
  })
})

/** How a program failed. */
const assertFails = (run: () => string): { readonly status: unknown; readonly stdout: unknown } => {
  try {
    run()
  } catch (error) {
    const { status, stdout } = error as { readonly status: unknown; readonly stdout: unknown }
    return { status, stdout }
  }
  throw new Error("it did not fail")
}
