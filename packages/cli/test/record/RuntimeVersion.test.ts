import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { findRuntime } from "../../src/record/RuntimeVersion.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-version-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (path: string, manifest?: object): string => {
  const whole = join(folder, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, "")
  if (manifest !== undefined) writeFileSync(join(dirname(whole), "package.json"), JSON.stringify(manifest))
  return whole
}

const runtimeVersion = (command: ReadonlyArray<string>) => findRuntime(command).version
const known = (command: ReadonlyArray<string>) => {
  const { runtime, version } = findRuntime(command)
  return [runtime.kind, version]
}

describe("the version of a CLI", () => {
  it("is that of its npm package, run by itself or by node", () => {
    const script = file("npm/cli.js", { name: "@anthropic-ai/claude-code", version: "2.1.37" })
    expect([runtimeVersion([script, "-p"]), runtimeVersion(["node", script, "-p"])]).toEqual(["2.1.37", "2.1.37"])
  })

  it("is that of its binary's package, found through a link", () => {
    const binary = file("native/claude", { name: "@anthropic-ai/claude-code-linux-x64", version: "2.1.120" })
    const link = join(folder, "link")
    symlinkSync(binary, link)
    expect(runtimeVersion([link])).toBe("2.1.120")
  })

  it("is the name of the file where the native installer put it", () => {
    expect(runtimeVersion([file("versions/2.1.325")])).toBe("2.1.325")
  })

  it("goes with the Agent SDK's", () => {
    const manifest = { name: "@anthropic-ai/claude-agent-sdk-linux-x64", version: "0.3.325" }
    expect(runtimeVersion([file("sdk/claude", manifest)])).toBe("2.1.325")
  })

  it("is unknown where no file tells", () => {
    expect(runtimeVersion([file("other/claude", { name: "other", version: "1.0.0" }), "-p"])).toBeUndefined()
    expect(runtimeVersion([join(folder, "absent")])).toBeUndefined()
  })

  it("is that of Codex's packages, of the launcher and of the program of a platform", () => {
    const manifest = (version: string) => ({ name: "@openai/codex", version })
    file("codex/package", manifest("0.166.0"))
    file("platform/package", manifest("0.166.0-linux-x64"))
    expect(known([file("codex/bin/codex.js")])).toEqual(["codex", "0.166.0"])
    expect(known(["node", file("codex/bin/launcher.js"), "app-server"])).toEqual(["codex", "0.166.0"])
    expect(known([file("platform/vendor/x86_64-unknown-linux-musl/bin/codex")])).toEqual(["codex", "0.166.0"])
  })
})

describe("the runtime of a command", () => {
  it("is told by its name where no file tells, and is Claude Code where that does not either", () => {
    expect(known([join(folder, "absent", "codex"), "app-server"])).toEqual(["codex", undefined])
    expect(known(["node", "codex-0.166.0.js"])).toEqual(["codex", undefined])
    expect(known(["claude", "codex"])).toEqual(["claude", undefined])
    expect(known(["agent"])).toEqual(["claude", undefined])
  })
})
