/**
 * What the tools of both runtimes do, by their names and by the keys of their arguments. A tool that is not here is told
 * by the kind of thing that the model says it is.
 */
import type { Action } from "../model/Event.ts"
import { isRecord } from "../wire/Json.ts"
import { type CallAction, given } from "./CallAction.ts"
import { shellActions } from "./ShellActions.ts"
import { quoteShellWord } from "./ShellWords.ts"

/** The arguments of a call, as an object. */
export type CallInput = Readonly<Record<string, unknown>>

/** What a call with these arguments does; nothing when they do not say. */
export type ReadTool = (input: CallInput) => ReadonlyArray<CallAction>

/** The first of some keys that has a text. */
const textAt = (input: CallInput, ...keys: ReadonlyArray<string>): string | undefined => {
  for (const key of keys) {
    const value = input[key]
    if (typeof value === "string" && value !== "") return value
  }
  return undefined
}

const file =
  (type: "read" | "write" | "edit", ...keys: ReadonlyArray<string>): ReadTool =>
  (input) => {
    const path = textAt(input, ...keys)
    return path === undefined ? [] : [{ type, path }]
  }

const listing: ReadTool = (input) => [
  { type: "list", ...given({ path: textAt(input, "path"), pattern: textAt(input, "pattern") }) }
]

const searching: ReadTool = (input) => [
  { type: "search", ...given({ pattern: textAt(input, "pattern", "query"), path: textAt(input, "path") }) }
]

const fetching: ReadTool = (input) => {
  const target = textAt(input, "url", "query")
  return target === undefined ? [] : [{ type: "fetch", target }]
}

const agent =
  (...names: ReadonlyArray<string>): ReadTool =>
  (input) => [
    { type: "agent", ...given({ name: textAt(input, ...names), task: textAt(input, "description", "prompt") }) }
  ]

const asking: ReadTool = (input) => {
  const [first] = Array.isArray(input["questions"]) ? (input["questions"] as ReadonlyArray<unknown>) : []
  return [{ type: "question", ...given({ question: isRecord(first) ? textAt(first, "question") : undefined }) }]
}

const running: ReadTool = (input) => {
  const { command, cmd } = input
  const words = Array.isArray(command) ? command.filter((word) => typeof word === "string") : []
  const text = words.length > 0 ? words.map(quoteShellWord).join(" ") : textAt({ command, cmd }, "command", "cmd")
  return text === undefined ? [] : shellActions(text)
}

/** Codex says itself what it has understood of a command (docs/wire/codex.md). */
const codexActions: Readonly<Record<string, ReadTool>> = {
  read: file("read", "path"),
  listFiles: (action) => [{ type: "list", ...given({ path: textAt(action, "path") }) }],
  search: searching
}

const codexCommand: ReadTool = (input) => {
  const told = Array.isArray(input["commandActions"]) ? (input["commandActions"] as ReadonlyArray<unknown>) : []
  const understood = told.map((action) => {
    const type = isRecord(action) ? textAt(action, "type") : undefined
    return isRecord(action) && type !== undefined && Object.hasOwn(codexActions, type)
      ? codexActions[type]?.(action)
      : undefined
  })
  const all = understood.flatMap((actions) => actions ?? [])
  return all.length > 0 && !understood.includes(undefined) ? all : running(input)
}

const changeKinds: Readonly<Record<string, "write" | "edit" | "delete">> = {
  add: "write",
  update: "edit",
  delete: "delete"
}

/** A list of changes with their kinds, or an object of them by path. */
const codexChanges: ReadTool = ({ changes }) => {
  const list = Array.isArray(changes)
    ? (changes as ReadonlyArray<unknown>)
    : isRecord(changes)
      ? Object.entries(changes).map(([path, change]) => ({ ...(isRecord(change) && change), path }))
      : []
  return list.flatMap((change): ReadonlyArray<CallAction> => {
    if (!isRecord(change)) return []
    const path = textAt(change, "path")
    const { kind } = change
    const name = isRecord(kind) ? textAt(kind, "type") : textAt(change, "kind", "type")
    return path === undefined ? [] : [{ type: changeKinds[name ?? ""] ?? "edit", path }]
  })
}

const patchHeads: Readonly<Record<string, "write" | "edit" | "delete">> = {
  Add: "write",
  Update: "edit",
  Delete: "delete"
}

/** A patch in Codex's own format. */
const codexPatch: ReadTool = (input) => {
  const patch = textAt(input, "input", "patch") ?? ""
  const heads = [...patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)]
  return heads.length === 0
    ? codexChanges(input)
    : heads.map(([, head = "", path = ""]) => ({ type: patchHeads[head] ?? "edit", path: path.trim() }))
}

/** Claude Code's tools, by its names for them. */
const claudeTools: Readonly<Record<string, ReadTool>> = {
  Bash: running,
  Read: file("read", "file_path"),
  NotebookRead: file("read", "notebook_path"),
  Write: file("write", "file_path"),
  Edit: file("edit", "file_path"),
  MultiEdit: file("edit", "file_path"),
  NotebookEdit: file("edit", "notebook_path"),
  Glob: listing,
  LS: listing,
  Grep: searching,
  WebFetch: fetching,
  WebSearch: fetching,
  Agent: agent("name", "subagent_type"),
  Task: agent("name", "subagent_type"),
  AskUserQuestion: asking,
  ExitPlanMode: asking,
  // It looks for tools, not in files.
  ToolSearch: () => []
}

/** Codex's, by the types of its items and by the names that its model calls them. */
const codexTools: Readonly<Record<string, ReadTool>> = {
  commandExecution: codexCommand,
  exec_command: codexCommand,
  shell: codexCommand,
  local_shell: codexCommand,
  fileChange: codexChanges,
  apply_patch: codexPatch,
  webSearch: fetching,
  web_search: fetching,
  imageView: file("read", "path"),
  view_image: file("read", "path"),
  collabAgentToolCall: agent("tool"),
  spawnAgent: agent("agent_type"),
  spawn_agent: agent("agent_type")
}

/** Tools by their names. */
export const tools: ReadonlyMap<string, ReadTool> = new Map([
  ...Object.entries(claudeTools),
  ...Object.entries(codexTools)
])

/** What a tool of each kind does, by the keys that such tools usually have. */
export const kinds: Readonly<Record<Action, ReadTool>> = {
  command: codexCommand,
  read: file("read", "file_path", "path"),
  write: file("write", "file_path", "path"),
  edit: (input) => {
    const changes = codexPatch(input)
    return changes.length > 0 ? changes : file("edit", "file_path", "path", "notebook_path")(input)
  },
  search: searching,
  fetch: fetching,
  agent: agent("name", "subagent_type", "agent_type"),
  question: asking,
  page_tool: () => [],
  other: () => []
}
