/** `@agentwire/protocol/agents`: sub-agents that a project defines, as the files of Claude Code and of Codex. */
import {
  type AgentDefinition,
  AgentFileInvalid,
  AgentUnwritable,
  agentFolders,
  agentPath,
  effortsOf,
  fromClaudeAgent,
  fromCodexAgent,
  toClaudeAgent,
  toCodexAgent
} from "@agentwire/protocol/agents"
import { Result } from "effect"

const reviewer: AgentDefinition = {
  name: "reviewer",
  description: "Reads a change and says what is wrong with it.",
  instructions: "Read the change.\nName the file and the line of each fault.",
  model: { claude: "haiku", codex: "gpt-5.5" },
  effort: "high"
}

// One definition, two files.
console.log(agentPath("claude", reviewer.name), agentPath("codex", reviewer.name)) // .claude/agents/reviewer.md .codex/agents/reviewer.toml
console.log(agentFolders.codex.ending, effortsOf.claude.includes("ultra")) // .toml false
const markdown = Result.getOrThrow(toClaudeAgent(reviewer))
const toml = Result.getOrThrow(toCodexAgent(reviewer))
console.log(markdown.split("\n")[1], toml.split("\n")[0]) // name: reviewer name = "reviewer"

// Read back: each file holds the model of its own runtime.
console.log(Result.getOrThrow(fromClaudeAgent(markdown)).definition.model) // { claude: 'haiku' }
console.log(Result.getOrThrow(fromCodexAgent(toml)).definition.instructions === reviewer.instructions) // true

// Codex cannot withhold tools from one agent, so a list of them is not left out silently.
const refused = toCodexAgent({ ...reviewer, tools: ["Read"] })
console.log(Result.isFailure(refused) && refused.failure instanceof AgentUnwritable && refused.failure.member) // tools

// Claude Code takes the front matter to end at the first ---, wherever it is.
const cut = fromClaudeAgent("---\nname: a\ndescription: before --- after\n---\nDo it.\n")
if (Result.isFailure(cut) && cut.failure instanceof AgentFileInvalid) {
  const { code, column, line } = cut.failure
  console.log(code, line, column) // AGENT_FRONT_MATTER_CUT 3 21
}
