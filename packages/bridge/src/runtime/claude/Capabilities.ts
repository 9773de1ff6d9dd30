/**
 * What Claude Code can do, as the newest measured version does it (docs/wire/claude-code.md). What an older one cannot do it
 * refuses when it is asked.
 */
import type { Capabilities } from "../../session/Capabilities.ts"

/** What Claude Code can do. `adopts`: somebody has said where it keeps its conversations. */
export const claudeCapabilities = (adopts: boolean): Capabilities => ({
  resume: true,
  fork: true,
  goBack: "message",
  steer: true,
  interrupt: true,
  // As a prompt, `/compact`.
  compact: true,
  review: false,
  // The permission mode `plan`.
  plan: true,
  pageTools: "always",
  approvals: ["tool", "form", "choice", "plan"],
  changedInput: true,
  remember: true,
  images: true,
  documents: true,
  thinking: true,
  subAgents: true,
  unsupportedOptions: [],
  mcpServersLater: true,
  settingsLater: ["model", "permissionMode", "effort"],
  hooks: true,
  rewindFiles: true,
  adopt: adopts
})
