/** Codex as the agent: so far what its requests mean to policies. */

/** What the inputs of Codex's tools mean, for policies. */
export { codexToolInputs } from "./runtime/codex/ToolInputs.ts"
