/** Two real processes, and agents that outlive the door: what is asked, ended, handed over and refused. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { makeClient } from "@agentwire/bridge/client"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { eventually, livingIn } from "../../packages/bridge/test/FakeCli.ts"
import { agentwireCommand } from "../../packages/cli/test/AgentwireCommand.ts"
import { token } from "../bridge/RawRun.ts"
import { makeServeRoot, type ServeProcess, startServe } from "../bridge/ServeProcess.ts"
import * as Laws from "./Laws.ts"
import { scriptedMind } from "./Minds.ts"

const root = makeServeRoot()
const data = join(root, "data")
const ledger = join(root, "told.txt")
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))

const runtime = () =>
  startServe({
    root,
    command: "runtime",
    args: () => ["--data", data, "--cli", scriptedMind("at once").program, "--approvals", "interrupt", "--drain", "60"],
    env: { LEDGER: ledger }
  })

const gateway = (port = "0") => startServe({ root, command: "gateway", args: () => ["--data", data, "--port", port] })

const clientOf = ({ url }: ServeProcess) => makeClient({ url, token, maxRetryDelay: 50 })

/** A command that ends by itself. */
const command = async (...args: ReadonlyArray<string>) => {
  const [program, ...before] = agentwireCommand
  const child = spawn(program, [...before, ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: join(root, "home") },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let [out, err] = ["", ""]
  child.stdout.on("data", (chunk) => {
    out += chunk
  })
  child.stderr.on("data", (chunk) => {
    err += chunk
  })
  await once(child, "close")
  return { code: child.exitCode, out, err }
}

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const question = async (client: ReturnType<typeof clientOf>) => {
  await until(async () => (await client.approvals.list("t")).approvals.length === 1)
  return (await client.approvals.list("t")).approvals[0]?.requestId ?? ""
}

const wordsOf = async (client: ReturnType<typeof clientOf>) =>
  JSON.stringify((await client.sessions.messages("t")).messages)

const nobodyIsLeft = () => Effect.runPromise(eventually(() => livingIn(join(root, "project")).length === 0, 60))

describe("a runtime and its gateways", () => {
  it("keep a question over the death of a gateway, hand over, and leave nothing behind", async () => {
    expect(await command("status", "--data", data)).toMatchObject({
      code: 1,
      out: expect.stringContaining("No runtime")
    })
    const first = await runtime()
    const door = await gateway()
    const client = clientOf(door)
    await client.sessions.create({ threadId: "t" })
    await client.sessions.send("t", { content: "[a] ask 3." })
    const asked = await question(client)
    const agents = livingIn(join(root, "project"))
    await door.kill()

    // The next one has the question, at the same place, and the agent has noticed nothing.
    const second = await gateway(String(door.port))
    expect(second.url).toBe(door.url)
    const next = clientOf(second)
    expect(await question(next)).toBe(asked)
    expect(livingIn(join(root, "project"))).toEqual(agents)
    await next.approvals.answer("t", asked, { behavior: "allow" })
    await expect(next.approvals.answer("t", asked, { behavior: "allow" })).rejects.toMatchObject({
      code: "NOTHING_PENDING"
    })
    await until(async () => (await wordsOf(next)).includes("a:1 a:2"))

    const { code, out } = await command("status", "--data", data, "--json")
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { running: true, gateways: [{ report: { url: second.url } }], sessions: { open: 1, questions: 0 } }
    ])
    const rival = await command("runtime", "--data", data, "--demo")
    expect([rival.code, rival.err]).toEqual([2, expect.stringContaining("Another runtime listens")])

    // It is told to end in the middle of a turn: nothing new is taken, and the turn may end.
    await next.sessions.send("t", { content: "[b] ask 2." })
    const last = await question(next)
    const ended = once(first.child, "close")
    first.child.kill("SIGTERM")
    await until(async () => first.err().includes("1 turn may end"))
    await expect(next.sessions.create({ threadId: "u" })).rejects.toMatchObject({ code: "CLOSING" })
    await next.approvals.answer("t", last, { behavior: "allow" })
    await ended
    expect([first.child.exitCode, first.err()]).toEqual([0, expect.stringContaining("All turns have ended.")])
    await nobodyIsLeft()

    // Without a runtime the gateway says so, and goes on by itself.
    await until(async () => (await next.server.health()).status === "degraded")
    const refused = await fetch(`${second.url}/api/sessions`, { headers: { Authorization: `Bearer ${token}` } })
    expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: "RUNTIME_UNREACHABLE" } }])
    const again = await runtime()
    await until(async () => (await next.server.health()).status === "ok")
    expect(await wordsOf(next)).toContain("b:1")

    // Told twice, it does not wait.
    await next.sessions.send("t", { content: "[c] ask 2." })
    await question(next)
    const cut = once(again.child, "close")
    again.child.kill("SIGTERM")
    await until(async () => again.err().includes("1 turn may end"))
    again.child.kill("SIGTERM")
    await cut
    expect(again.child.exitCode).toBe(143)
    await nobodyIsLeft()
    expect(await second.stop()).toBe(0)
    const told = readFileSync(ledger, "utf8")
    expect(Laws.toldOnce(told, 2).filter((breach) => !breach.includes("is lost"))).toEqual([])
  }, 180_000)
})
