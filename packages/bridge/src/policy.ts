/** What agents may do: policies as files, as functions, and why a decision is what it is. */

/** Every part of a tool call with the rule that decides about it. */
export { type Explanation, explainDecision, type PolicyFinding, type PolicyPart } from "./policy/Explain.ts"
/** From a file to a policy. */
export { loadPolicy, makePolicy } from "./policy/FilePolicy.ts"
/** Policies as functions, and the two simplest ones. */
export { askAlways, denyAlways, type Policy, type PolicyDecision, type ToolUse } from "./policy/Policy.ts"
/** The schema of the file, and what is wrong with one. */
export { PolicyFile, PolicyInvalid, type PolicyProblem, type Verdict } from "./policy/PolicyFile.ts"
/** The rules of a file, read. */
export { type PlacedRule, type PolicyRules, type RuleSet, readPolicy } from "./policy/Rules.ts"
/** What the inputs of an agent's tools mean; `@agentwire/bridge/claude` and `/codex` have those of theirs. */
export type { PathField, ToolInputs } from "./policy/ToolInputs.ts"
