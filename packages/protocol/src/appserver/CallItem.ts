/**
 * Which item a call is, by what the model says that it does, and what of the call and of its result the item has. One
 * table.
 */
import { shellActions, unwrapShell } from "../actions/ShellActions.ts"
import type { CommandAction } from "../codex/generated/ItemPart.ts"
import type { Content } from "../model/Content.ts"
import { textIn } from "../wire/Fields.ts"
import { isRecord } from "../wire/Json.ts"
import type { JsonObject } from "../wire/Open.ts"
import { parseJson } from "../wire/ReadJson.ts"
import type { OpenCall } from "./Cursor.ts"
import { changesOf } from "./Diff.ts"
import type { AnyItem } from "./Draft.ts"
import { dynamicContentOf, mcpContentOf, wordsOf } from "./UserInput.ts"

/** What became of a call. */
export interface Outcome {
  readonly content: Content
  readonly failed: boolean
  readonly exitCode: number | undefined
  /** Somebody did not allow it. */
  readonly denied: boolean
  /** How long it took, in milliseconds. */
  readonly durationMs: number
}

/** A call, and where it is made. */
export interface CallFacts {
  readonly id: string
  readonly call: OpenCall
  /** What it was called with: JSON, unless it was cut off. */
  readonly value: unknown
  /** The same as an object; an empty one where it is none. */
  readonly input: JsonObject
  readonly cwd: string
  /** The thread that makes the call. */
  readonly thread: string
}

/** Which item a call is. Those without one are told in other ways, as Codex does. */
export type CallKind =
  | "command"
  | "files"
  | "search"
  | "agent"
  | "mcp"
  | "image"
  | "sleep"
  | "plan"
  | "steps"
  | "question"
  | "other"

/** What is known of a call. */
export const factsOf = (id: string, call: OpenCall, cwd: string, thread: string): CallFacts => {
  const parsed = parseJson(call.arguments)
  const value = parsed === undefined ? call.arguments : parsed
  return { id, call, value, input: isRecord(value) ? value : {}, cwd, thread }
}

/** Tools that are items of their own and that no action tells: of Claude Code the first two, of Codex the others. */
const byTool: ReadonlyMap<string, (input: JsonObject) => CallKind> = new Map([
  ["ExitPlanMode", ({ plan }) => (typeof plan === "string" ? "plan" : "other")],
  ["TodoWrite", ({ todos }) => (Array.isArray(todos) ? "steps" : "other")],
  ["imageView", ({ path }) => (typeof path === "string" ? "image" : "other")],
  ["sleep", ({ durationMs }) => (typeof durationMs === "number" ? "sleep" : "other")]
] as ReadonlyArray<readonly [string, (input: JsonObject) => CallKind]>)

const mcpName = /^mcp__(?<server>.+?)__(?<tool>.+)$/s

/** Which item a call is. What lacks the arguments that its item would show is any other call. */
export const kindOf = ({ call: { action, tool }, input }: CallFacts): CallKind => {
  const own = action === "page_tool" ? undefined : byTool.get(tool)
  if (own !== undefined) return own(input)
  switch (action) {
    case "command":
      return commandIn(input) === undefined ? "other" : "command"
    case "write":
    case "edit":
      return changesOf(input).length === 0 ? "other" : "files"
    case "fetch":
      return targetIn(input) === undefined && tool !== "webSearch" ? "other" : "search"
    case "agent":
    case "question":
      return action
    case "page_tool":
      return "other"
    default:
      return mcpName.test(tool) ? "mcp" : "other"
  }
}

/** The command of a call. */
export const commandIn = ({ cmd, command }: JsonObject): string | undefined => {
  const words = command ?? cmd
  return Array.isArray(words) ? words.filter((word) => typeof word === "string").join(" ") : textIn(words)
}

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * A command as Codex names one: by the shell that runs it, which clients take off again. The TUI (0.166.0) reads a command
 * without its shell as words, and shows its redirections in quotes.
 */
export const shellCommandOf = (text: string): string =>
  text === "" || unwrapShell(text) !== text ? text : `/bin/bash -lc ${quoted(text)}`

/** What Claude Code gives back of a command that wrote nothing (2.1.325). */
const noOutput = "(Bash completed with no output)"

const targetIn = ({ query, url }: JsonObject): string | undefined => textIn(query) ?? textIn(url)

