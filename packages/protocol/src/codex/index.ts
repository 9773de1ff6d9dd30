/**
 * Codex: every message of `codex app-server` in both directions, requests with their results, generated from what the
 * program prints of itself; the events of `codex exec --json`; versions.
 */
export { encodeLine } from "../wire/Codec.ts"
export * from "./Codec.ts"
export * from "./command/index.ts"
export * from "./Dialogue.ts"
export { essentials, resultEssentials } from "./Essentials.ts"
export * from "./Exec.ts"
export * from "./exec/index.ts"
export * from "./fold/index.ts"
export * from "./generated/index.ts"
export * from "./Message.ts"
export * from "./Method.ts"
/** The files that Codex keeps of its threads. */
export * as Rollout from "./rollout/index.ts"
export * from "./Versions.ts"
