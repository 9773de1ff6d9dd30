/** The tools of the dialect by their names, and what Claude Code's own are called in it. */
import type { Action } from "../model/Event.ts"
import type { PermissionMode } from "./Message.ts"

/** A tool as `skills/list` names it. */
export interface Skill {
  readonly name: string
  readonly description: string
  readonly needs_approval: boolean
}

/** The tools of the dialect. */
export const skills: ReadonlyArray<Skill> = [
  { name: "read_file", description: "Read file contents (with optional line range)", needs_approval: false },
  { name: "write_file", description: "Write / create a file", needs_approval: true },
  { name: "bash", description: "Execute a shell command", needs_approval: true },
  { name: "list_files", description: "List directory entries", needs_approval: false },
  { name: "search_files", description: "Regex search (ripgrep / grep)", needs_approval: false },
  { name: "glob", description: "Find files by glob pattern", needs_approval: false }
]

/** Tools whose action would not tell. */
const byName: Readonly<Record<string, string>> = { LS: "list_files", Glob: "glob" }

const byAction: { readonly [A in Action]?: string } = {
  command: "bash",
  read: "read_file",
  write: "write_file",
  edit: "write_file",
  search: "search_files"
}

/** What a tool is called here; one that the dialect does not know keeps its own name. */
export const toolName = (tool: string, action: Action | undefined): string =>
  byName[tool] ?? (action === undefined ? undefined : byAction[action]) ?? tool

/** The modes, and what is asked for in each: the words of the dialect. */
export const permissionModes: Readonly<Record<PermissionMode, string>> = {
  default: "Prompts for bash and file writes",
  acceptEdits: "Auto-approves file writes; prompts for bash",
  bypassPermissions: "Approves all tools automatically"
}
