/** Questions as the CLI asks them. */
import type { FormQuestion, ToolQuestion } from "../../../src/claude/command/Question.ts"
import type { PermissionUpdate } from "../../../src/claude/Permission.ts"

/** What 2.1.325 suggests beside one Bash command: more than anybody means by "always". */
export const suggestions = [
  {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: "ls:*" }],
    behavior: "allow",
    destination: "localSettings"
  },
  { type: "setMode", mode: "acceptEdits", destination: "session" },
  { type: "addDirectories", directories: ["/tmp"], destination: "session" }
] as const satisfies ReadonlyArray<PermissionUpdate>

/** May a tool run? */
export const tool = (request: object = {}, id = "q"): ToolQuestion => ({
  type: "control_request",
  request_id: id,
  request: { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "toolu_1", input: { command: "ls" }, ...request }
})

/** A question with a single answer. */
export const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue", description: "like the sky" }],
  multiSelect: false
}

/** A question with several answers. */
export const shapes = { question: "Which shapes?", header: "Shapes", options: [{ label: "Round" }], multiSelect: true }

/** Which of some options? */
export const ask = (...questions: ReadonlyArray<object>): ToolQuestion =>
  tool({ tool_name: "AskUserQuestion", input: { questions } })

/** Is the plan good? */
export const plan = tool({ tool_name: "ExitPlanMode", input: { plan: "# Plan" } })

/** What the form asks for. */
export const requested_schema = {
  type: "object",
  properties: { name: { type: "string" }, approved: {} },
  required: ["name"]
}

/** A form of an MCP server. */
export const form = (request: object = {}): FormQuestion => ({
  type: "control_request",
  request_id: "q",
  request: {
    subtype: "elicitation",
    mcp_server_name: "demo",
    message: "What is your name?",
    mode: "form",
    requested_schema,
    ...request
  }
})

/** A page that an MCP server wants to be visited. */
export const page: FormQuestion = {
  type: "control_request",
  request_id: "q",
  request: {
    subtype: "elicitation",
    mcp_server_name: "demo",
    message: "Sign in.",
    mode: "url",
    url: "https://example.com/sign-in",
    elicitation_id: "e"
  }
}
