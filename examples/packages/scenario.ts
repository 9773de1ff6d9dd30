import { deny, oneTurn, type Scenario, says, tool } from "@agentwire/fixtures/scenario"

export const toolDenied: Scenario = {
  name: "tool_denied",
  about: "The host denies.",
  model: { replies: [says(tool("Bash", { command: "touch a" })), says("Done.")] },
  answers: { can_use_tool: { "*": [deny("Not today.")] } },
  host: oneTurn("Go.")
}
