/** `@agentwire/bridge/policy`: what agents may do. */
import { fileURLToPath } from "node:url"
import { claudeToolInputs } from "@agentwire/bridge/claude"
import {
  askAlways,
  denyAlways,
  explainDecision,
  loadPolicy,
  makePolicy,
  type Policy,
  PolicyFile,
  PolicyInvalid,
  readPolicy,
  type ToolUse
} from "@agentwire/bridge/policy"
import { Effect, Result, Schema } from "effect"

const use: ToolUse = { toolName: "Bash", input: { command: "ls; sudo rm x" }, cwd: "/", mode: "planner" }

// The rules of a file, the policy that follows them, and why it decides as it does.
const rules = await Effect.runPromise(
  loadPolicy(fileURLToPath(new URL("../policies/team.json", import.meta.url)), claudeToolInputs, "planner")
)
console.log((await Effect.runPromise(makePolicy(rules)(use)))._tag) // Deny
console.log((await Effect.runPromise(explainDecision(rules, use))).parts.map(({ what }) => what)) // [ 'ls', 'sudo rm x', 'rm x' ]

// Rules from a text; what is wrong with one, and where. The schema is for editors and programs that write files.
const wrong = readPolicy('{"version":1,"allow":"everything"}', claudeToolInputs)
if (Result.isFailure(wrong)) console.log(wrong.failure instanceof PolicyInvalid, wrong.failure.problems[0]?.place) // true $.allow
console.log(Schema.is(PolicyFile)({ version: 1, deny: [{ tool: "Bash" }] })) // true

// Policies as functions: of your own, and the two simplest ones.
const onlyReading: Policy = (use) => (use.toolName === "Read" ? askAlways(use) : denyAlways(use))
console.log((await Effect.runPromise(onlyReading(use)))._tag) // Deny
