/** The package as a stranger gets it: packed, installed into an empty project, imported. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "agentwire-stranger-"))
const project = join(folder, "project")

const run = (command: string, args: ReadonlyArray<string>, cwd = project): string =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

beforeAll(() => {
  mkdirSync(project)
  run("npm", ["pack", "--workspaces", "--pack-destination", folder], root)
  const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }))
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs.map((name) => join(folder, name))])
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const source = `
import { Agui, Claude } from "@agentwire/protocol"
import { decodeLine, drift, encodeLine } from "@agentwire/protocol/claude"
import * as Schema from "effect/Schema"

const line = '{"type":"system","subtype":"session_state_changed","state":"idle","uuid":"u","session_id":"s","new":1}'
const decoded = decodeLine(line)
if (decoded._tag !== "Known" || decoded.name !== "system/session_state_changed") throw new Error("not known")
const state: "idle" | "running" | "requires_action" | string = decoded.message.state
console.log(state, JSON.stringify(drift(decoded.message)), encodeLine(decoded.message) === line + "\\n")

const message: Claude.MessageOf<"keep_alive"> = { type: "keep_alive" }
const event: typeof Agui.AguiEvent.Type = { type: "RUN_STARTED", threadId: "t", runId: "r" }
console.log(message.type, Schema.is(Agui.AguiEvent)(event))
`

/** The compiler complains of an expected error that is none, so this says whether it looked at all. */
const wrong = `
import { Claude } from "@agentwire/protocol"
// @ts-expect-error: there is no such message
export const message: Claude.MessageOf<"keep_alive"> = { type: "keep_dead" }
`

const printed = 'idle [{"path":"$.new","example":1}] true\nkeep_alive true\n'

describe("the packed package", () => {
  it("type-checks in a stranger's project, libraries included, and refuses what the types forbid", () => {
    writeFileSync(join(project, "main.ts"), source)
    writeFileSync(join(project, "wrong.ts"), wrong)
    const options = { strict: true, noEmit: true, module: "nodenext", target: "es2022", skipLibCheck: false, types: [] }
    const files = ["main.ts", "wrong.ts"]
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files }))
    expect(run(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc")])).toBe("")
  })

  it("runs in plain Node", () => {
    const plain = source.replace(/^const (state|message|event): [^=]+ =/gm, "const $1 =")
    writeFileSync(join(project, "main.mjs"), plain)
    expect(run(process.execPath, ["main.mjs"])).toBe(printed)
  })

  it("brings its JSON Schema files", () => {
    const code = `import schema from "@agentwire/protocol/schema/claude-code.json" with { type: "json" }
      console.log(schema.$schema)`
    writeFileSync(join(project, "schema.mjs"), code)
    expect(run(process.execPath, ["--no-warnings", "schema.mjs"])).toContain("draft/2020-12")
  })

  it.each(["@agentwire/protocol", "@agentwire/fixtures", "@agentwire/bridge", "agentwire"])(
    "%s brings what people look for",
    (name) => {
      for (const file of ["README.md", "LICENSE", "CHANGELOG.md"])
        expect(existsSync(join(project, "node_modules", name, file)), file).toBe(true)
    }
  )

  it("brings the command", () => {
    const agentwire = join(project, "node_modules", ".bin", "agentwire")
    expect(run(agentwire, ["--version"])).toMatch(/^\d+\.\d+\.\d+\n$/)
    writeFileSync(join(project, "session.ndjson"), '{"type":"keep_alive"}\n')
    expect(run(agentwire, ["decode", "session.ndjson"])).toContain("1 known")
  })

  it("brings the tapes, which the command reads and replays", () => {
    const code = `import { findTape, tapes } from "@agentwire/fixtures"
      const tape = findTape({ scenario: "plain_text", version: "2.1.325" })
      console.log(JSON.stringify({ count: tapes.length, file: tape.file }))`
    writeFileSync(join(project, "tapes.mjs"), code)
    const { count, file } = JSON.parse(run(process.execPath, ["tapes.mjs"]))
    expect(count).toBeGreaterThan(900)
    const agentwire = join(project, "node_modules", ".bin", "agentwire")
    expect(run(agentwire, ["decode", file])).toContain("0 unknown, 0 invalid")
    expect(run(agentwire, ["replay", file, "--", "--version"])).toBe("2.1.325 (Claude Code)\n")
  })

  it("comes without the MCP SDK, and says what to install when an MCP client calls", () => {
    expect(existsSync(join(project, "node_modules", "@modelcontextprotocol"))).toBe(false)
    const code = `import { Bridge } from "@agentwire/bridge"
      const bridge = new Bridge({ port: 0, token: "a-token-for-this-test" })
      const { url } = await bridge.start()
      await bridge.createSession({ threadId: "t" })
      const answer = await fetch(url + "/mcp/t", {
        method: "POST",
        headers: { authorization: "Bearer a-token-for-this-test", "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })
      })
      console.log(answer.status, await answer.text())
      await bridge.stop()`
    writeFileSync(join(project, "mcp.mjs"), code)
    const printed = run(process.execPath, ["mcp.mjs"])
    expect(printed).toContain('501 {"error":{"code":"MCP_NOT_INSTALLED"')
    expect(printed).toContain("install it beside agentwire")
  })
})
