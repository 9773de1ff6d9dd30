import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach, describe, expect, it } from "vitest"
import { agentwireArgs } from "../AgentwireCommand.ts"
import { run } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-model-"))
const root = fileURLToPath(new URL("../../../..", import.meta.url))
const children: Array<ChildProcess> = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
  return path
}

/** The command as a process of its own, once it has said so many lines: it is ended by a signal. */
const start = async (count: number, ...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [...agentwireArgs, "model", ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"]
  })
  children.push(child)
  let err = ""
  child.stderr.on("data", (chunk) => {
    err += chunk
  })
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve))
  const lines: Array<string> = []
  for await (const line of createInterface({ input: child.stdout }))
    if (lines.push(line) === count) return { child, err: () => err, exit, lines }
  throw new Error(`it said nothing: ${err}`)
}

const greeting = {
  name: "greeting",
  model: {
    replies: [
      { kind: "error", status: 529, type: "overloaded_error", message: "Overloaded" },
      { kind: "message", writeBytes: 3, blocks: [{ kind: "text", deltas: ["Grüße ", "日本 ", "😀"] }] }
    ]
  }
}

describe("agentwire model", () => {
  it("serves until Ctrl-C, and says what it was asked", async () => {
    const { child, err, exit, lines } = await start(1, "--scenario", file("greeting.json", greeting))
    const [line = ""] = lines
    expect(line).toMatch(/^ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/)
    const body = { stream: true, tools: [{ name: "Bash" }], messages: [{ role: "user", content: "Hi" }] }
    const ask = () => fetch(`${line.split("=")[1]}/v1/messages`, { method: "POST", body: JSON.stringify(body) })
    expect((await ask()).status).toBe(529)
    expect(await (await ask()).text()).toContain("message_stop")
    child.kill("SIGINT")
    expect(await exit).toBe(0)
    expect(err()).toMatch(/Playing greeting\. Ctrl-C ends it\.\n\/v1\/messages {2}main, \d+ messages?, streamed\n/)
  })

  it("plays the Responses API for Codex, from a file, and prints what belongs into its config.toml", async () => {
    const script = { model: { replies: [{ kind: "text", deltas: ["Hel", "lo"] }] } }
    const { child, err, exit, lines } = await start(
      6,
      "--api",
      "responses",
      "--scenario",
      file("hello.json", { name: "hello", ...script })
    )
    expect(lines.slice(0, 4)).toEqual([
      'model = "gpt-5.5"',
      'model_provider = "scripted"',
      "[model_providers.scripted]",
      'name = "scripted"'
    ])
    const url = /^base_url = "(.*)"$/.exec(lines[4] ?? "")?.[1] ?? ""
    const ask = () => fetch(`${url}/responses`, { method: "POST", body: '{"stream":true,"input":[{},{}]}' })
    expect(await (await ask()).text()).toContain('"text":"Hello"')
    expect(await (await ask()).text()).toContain('"text":"Done."')
    child.kill("SIGINT")
    expect(await exit).toBe(0)
    expect(err()).toContain("Playing hello. Ctrl-C ends it.\n/v1/responses  main, 2 messages, streamed\n")
  })

  it("plays the Responses API without a file, too", async () => {
    const { lines } = await start(1, "--api", "responses", "--json")
    const { scenario, url } = JSON.parse(lines[0] ?? "")
    expect(scenario).toBe('a model that says "Done."')
    expect(await (await fetch(`${url}/v1/responses`, { method: "POST", body: "{}" })).text()).toContain("Done.")
  })

  it("says what is wrong with a file of the other API", async () => {
    const { code, err } = await run(["model", "--api", "responses", "--scenario", file("other.json", greeting)])
    expect(code).toBe(2)
    expect(err).toContain("other.json is not a scenario file:\n  $.model.replies[1]")
  })

  it("says when the port is taken", async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const { code, err } = await run(["model", "--scenario", file("a.json", greeting), "--port", String(port)])
    server.close()
    expect({ code, err }).toEqual({
      code: 2,
      err: `Port ${port} is taken by another program. Choose another, or leave --port out.\n`
    })
  })

  it("tells a program its address, and answers there", async () => {
    const { lines } = await start(1, "--json", "--scenario", file("json.json", { model: greeting.model }))
    const { scenario, url, ...rest } = JSON.parse(lines[0] ?? "")
    expect({ rest, scenario }).toEqual({ rest: {}, scenario: join(folder, "json.json") })
    expect((await fetch(`${url}/v1/models`)).status).toBe(200)
  })

  it("says what is wrong with the file, and where", async () => {
    const path = file("wrong.json", { model: { replies: [{ kind: "message", blocks: [{ kind: "text" }] }], lane: 1 } })
    const { code, err } = await run(["model", "--scenario", path])
    expect(code).toBe(2)
    expect(err).toContain("$.model.lane: Expected no excess property")
    expect(err).toContain("$.model.replies[0].blocks[0].deltas: Missing key")
  })

  it.each([
    [["model"], "model needs --scenario FILE."],
    [["model", "--api", "dreams"], '--api takes messages or responses, not "dreams".'],
    [["model", "--scenario", "nowhere.json"], "Cannot read nowhere.json: there is no such file."],
    [["model", "--scenario", "a", "--port", "x"], '--port takes a whole number from 0 to 65535, not "x".']
  ])("refuses %j", async (args, message) => {
    const { code, err } = await run(args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
