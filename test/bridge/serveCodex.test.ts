/** `agentwire serve` as a process of its own in front of the real Codex: what it answers, and the tapes that it keeps. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
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
    try {
      const again = say(agentOf(replaying.url), "Go")
      await run(again)
      await approveAll(again)
      expect(again.messages.at(-1)?.content).toMatch(/^The key is REDACTED_/)
      expect(again.messages.map(({ role }) => role)).toEqual(agent.messages.map(({ role }) => role))
    } finally {
      expect(await replaying.stop()).toBe(0)
    }
  } finally {
    await serving.stop()
    await model.close()
    await home.remove()
  }
})

it("gives the folder of a session what --templates has and it has not, before Codex starts", async () => {
  const asked: Array<string> = []
  const model = await startResponses([{ kind: "text", deltas: ["Greetings."] }], {
    onRequest: (path, body) => void (path === "/v1/responses" && asked.push(JSON.stringify(body)))
  })
  const home = await makeCodexHome(model.url)
  const { program } = await installCodex(schemaVersion)
  const { PATH: _, ...env } = home.env
  const skill = (words: string) => `---\nname: greet\ndescription: How to greet.\n---\n${words}\n`
  const put = (folder: string, path: string, content: string) => {
    mkdirSync(join(folder, path, ".."), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const templates = join(home.folder, "templates")
  put(templates, ".agents/skills/greet/SKILL.md", skill("Begin with Greetings-7."))
  put(templates, ".codex/agents/own.toml", "template")
  const serving = await startServe({
    args: () => ["--no-data", "--runtime", "codex", "--templates", templates],
    cli: program,
    env,
    prepare: (root) => put(join(root, "project"), ".codex/agents/own.toml", "its own")
  })
  try {
    await run(say(agentOf(serving.url), "Say hello with $greet"))
    expect(asked[0]).toContain("Begin with Greetings-7.")
    expect(readFileSync(join(serving.project, ".codex/agents/own.toml"), "utf8")).toBe("its own")
  } finally {
    await serving.stop()
    await model.close()
    await home.remove()
  }
})

it("judges Codex by a policy that is written for Claude Code, of which only what is left is asked", async () => {
  const patch = (path: string) =>
    ({
      kind: "response",
      items: [
        { kind: "custom", name: "apply_patch", input: `*** Begin Patch\n*** Add File: ${path}\n+hello\n*** End Patch` }
      ]
    }) as const
  const model = await startResponses([
    { kind: "command", command: "echo allowed > out/a" },
    { kind: "command", command: "touch forbidden" },
    { kind: "command", command: "cat .env" },
    patch("out/b"),
    patch(".env.new"),
    { kind: "command", command: "mkdir asked" },
    { kind: "text", deltas: ["Done."] }
  ])
  const home = await makeCodexHome(model.url)
  const { program } = await installCodex(schemaVersion)
  const { PATH: _, ...env } = home.env
  const policy = {
    version: 1,
    allow: [
      { tool: "Bash", command: "echo *" },
      { tool: "Write", path: "out/**" }
    ],
    deny: [
      { tool: "Bash", command: "touch *" },
      { tool: ["Read", "Edit"], path: "/**/.env*" }
    ]
  }
  const serving = await startServe({
    args: (root) => ["--no-data", "--runtime", "codex", "--approvals", "interrupt", "--policy", join(root, "p.json")],
    cli: program,
    env,
    prepare: (root) => {
      mkdirSync(join(root, "project", "out"))
      writeFileSync(join(root, "project", ".env"), "SECRET=7\n")
      writeFileSync(join(root, "p.json"), JSON.stringify(policy))
    }
  })
  try {
    const agent = say(agentOf(serving.url), "Go")
    await run(agent)
    expect(agent.pendingInterrupts).toHaveLength(1)
    expect(await approveAll(agent)).toBe(1)
    expect(agent.messages.at(-1)).toMatchObject({ content: "Done." })
    expect(
      readdirSync(serving.project)
        .filter((name) => !name.startsWith("."))
        .sort()
    ).toEqual(["asked", "out"])
    expect(readdirSync(join(serving.project, "out")).sort()).toEqual(["a", "b"])
    expect(readdirSync(serving.project)).not.toContain(".env.new")
    expect(JSON.stringify(agent.messages)).not.toContain("SECRET=7")
  } finally {
    await serving.stop()
    await model.close()
    await home.remove()
  }
})
