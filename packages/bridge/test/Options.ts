/**
 * Options of a session, for tests: one value for each.
 */
import type { AgentOptions } from "../src/session/AgentOptions.ts"

/** A value that must not be seen again. */
export const secret = "hunter2-hunter2"

/** Everything at once. */
export const everything: Required<AgentOptions> = {
  runtime: "claude",
  model: "sonnet",
  permissionMode: "plan",
  effort: "high",
  systemPrompt: "You are a test.",
  appendSystemPrompt: "Be brief.",
  allowedTools: ["Bash(git log:*)", "Edit"],
  disallowedTools: ["WebFetch"],
  addDirs: ["/tmp"],
  env: { FRUIT: secret, EMPTY: "" },
  mcpServers: {
    web: { type: "http", url: "https://example.com/mcp?key=1", headers: { Authorization: secret }, timeout: 1000 },
    files: { command: "npx", args: ["-y", "files"], env: { KEY: secret }, alwaysLoad: true }
  },
  mcpConfig: "mcp.json",
  agents: { poet: { description: "Writes poems", prompt: "You write poems.", tools: ["Read"], model: "haiku" } },
  jsonSchema: { type: "object", properties: { n: { type: "number" } } },
  maxTurns: 3,
  maxBudgetUsd: 0.5,
  checkpointing: true,
  hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "true", timeout: 5 }] }] },
  extraArgs: ["--verbose"]
}
