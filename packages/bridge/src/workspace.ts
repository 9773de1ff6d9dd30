/** Folders made ready for sessions: templates and sub-agents put where a project has none, and never over its own. */

/** Sub-agents of a project, as files of Claude Code and of Codex. */
export { type AgentFilesOptions, prepareAgents } from "./workspace/Agents.ts"
/** A folder of templates, as files to put into workspaces. */
export { readTemplates } from "./workspace/Templates.ts"
/** Files put where they are missing. */
export { type PreparedWorkspace, prepareWorkspace, type WorkspaceFile } from "./workspace/Workspace.ts"
/** Why a folder cannot be made ready. */
export { WorkspaceRefused } from "./workspace/WorkspaceRefused.ts"
