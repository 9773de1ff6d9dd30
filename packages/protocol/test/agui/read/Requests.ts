/** What an agent asks, as the model has it. */
import type {
  ChoiceRequest,
  FormRequest,
  PageToolRequest,
  PermissionRequest,
  Question
} from "../../../src/model/Request.ts"

/** What an agent offers beside the rules that "always" remembers. */
export const suggestions = [
  { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "localSettings" },
  { type: "setMode", mode: "acceptEdits", destination: "session" }
]

/** The same, as a request has them. */
export const suggested = suggestions.map((value, index) => ({ id: `more ${index}`, value }))

/** May a tool run? */
export const permission = (fields: Partial<PermissionRequest> = {}): PermissionRequest => ({
  id: "q",
  kind: "permission",
  message: "May Claude use Bash?",
  call: `call-${fields.id ?? "q"}`,
  tool: "Bash",
  input: { command: "ls" },
  remember: [
    { id: "Bash(ls:*)", label: "Bash(ls:*)" },
    { id: "Bash(pwd)", label: "Bash(pwd)" }
  ],
  suggestions: suggested,
  details: {},
  ...fields
})

const colour = { question: "Which colour?", header: "Colour", multiple: false, options: [{ label: "Red" }] }
const shapes = { question: "Which shapes?", header: "Shapes", multiple: true, options: [{ label: "Round" }] }

const choice = (choices: ChoiceRequest["choices"]): ChoiceRequest => ({
  id: "q",
  kind: "choice",
  message: choices.map(({ question }) => question).join("\n"),
  call: "call-q",
  tool: "AskUserQuestion",
  input: { questions: [] },
  choices,
  details: {}
})

/** One question with options. */
export const oneChoice = choice([colour])

/** Two questions with options. */
export const twoChoices = choice([colour, shapes])

/** A form to fill in. */
export const form: FormRequest = {
  id: "q",
  kind: "form",
  message: "What is your name?",
  server: "demo",
  schema: { type: "object", properties: { name: { type: "string" }, approved: {} }, required: ["name"] },
  details: {}
}

/** A page to visit. */
export const page: FormRequest = {
  id: "q",
  kind: "form",
  message: "Sign in.\nhttps://example.com",
  server: "demo",
  url: "https://example.com",
  details: {}
}

/** A call of one of the application's tools. */
export const pageTool = (id: string, call: string): PageToolRequest => ({
  id,
  kind: "page_tool",
  message: "Run pick.",
  call,
  tool: "pick",
  input: {}
})

/** One of each that a person answers. */
export const questions: ReadonlyArray<Question> = [
  permission(),
  permission({ kind: "plan", remember: [], suggestions: [] }),
  permission({ details: { permission_suggestions: suggestions }, suggestions: [], remember: [] }),
  oneChoice,
  twoChoices,
  form,
  page
]
