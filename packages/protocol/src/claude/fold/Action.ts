/**
 * What each tool of Claude Code does, so that nobody else needs to know their names.
 */
import type { Action } from "../../model/Event.ts"

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["Bash", "command"],
  ["Read", "read"],
  ["NotebookRead", "read"],
  ["Write", "write"],
  ["Edit", "edit"],
  ["MultiEdit", "edit"],
  ["NotebookEdit", "edit"],
  ["Grep", "search"],
  ["Glob", "search"],
  ["LS", "search"],
  ["ToolSearch", "search"],
  ["WebFetch", "fetch"],
  ["WebSearch", "fetch"],
  // `Task` on 2.1.37, `Agent` later (docs/wire/claude-code.md §5.35).
  ["Agent", "agent"],
  ["Task", "agent"],
  ["AskUserQuestion", "question"],
  ["ExitPlanMode", "question"]
])

/** What a tool does, by the CLI's name of it. */
export const actionOf = (tool: string): Action => actions.get(tool) ?? "other"
