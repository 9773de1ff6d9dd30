/**
 * What Codex can do, as 0.166.0 does it behind the bridge (docs/wire/codex.md, docs/codex.md).
 */
import type { Capabilities } from "../../session/Capabilities.ts"
import { unsupportedOptions } from "./Options.ts"

/** What Codex can do. `adopts`: somebody has said where it keeps its threads. */
export const codexCapabilities = (adopts: boolean): Capabilities => ({
  resume: true,
  fork: true,
  goBack: "turn",
  steer: true,
  interrupt: true,
  // `thread/compact/start` and `review/start`, as requests of its own; `plan` is a collaboration mode of its thread.
  compact: true,
  review: true,
  plan: true,
  pageTools: "beginning",
  approvals: ["command", "patch", "permissions", "network", "mcp_tool", "form", "choice"],
  changedInput: false,
  remember: true,
  images: true,
  documents: false,
  thinking: true,
  subAgents: true,
  unsupportedOptions,
  mcpServersLater: false,
  settingsLater: ["model", "permissionMode", "effort"],
  hooks: false,
  rewindFiles: false,
  adopt: adopts
})
