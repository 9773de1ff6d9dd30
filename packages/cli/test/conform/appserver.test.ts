/** `agentwire conform --app-server` and servers that are wrong in one way each, written for it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { appServerTarget } from "../../src/conform/appserver/index.ts"
import { run } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A server that greets, lists no threads, and does one thing more, or otherwise. */
const server = (name: string, wrong: string): string => {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(
    file,
    `import { createInterface } from "node:readline"
const say = (message) => console.log(JSON.stringify(message))
const greeting = { userAgent: "test", codexHome: "/tmp", platformFamily: "unix", platformOs: "linux" }
let greeted = false
const answer = (id, method) => {
  if (method === "initialize") {
    greeted = true
    return say({ id, result: greeting })
  }
  if (!greeted) return say({ id, error: { code: -32600, message: "Not initialized" } })
  say({ id, result: { data: [], nextCursor: null } })
}
${wrong}
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) hear(id, method)
})
`
  )
  return `${process.execPath} ${file}`
}

const judged = async (command: string) => {
  const { code, out } = await run(["conform", "--app-server", command, "--only", "APP-001", "--timeout", "5", "--json"])
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  return { code, rules: [...new Set(lines.flatMap(({ rule }) => (rule === undefined ? [] : [rule])))] }
}

describe("agentwire conform --app-server", () => {
  it.each([
    ["good", "const hear = answer", []],
    ["twice", "const hear = (...asked) => { answer(...asked); answer(...asked) }", ["APP-ANSWER-002"]],
    ["chatty", 'console.log("Starting …"); const hear = answer', ["APP-WIRE-001"]],
    [
      "formal",
      "const hear = (id) => say({ jsonrpc: '2.0', id, result: id === 1 ? greeting : { data: [], nextCursor: null } })",
      ["APP-WIRE-002"]
    ],
    ["silent", "const hear = (id, method) => method === 'initialize' && answer(id, method)", ["APP-PLAY-001"]],
    ["stubborn", "process.on('exit', () => { process.exitCode = 3 }); const hear = answer", ["APP-PLAY-003"]]
  ])("judges a server that is %s", async (name, wrong, rules) => {
    const found = await judged(server(name, wrong))
    expect([...found.rules].sort()).toEqual(rules)
    const isError = rules.some((rule) => rule !== "APP-WIRE-002")
    expect(found.code).toBe(isError ? 1 : 0)
  })

  it("tells what is no server", async () => {
    const { code, err } = await run(["conform", "--app-server", `${process.execPath} -e 0`, "--only", "APP-001"])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("The server said nothing in any scenario.") })
  })

  it("reads commands and URLs", () => {
    expect(appServerTarget(`node "my server.mjs" --flag 'a b'`, undefined)).toEqual({
      _tag: "Command",
      program: "node",
      args: ["my server.mjs", "--flag", "a b"]
    })
    expect(appServerTarget("ws://127.0.0.1:1", "t")).toEqual({ _tag: "Url", url: "ws://127.0.0.1:1", token: "t" })
    expect(() => appServerTarget(" ", undefined)).toThrow("needs a command or a URL")
  })
})
