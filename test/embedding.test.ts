/** What docs/embedding.md shows is what runs: its snippets are the files of `embedding/`, each run as it is. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { HttpAgent } from "@ag-ui/client"
import { Bridge } from "@agentwire/bridge"
import { installCli, startModel } from "@agentwire/fixtures"
import { says, tool } from "@agentwire/fixtures/scenario"
import { HttpAgent as HttpAgent00 } from "agui-client-059"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { firstOf } from "../packages/fixtures/test/Sweep.ts"
import { standInCli } from "./bridge/ServeProcess.ts"

const folder = fileURLToPath(new URL("embedding/", import.meta.url))
const guide = readFileSync(new URL("../docs/embedding.md", import.meta.url), "utf8")
const root = mkdtempSync(join(tmpdir(), "agentwire-embedding-"))
for (const name of ["home", "tmp", "project"]) mkdirSync(join(root, name))
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

/** Runs a snippet in a folder of its own. */
const start = (name: string, env: Readonly<Record<string, string>>): { child: ChildProcess; out: () => string } => {
  const script = join(folder, `${name}.ts`)
  const loader = fileURLToPath(import.meta.resolve("tsx"))
  const child = spawn(process.execPath, ["--import", loader, script], {
    cwd: join(root, "project"),
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: join(root, "home"),
      TMPDIR: join(root, "tmp"),
      DISABLE_TELEMETRY: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      ...env
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let out = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += chunk))
  onTestFinished(() => void child.kill("SIGKILL"))
  return { child, out: () => out }
}

const ended = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null) await once(child, "exit")
  return child.exitCode
}

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return String(typeof address === "object" ? address?.port : 0)
}

describe("docs/embedding.md", () => {
  it("shows the snippets as they are", () => {
    const shown = [...guide.matchAll(/<!-- test\/embedding\/([\w.]+) -->\n```tsx?\n([\s\S]*?)```/g)]
    expect(shown.map(([, name]) => name).sort()).toEqual(readdirSync(folder).sort())
    for (const [, name = "", text] of shown) expect(text).toBe(readFileSync(join(folder, name), "utf8"))
  })

  it("names methods that exist, and leaves out none", () => {
    const table = guide.slice(guide.indexOf("## Names in copilotkit-claude-bridge"))
    const ours = table.split("\n").flatMap((row) => /^\|[^|]*\|(.*)\|$/.exec(row)?.[1] ?? [])
    const called = ours.flatMap((cell) =>
      [...cell.matchAll(/`(?:\(await )?([a-z]\w*)\(/g)].map(([, name = ""]) => name)
    )
    const elsewhere = ["useClaudeBridge", "useToolApprovals"]
    const methods = Object.getOwnPropertyNames(Bridge.prototype)
    expect(called.filter((name) => !methods.includes(name) && !elsewhere.includes(name))).toEqual([])
    const unnamed = methods.filter((name) => name !== "constructor" && !guide.includes(name))
    expect(unnamed).toEqual([])
  })

  it.each(firstOf(3, ["serve", "express", "effect", "http", "hono", "fastify"]))(
    "%s.ts serves, and ends",
    async (name) => {
      const { child, out } = start(name, { CLAUDE_PATH: standInCli, PORT: await freePort() })
      const words = /Connect to (\S+) with the token (\S+)/
      await Promise.race([
        new Promise<void>((resolve) => child.stdout?.on("data", () => words.test(out()) && resolve())),
        ended(child)
      ])
      const [, url = "", token = ""] = words.exec(out()) ?? []
      expect(url, out()).not.toBe("")
      for (const [index, client] of [HttpAgent, HttpAgent00 as unknown as typeof HttpAgent].entries()) {
        const agent = new client({ url, headers: { Authorization: `Bearer ${token}` }, threadId: `thread-${index}` })
        agent.addMessage({ id: "1", role: "user", content: "hello" })
        await agent.runAgent()
        expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: expect.stringContaining("hello") })
      }
      child.kill("SIGINT")
      // Nothing is left that keeps it alive.
      expect(await ended(child), out()).toBe(0)
    }
  )

  it("talk.ts talks to a real CLI, and its rule is kept", async () => {
    const replies = [says(tool("Bash", { command: "rm -rf *", description: "Tidy up" })), says("I was told not to.")]
    const model = await startModel({ script: { replies } })
    onTestFinished(() => model.close())
    const { args, program } = await installCli("2.1.325")
    const { child, out } = start("talk", {
      CLAUDE_PATH: args[0] ?? program,
      ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
      ANTHROPIC_BASE_URL: model.url
    })
    expect(await ended(child), out()).toBe(0)
    expect(out()).toBe("It wants to use Bash.\nI was told not to.\nThe run ended with success.\n")
  })

  it("hooks.ts is called by a real CLI, and is obeyed", async () => {
    const asked: Array<string> = []
    const replies = [says(tool("Bash", { command: "git push", description: "Publish" })), says("I may not.")]
    const onRequest = (_: string, body: object) => void asked.push(JSON.stringify(body))
    const model = await startModel({ script: { replies }, onRequest })
    onTestFinished(() => model.close())
    const { args, program } = await installCli("2.1.325")
    const { child, out } = start("hooks", {
      CLAUDE_PATH: args[0] ?? program,
      ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
      ANTHROPIC_BASE_URL: model.url
    })
    expect(await ended(child), out()).toBe(0)
    expect(out()).toBe("It is about to run git push.\nI may not.\n")
    expect(asked.some((body) => body.includes("This is thread "))).toBe(true)
    expect(asked.at(-1)).toContain("Nothing is pushed from here.")
  })

  it("hooksEffect.ts starts an agent with its hooks, and ends", async () => {
    const { child, out } = start("hooksEffect", { CLAUDE_PATH: standInCli })
    expect(await ended(child), out()).toBe(0)
    expect(out()).toContain("The agent of morning is connected.")
  })
})
