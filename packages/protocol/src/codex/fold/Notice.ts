/**
 * What Codex says besides the conversation: `noticed`, each under a name of its own.
 *
 * The value of a notice is what the message says, under the wire's own names. The mapping of every message is data:
 * {@link mappingOf} is what the fold follows and what the documentation shows.
 */
import { type Mapping, mapping } from "../../model/Mapping.ts"
import type { Request } from "../../model/Request.ts"
import { clientNotifications, clientRequests } from "../generated/Methods.ts"
import type { MessageName } from "../Message.ts"

const item = ["item_started", "item_grew", "item_ended"] as const
const speech = (kind: "text" | "thought"): Mapping => mapping({ events: item, items: [kind], note: "as it comes" })
const asked = (request: Request["kind"], note = "announces the call, if no item has done so"): Mapping =>
  mapping({ events: [...item, "request_opened"], items: ["call"], requests: [request], note })

const explicit: { readonly [Name in MessageName]?: Mapping } = {
  "turn/started": mapping({ note: "the turn begins" }),
  "turn/completed": mapping({
    events: [...item, "request_closed"],
    items: ["task"],
    closings: ["ended"],
    note: "the end of the turn, and of what it leaves open; a command that continues becomes a task"
  }),
  "item/started": mapping({
    events: [...item, "noticed"],
    items: ["text", "call", "prompt"],
    noticed: ["subagent_prompt"],
    note: "a call begins; texts and thoughts begin with their first word; prompts of this client give nothing"
  }),
  "item/completed": mapping({
    events: [...item, "item_changed", "call_answered", "request_closed", "context_reset", "noticed"],
    items: ["text", "thought", "call", "prompt"],
    closings: ["answered"],
    noticed: [
      "message_details",
      "hook_prompt",
      "function_call_output",
      "subagent_activity",
      "subagent_prompt",
      "review_entered",
      "review_exited",
      "context_compaction",
      "item"
    ],
    note: "what the stream did not bring, the end of the item, the result of a call"
  }),
  "item/agentMessage/delta": speech("text"),
  "item/plan/delta": speech("text"),
  "item/reasoning/textDelta": speech("thought"),
  "item/reasoning/summaryTextDelta": speech("thought"),
  "item/reasoning/summaryPartAdded": mapping({ note: "the next section of a thought" }),
  "item/commandExecution/outputDelta": mapping({ events: ["noticed"], noticed: ["command_output"] }),
  "turn/plan/updated": mapping({
    events: ["item_started", "item_changed"],
    items: ["task"],
    note: "the plan is a task"
  }),
  "thread/tokenUsage/updated": mapping({
    events: ["spent", "noticed"],
    noticed: ["token_usage"],
    note: "counted for the turn in progress"
  }),
  "thread/started": mapping({ events: ["session_changed"] }),
  "thread/settings/updated": mapping({ events: ["session_changed", "noticed"], noticed: ["thread_settings_updated"] }),
  "mcpServer/startupStatus/updated": mapping({
    events: ["session_changed", "noticed"],
    noticed: ["mcp_server_startup_status_updated"]
  }),
  "thread/name/updated": mapping({ events: ["noticed"], noticed: ["title_changed"], note: "the thread has a name" }),
  error: mapping({
    events: ["item_ended", "noticed"],
    noticed: ["error"],
    note: "where it tries again, what was being said is abandoned: it is said again under another id"
  }),
  "serverRequest/resolved": mapping({
    events: ["request_closed", "call_answered", "noticed"],
    closings: ["withdrawn"],
    noticed: ["server_request_resolved"],
    note: "unless the answer was heard before"
  }),
  "item/commandExecution/requestApproval": asked("permission"),
  "item/fileChange/requestApproval": asked("permission"),
  "item/permissions/requestApproval": asked("permission"),
  execCommandApproval: asked("permission"),
  applyPatchApproval: asked("permission"),
  "item/tool/requestUserInput": asked("choice"),
  "item/tool/call": asked("page_tool"),
  "mcpServer/elicitation/request": mapping({
    events: ["request_opened"],
    requests: ["permission", "form"],
    note: "leave to use a tool of an MCP server is asked for by way of a form"
  }),
  response: mapping({
    events: ["session_changed", "request_closed", "call_answered"],
    closings: ["answered"],
    note: "the server's say what a thread is, a client's answer a question"
  }),
  "response/error": mapping({
    events: ["request_closed", "call_answered"],
    closings: ["answered"],
    note: "a refused prompt ends its turn"
  })
}

/** The name of the notice of a method: `thread/status/changed` is `thread_status_changed`. */
export const noticeName = (method: string): string =>
  method
    .replace(/[/.]/g, "_")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()

/** What a message becomes, by its name. */
export const mappingOf = (name: MessageName): Mapping => {
  const found = explicit[name]
  if (found !== undefined) return found
  if (Object.hasOwn(clientRequests, name) || Object.hasOwn(clientNotifications, name))
    return mapping({ note: "a client's" })
  return mapping({ events: ["noticed"], noticed: [noticeName(name)] })
}