/** What a command does, as far as it can be told: all of it or nothing, as Codex has it. */
export const commandActionsOf = (text: string): ReadonlyArray<CommandAction> => {
  const command = unwrapShell(text).trim()
  const unknown: ReadonlyArray<CommandAction> = [{ type: "unknown", command }]
  const actions: Array<CommandAction> = []
  for (const action of shellActions(text)) {
    if (action.type === "read")
      actions.push({ type: "read", command, name: action.path.split("/").at(-1) ?? action.path, path: action.path })
    else if (action.type === "list") actions.push({ type: "listFiles", command, path: action.path ?? null })
    else if (action.type === "search")
      actions.push({ type: "search", command, query: action.pattern ?? null, path: action.path ?? null })
    else return unknown
  }
  return actions.length === 0 ? unknown : actions
}

/** How a call stands, in the words that the items of commands and patches share. */
const statusOf = (outcome: Outcome | undefined): "inProgress" | "completed" | "failed" | "declined" => {
  if (outcome === undefined) return "inProgress"
  return outcome.failed ? (outcome.denied ? "declined" : "failed") : "completed"
}

/** Other items know no refusal. */
const plainStatusOf = (outcome: Outcome | undefined): "inProgress" | "completed" | "failed" =>
  outcome === undefined ? "inProgress" : outcome.failed ? "failed" : "completed"

/** What a command wrote. */
const outputOf = (content: Content): string => {
  const words = wordsOf(content)
  return words === noOutput ? "" : words
}

/** Codes that fail a command are its own; that of one that failed without is not known. */
const exitCodeOf = ({ exitCode, failed }: Outcome): number | null => exitCode ?? (failed ? null : 0)

/** The items by their kinds. `outcome` is undefined while a call runs. */
export const callItems: {
  readonly [K in Exclude<CallKind, "agent" | "plan" | "steps" | "question">]: (
    facts: CallFacts,
    outcome: Outcome | undefined
  ) => AnyItem
} = {
  command: ({ cwd, id, input }, outcome) => {
    const command = commandIn(input) ?? ""
    return {
      type: "commandExecution",
      id,
      pluginId: null,
      scriptPath: null,
      command: shellCommandOf(command),
      cwd: textIn(input["cwd"]) ?? cwd,
      processId: null,
      source: "agent",
      status: statusOf(outcome),
      commandActions: commandActionsOf(command),
      aggregatedOutput: outcome === undefined || statusOf(outcome) === "declined" ? null : outputOf(outcome.content),
      exitCode: outcome === undefined ? null : exitCodeOf(outcome),
      durationMs: outcome?.durationMs ?? null
    }
  },
  files: ({ id, input }, outcome) => ({
    type: "fileChange",
    id,
    changes: changesOf(input),
    status: statusOf(outcome)
  }),
  search: ({ id, input }, outcome) => {
    const [query, url] = [textIn(input["query"]), textIn(input["url"])]
    return {
      type: "webSearch",
      id,
      query: query ?? url ?? "",
      action:
        query === undefined && url !== undefined
          ? { type: "openPage", url }
          : { type: "search", query: query ?? null, queries: null },
      results: outcome === undefined ? null : mcpContentOf(outcome.content)
    }
  },
  mcp: ({ call, id, value }, outcome) => {
    const { server = "", tool = call.tool } = mcpName.exec(call.tool)?.groups ?? {}
    const failed = outcome?.failed === true
    return {
      type: "mcpToolCall",
      id,
      server,
      tool,
      status: plainStatusOf(outcome),
      arguments: value,
      appContext: null,
      mcpAppUi: null,
      pluginId: null,
      readOnlyHint: null,
      result:
        outcome === undefined || failed
          ? null
          : { content: mcpContentOf(outcome.content), structuredContent: null, _meta: null },
      error: outcome !== undefined && failed ? { message: wordsOf(outcome.content) } : null,
      durationMs: outcome?.durationMs ?? null
    }
  },
  image: ({ id, input }) => ({ type: "imageView", id, path: textIn(input["path"]) ?? "" }),
  sleep: ({ id, input }) => ({ type: "sleep", id, durationMs: Number(input["durationMs"]) }),
  other: ({ call, id, value }, outcome) => ({
    type: "dynamicToolCall",
    id,
    namespace: null,
    tool: call.tool,
    arguments: value,
    status: plainStatusOf(outcome),
    contentItems: outcome === undefined ? null : dynamicContentOf(outcome.content),
    success: outcome === undefined ? null : !outcome.failed,
    durationMs: outcome?.durationMs ?? null
  })
}
