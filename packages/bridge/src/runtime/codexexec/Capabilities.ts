/**
 * What `codex exec` can do, as 0.166.0 does it behind the bridge (docs/wire/codex.md §4, docs/codex.md).
 */
import type { Capabilities } from "../../session/Capabilities.ts"
import { unsupportedOptions } from "./ExecOptions.ts"

/** What `codex exec` can do. */
export const execCapabilities: Capabilities = {
  resume: true,
  fork: false,
  // To the beginning alone.
  goBack: "none",
  steer: false,
  interrupt: true,
  compact: false,
  review: false,
  plan: false,
  pageTools: "none",
  approvals: [],
  changedInput: false,
  remember: false,
  images: true,
  documents: false,
  thinking: true,
  // They may work, and nothing tells of them.
  subAgents: false,
  unsupportedOptions,
  mcpServersLater: false,
  // Each turn is a process of its own.
  settingsLater: ["model", "permissionMode", "effort"],
  hooks: false,
  rewindFiles: false,
  adopt: false
}
