/** The schemas against the real CLI, alive: the binary that the official Agent SDK brings. */
import { createRequire } from "node:module"
import { type CliCommand, playScenario, scenarios } from "@agentwire/fixtures"
import { decodeLine, drift } from "@agentwire/protocol/claude"
import { describe, expect, it } from "vitest"

const binaryOfTheSdk = (): CliCommand => {
  const require = createRequire(import.meta.url)
  const file = process.platform === "win32" ? "claude.exe" : "claude"
  return {
    program: require.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/${file}`),
    args: []
  }
}

const names = [
  "plain_text",
  "thinking_text",
  "tool_approved",
  "tool_denied",
  "parallel_tools",
  "interrupt_midstream",
  "api_400",
  "mcp_sdk",
  "subagent_foreground",
  "unicode_split"
]

describe("the real CLI", () => {
  it.each(names)("says nothing in %s that the schemas do not know", async (name) => {
    const scenario = scenarios.find((candidate) => candidate.name === name)
    if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
    const { frames, problems } = await playScenario({ cli: binaryOfTheSdk(), scenario })
    expect(problems).toEqual([])
    const lines = frames.filter(({ from }) => from === "cli").map(({ line }) => decodeLine(line))
    expect(lines.filter(({ _tag }) => _tag !== "Known")).toEqual([])
    expect(lines.flatMap((decoded) => (decoded._tag === "Known" ? drift(decoded.message) : []))).toEqual([])
    const ended = lines.some((decoded) => decoded._tag === "Known" && decoded.name.startsWith("result/"))
    expect(ended).toBe(true)
  })
})
