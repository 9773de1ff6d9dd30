/** `npm start`: what somebody sees first, and how it ends. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { HttpAgent } from "@ag-ui/client"
import { afterEach, describe, expect, it } from "vitest"

const script = fileURLToPath(new URL("../scripts/start.mjs", import.meta.url))
const started: Array<ChildProcess> = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL")
})

/** Starts it, and waits until it has said this much. */
const start = async (args: ReadonlyArray<string>, until: RegExp) => {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  started.push(child)
  let said = ""
  const ended = once(child, "exit")
  const heard = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        said += String(chunk)
        if (until.test(said)) resolve()
      })
  })
  await Promise.race([heard, ended])
  return { child, ended, said: () => said }
}

describe("npm start", () => {
  it("serves the demo agent and says so, and Ctrl-C ends it", async () => {
    const { child, ended, said } = await start(["--port", "0"], /"event":"listening"/)
    expect(said()).toContain("demo agent: recorded sessions; use `npm start -- --cli claude` for a live one")
    const url = /Listens at +(\S+)/.exec(said())?.[1] ?? ""
    const token = /Bearer ([\w-]+)/.exec(said())?.[1] ?? ""
    const agent = new HttpAgent({ url, headers: { Authorization: `Bearer ${token}` }, threadId: "t" })
    agent.addMessage({ id: "u", role: "user", content: "Show me an error" })
    await agent.runAgent().catch((error: Error) => expect(error.message).toContain("529"))
    expect(JSON.stringify(agent.messages)).toContain("529")
    child.kill("SIGINT")
    expect(await ended).toEqual([0, null])
  })

  it("takes another port when its own is taken, but not instead of a chosen one", async () => {
    const squatter = createServer()
    // Taken by somebody else is as good.
    squatter.on("error", () => {})
    squatter.listen({ host: "127.0.0.1", port: 3210 })
    await Promise.race([once(squatter, "listening"), once(squatter, "error")])
    const { child, ended, said } = await start([], /"event":"listening"/)
    expect(said()).toMatch(/Port 3210 is taken: this is on (?!3210)\d+/)
    child.kill("SIGTERM")
    expect(await ended).toEqual([0, null])
    const chosen = await start(["--port", "3210"], /\n{99}/)
    expect(await chosen.ended).toEqual([2, null])
    expect(chosen.said()).toContain("3210")
    squatter.close()
  })

  it("runs every other command as it is", async () => {
    const { ended, said } = await start(["decode", "examples/tool_approved.ndjson"], /\n{99}/)
    expect(await ended).toEqual([0, null])
    expect(said()).toContain("0 unknown")
    const version = await start(["--version"], /\n{99}/)
    expect(await version.ended).toEqual([0, null])
  })

  it("serves no demo when the options are for another agent", async () => {
    const { ended, said } = await start(["--cli", "/no/such/claude", "--port", "0"], /\n{99}/)
    expect(await ended).toEqual([2, null])
    expect(said()).toContain("/no/such/claude")
    expect(said()).not.toContain("demo agent")
  })
})
