/** Sub-agents of a project: written for both runtimes, and none beside one of the same name. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { prepareAgents } from "@agentwire/bridge/workspace"
import { type AgentDefinition, fromClaudeAgent, fromCodexAgent } from "@agentwire/protocol/agents"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterEach, beforeEach, expect, it } from "vitest"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentwire-agents-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const reviewer: AgentDefinition = { name: "reviewer", description: "Reviews.", instructions: "Review." }
const writer: AgentDefinition = { name: "writer", description: "Writes.", instructions: "Write.", tools: ["Edit"] }

it("writes them for both, and once", async () => {
  const files = [".claude/agents/reviewer.md", ".codex/agents/reviewer.toml"]
  expect(await Effect.runPromise(prepareAgents(folder, [reviewer]))).toEqual({ written: files, kept: [] })
  const [markdown, toml] = await Promise.all(files.map((path) => readFile(join(folder, path), "utf8")))
  expect(Result.getOrThrow(fromClaudeAgent(markdown ?? "")).definition).toEqual(reviewer)
  expect(Result.getOrThrow(fromCodexAgent(toml ?? "")).definition).toEqual(reviewer)
  expect(await Effect.runPromise(prepareAgents(folder, [reviewer]))).toEqual({ written: [], kept: files })
})

it("leaves alone what the project calls by the same name, in whichever file", async () => {
  await mkdir(join(folder, ".codex/agents/ours"), { recursive: true })
  const own = 'name = "reviewer"\ndescription = "Ours."\ndeveloper_instructions = "Ours."\n'
  await writeFile(join(folder, ".codex/agents/ours/strict.toml"), own)
  await writeFile(join(folder, ".codex/agents/broken.toml"), "not toml")
  expect(await Effect.runPromise(prepareAgents(folder, [reviewer], { runtimes: ["codex"] }))).toEqual({
    written: [],
    kept: [".codex/agents/ours/strict.toml"]
  })
  expect(await readdir(join(folder, ".codex/agents"))).toEqual(["broken.toml", "ours"])
})

it("writes none where one cannot be said", async () => {
  const failure = await Effect.runPromise(Effect.flip(prepareAgents(folder, [reviewer, writer])))
  expect(failure).toMatchObject({ _tag: "AgentUnwritable", code: "AGENT_UNSAYABLE" })
  expect(await readdir(folder)).toEqual([])
  const { written } = await Effect.runPromise(prepareAgents(folder, [reviewer, writer], { withoutTools: true }))
  expect(written.length).toBe(4)
})

it("refuses a folder where something is in the way", async () => {
  await writeFile(join(folder, ".claude"), "")
  const failure = await Effect.runPromise(Effect.flip(prepareAgents(folder, [reviewer])))
  expect(failure).toMatchObject({ _tag: "WorkspaceRefused", code: "WORKSPACE_NOT_A_FOLDER" })
})
