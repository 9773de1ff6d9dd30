/** `agentwire serve` as a process of its own in front of the real Codex: what it answers, and the tapes that it keeps. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Tape } from "@agentwire/protocol"
import { schemaVersion } from "@agentwire/protocol/codex"
import { expect, it } from "vitest"
import { makeCodexHome } from "../../packages/fixtures/src/codex/Home.ts"
import { installCodex } from "../../packages/fixtures/src/codex/InstallCodex.ts"
import { startResponses } from "../../packages/fixtures/src/codex/Responses.ts"
import { agentAt, approveAll, clients, run, say } from "./OnBridge.ts"
import { token } from "./RawRun.ts"
import { startServe } from "./ServeProcess.ts"

const agentOf = (url: string) => {
  const agent = agentAt(url, clients[0])
  agent.headers = { Authorization: `Bearer ${token}` }
  return agent
}

it.each([
  ["codex", "app-server", ["--approvals", "interrupt"], 1],
  ["codex-exec", "exec", ["--permission-mode", "workspace-write"], 0]
] as const)("--runtime %s answers, and keeps %s on a tape without secrets", async (runtime, word, more, questions) => {
  const key = "sk-proj-Zq8vN3xK2mP7rT5wY1uB4cD6eF9gH0jL"
  const model = await startResponses([
    { kind: "command", command: "echo made > made && cat made" },
    { kind: "text", deltas: [`The key is ${key}`, "."] }
  ])
  const home = await makeCodexHome(model.url)
  const { program } = await installCodex(schemaVersion)
  const folder = join(home.folder, "tapes")
  const { PATH: _, ...env } = home.env
  const args = ["--no-data", "--record", folder, "--runtime", runtime, ...more]
  const serving = await startServe({ args: () => args, cli: program, env })
  try {
    const agent = say(agentOf(serving.url), "Go")
    await run(agent)
    expect(await approveAll(agent)).toBe(questions)
    expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: `The key is ${key}.` })
    expect(readFileSync(join(serving.project, "made"), "utf8")).toBe("made\n")
    expect(await serving.stop()).toBe(0)
    const [name = "", ...others] = readdirSync(folder)
    expect(others).toEqual([])
    const bytes = readFileSync(join(folder, name))
    const { tape, wrong } = Tape.parseTape(bytes)
    expect(wrong).toEqual([])
    expect(tape?.header).toMatchObject({ transport: "stdio", runtime: { name: "codex", version: schemaVersion } })
    expect(tape?.header.argv).toContain(word)
    expect(tape?.frames.at(-1)).toMatchObject({ _tag: "Exit" })
    expect(bytes.toString()).not.toContain(key)
    if (runtime === "codex-exec") return
    const replaying = await startServe({
      args: () => ["--no-data", "--replay", folder, "--approvals", "interrupt"],
      cli: false
    })
    const again = say(agentOf(replaying.url), "Go")
    await run(again)
    await approveAll(again)
    expect(again.messages.at(-1)?.content).toMatch(/^The key is REDACTED_/)
    expect(again.messages.map(({ role }) => role)).toEqual(agent.messages.map(({ role }) => role))
    expect(await replaying.stop()).toBe(0)
  } finally {
    await serving.stop()
    await model.close()
    await home.remove()
  }
})
