/**
 * The dialect `claude-app-server`: Claude behind JSON-RPC 2.0 with threads, turns and approvals, in its own words. Its
 * messages, the model written as them, and what a client asks, read.
 */
export * from "./History.ts"
export * from "./Message.ts"
export * from "./Read.ts"
export { permissionModes, type Skill, skills } from "./Tools.ts"
export {
  type ClaudeAppCursor,
  type ClaudeAppWritten,
  initialClaudeApp,
  turnName,
  writeClaudeApp
} from "./Write.ts"
