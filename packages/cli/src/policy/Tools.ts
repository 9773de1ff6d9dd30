/**
 * The tools that a policy file is about: those of both kinds of agents, whose names differ. What a file says of Claude Code's
 * tools it says of what Codex does likewise.
 */
import { claudeToolInputs } from "@agentwire/bridge/claude"
import { codexToolInputs } from "@agentwire/bridge/codex"
import type { ToolInputs } from "@agentwire/bridge/policy"

/** The same file, as it is read for the calls of Claude Code. */
export const claudeSide: ToolInputs = {
  paths: { ...claudeToolInputs.paths, ...codexToolInputs.paths },
  shells: { ...claudeToolInputs.shells, ...codexToolInputs.shells },
  folders: { ...claudeToolInputs.folders, ...codexToolInputs.folders },
  files: claudeToolInputs.files
}

/** The same file, as it is read for the calls of Codex. */
export const codexSide: ToolInputs = {
  ...claudeSide,
  files: codexToolInputs.files,
  ...(codexToolInputs.likewise !== undefined && { likewise: codexToolInputs.likewise })
}

/** Whether a tool is one of Codex's. Tools of MCP servers have the same names with both, and the same rules. */
export const isCodexTool = (name: string): boolean =>
  Object.hasOwn(codexToolInputs.shells, name) || Object.hasOwn(codexToolInputs.paths, name)
