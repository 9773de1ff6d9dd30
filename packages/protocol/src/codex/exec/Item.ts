/**
 * The items of `codex exec --json` as the app-server says them: the same things in snake case, with fewer fields. So both
 * have one table of calls, and policies, faces and people one set of names.
 */
import { fieldsIn, listIn, textIn } from "../../wire/Fields.ts"
import type { WireItem } from "../fold/CallTable.ts"

/** An item of a turn, under the app-server's names. Types that it does not have are left as they are. */
export const serverItem = (item: WireItem, id: string): WireItem => {
  const type = textIn(item["type"]) ?? ""
  const convert = Object.hasOwn(items, type) ? items[type] : undefined
  return convert === undefined ? { ...item, id } : { ...convert(item), id }
}

const items: Readonly<Record<string, (item: WireItem) => WireItem>> = {
  agent_message: ({ text }) => ({ type: "agentMessage", text }),
  // The parts of a summary come as one text.
  reasoning: ({ text }) => ({ type: "reasoning", summary: [text] }),
  command_execution: ({ aggregated_output, command, exit_code, status }) => ({
    type: "commandExecution",
    command,
    aggregatedOutput: aggregated_output,
    exitCode: exit_code,
    status
  }),
  file_change: ({ changes, status }) => ({ type: "fileChange", changes: listIn(changes).map(serverChange), status }),
  mcp_tool_call: ({ arguments: given, error, result, server, status, tool }) => ({
    type: "mcpToolCall",
    server,
    tool,
    arguments: given,
    error,
    result: serverResult(result),
    status
  }),
  web_search: ({ action, query }) => ({ type: "webSearch", query, action })
}

const serverChange = (change: unknown): WireItem => {
  const { kind, ...rest } = fieldsIn(change)
  return { ...rest, kind: { type: kind } }
}

const serverResult = (result: unknown): unknown => {
  const { content, structured_content } = fieldsIn(result)
  return { content, structuredContent: structured_content }
}
