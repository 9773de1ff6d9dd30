/** Definitions that real programs are asked to load: one as people write it, and one with all that ends a value somewhere. */
import type { AgentDefinition } from "@agentwire/protocol/agents"

/** As people write it. */
export const reviewer: AgentDefinition = {
  name: "reviewer",
  description: "Reads a change and says what is wrong with it.",
  instructions: "You review.\n\nName the file and the line of each fault.",
  model: { claude: "haiku", codex: "gpt-5.4" },
  effort: "high"
}

/** With what ends a value, a front matter, a string or a line in one of the two files. */
export const odd: AgentDefinition = {
  name: `ünï "q" 's' {日本} #x`,
  description: 'Before --- after: "quotes"\nlines\t\u2028 😀 C:\\temp # no comment ----- & * ! | > % @ `',
  instructions: 'First.\n---\nname: another\n---\n"""three""" and """"four""""\n\\n \\u0041 😀\u2028 end "'
}
