/**
 * Sub-agents that a project defines: one definition, written as the file that Claude Code reads (`.claude/agents/*.md`)
 * and as the one that Codex reads (`.codex/agents/*.toml`), and read back from both.
 */
export { ClaudeAgentFrontMatter, fromClaudeAgent, toClaudeAgent } from "./Claude.ts"
export { CodexAgentFile, type CodexAgentOptions, fromCodexAgent, toCodexAgent } from "./Codex.ts"
export {
  AgentDefinition,
  AgentName,
  agentFolders,
  agentPath,
  type DefinitionRuntime,
  Effort,
  effortsOf
} from "./Definition.ts"
export { AgentFileInvalid, AgentUnwritable } from "./Failure.ts"
export type { ReadAgent } from "./ReadFields.ts"
