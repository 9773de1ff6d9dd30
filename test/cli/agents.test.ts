/** `.claude/agents/*.md` as we write them, loaded and run by the real Claude Code. */
import { installCli, type JsonObject, playScenario } from "@agentwire/fixtures"
import { type AgentDefinition, agentPath, fromClaudeAgent, toClaudeAgent } from "@agentwire/protocol/agents"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { oneTurn, says, tool } from "../../packages/fixtures/src/Scenario.ts"
import { odd, reviewer } from "../OddAgents.ts"

const version = "2.1.325"

/** Has the model call agents one after the other, and gives what the program says of itself and asks the model. */
const play = async (files: Readonly<Record<string, string>>, names: ReadonlyArray<string>) => {
  const calls = names.map((name) =>
    says(tool("Agent", { description: "A task", prompt: "[task]", subagent_type: name, run_in_background: false }))
  )
  const requests: Array<{ readonly body: JsonObject; readonly lane: string }> = []
  const played = await playScenario({
    cli: await installCli(version),
    version,
    onRequest: (_, body, lane) => void requests.push({ body, lane }),
    scenario: {
      name: "agents",
      about: "Agents that the project defines.",
      cli: { files: Object.fromEntries(Object.entries(files).map(([path, text]) => [`{{project}}/${path}`, text])) },
      model: { replies: [...calls, says("Done.")], lanes: [{ match: "[task]", replies: [says("It is fine.")] }] },
      host: oneTurn()
    }
  })
  expect(played.problems).toEqual([])
  const texts = played.frames.map(({ line }) => line)
  const init = texts.map((text) => JSON.parse(text)).find(({ subtype }) => subtype === "init")
  const ofLane = (name: string) => requests.filter(({ lane }) => lane === name).map(({ body }) => body)
  return { agents: init.agents as ReadonlyArray<string>, main: ofLane("main"), tasks: ofLane("[task]") }
}

const fileOf = (definition: AgentDefinition) => ({
  [agentPath("claude", definition.name)]: Result.getOrThrow(toClaudeAgent(definition))
})

const systemOf = (body: JsonObject | undefined): string =>
  (body?.["system"] as ReadonlyArray<{ readonly text: string }> | undefined)?.map(({ text }) => text).join("\n") ?? ""

it("loads them, offers them by their descriptions, and runs them with their instructions, model, effort and tools", async () => {
  const restricted = { ...reviewer, tools: ["Read", "Bash(git log:*)"] }
  const files = { ...fileOf(restricted), ...fileOf(odd) }
  const { agents, main, tasks } = await play(files, [reviewer.name, odd.name])
  expect(agents).toEqual(expect.arrayContaining([reviewer.name, odd.name]))
  const offered = JSON.stringify(main[0])
  for (const { description, name } of [restricted, odd])
    expect(offered).toContain(JSON.stringify(`${name}: ${description}`).slice(1, -1))
  expect(tasks.length).toBe(2)
  const [first, second] = tasks
  expect(first?.["model"]).toMatch(/haiku/)
  expect(first?.["output_config"]).toEqual({ effort: "high" })
  expect(first?.["tools"]).toMatchObject([{ name: "Read" }, { name: "Bash" }])
  expect(systemOf(first)).toContain(reviewer.instructions)
  expect(systemOf(second)).toContain(odd.instructions)
})

/** Files as others write them, and what the program makes of them. */
const others: ReadonlyArray<readonly [file: string, text: string, offered: string | undefined]> = [
  ["colon", "---\nname: colon\ndescription: Use this: always\n---\nDo it.\n", "colon: Use this: always"],
  ["feed", "---\nname: feed\ndescription: one\\ntwo\n---\nDo it.\n", "feed: one\ntwo"],
  ["plain", "---\nname: yes\ndescription: b\n---\nDo it.\n", "yes: b"],
  ["number", "---\nname: 12\ndescription: b\n---\nDo it.\n", undefined],
  ["nameless", "Do it.\n", undefined],
  ["undescribed", "---\nname: undescribed\n---\nDo it.\n", undefined]
]

it("reads files of others as we do, and ignores what we refuse", async () => {
  const files = Object.fromEntries(others.map(([file, text]) => [`.claude/agents/${file}.md`, text]))
  const cut = "---\nname: cut\ndescription: before --- after\n---\nDo it.\n"
  const { agents, main } = await play({ ...files, ".claude/agents/cut.md": cut }, [])
  const listed = JSON.stringify(main[0])
  for (const [file, text, offered] of others) {
    const read = fromClaudeAgent(text)
    const ours = Result.isSuccess(read)
      ? `${read.success.definition.name}: ${read.success.definition.description}`
      : undefined
    expect(ours, file).toBe(offered)
    if (offered !== undefined) expect(listed, file).toContain(JSON.stringify(`- ${offered} (Tools`).slice(1, -1))
  }
  for (const name of ["12", "number", "nameless", "undescribed"]) expect(agents).not.toContain(name)
  // It loads half of this one; we say so instead.
  expect(listed).toContain("- cut: before (Tools")
  expect(Result.isFailure(fromClaudeAgent(cut))).toBe(true)
})
