/**
 * What the server asks, opened as requests of the model. Each closes once: `Closing.ts`.
 */
import type { RequestId } from "../../jsonrpc/Message.ts"
import type { Action } from "../../model/Event.ts"
import { withEntry } from "../../model/Situation.ts"
import { fieldsIn, textIn } from "../../wire/Fields.ts"
import { requestOf, subjectOf } from "../command/Question.ts"
import type { QuestionMethod, WireQuestion } from "../command/WireQuestion.ts"
import { announceCall } from "./Call.ts"
import { type Answered, closeRequests } from "./Closing.ts"
import { type Call, type FoldState, laneOf, type Out, turnId } from "./State.ts"

/** What a call is of which nothing but its request speaks; undefined where an item says how it went. */
const announcements: Readonly<
  Record<
    QuestionMethod,
    { readonly type: string; readonly action: Action; readonly isRequestOnly: boolean } | undefined
  >
> = {
  "item/commandExecution/requestApproval": { type: "commandExecution", action: "command", isRequestOnly: false },
  "item/fileChange/requestApproval": { type: "fileChange", action: "edit", isRequestOnly: false },
  "item/permissions/requestApproval": { type: "permissions", action: "other", isRequestOnly: true },
  "item/tool/requestUserInput": { type: "userInput", action: "question", isRequestOnly: true },
  "item/tool/call": { type: "dynamicToolCall", action: "page_tool", isRequestOnly: false },
  execCommandApproval: { type: "commandExecution", action: "command", isRequestOnly: false },
  applyPatchApproval: { type: "fileChange", action: "edit", isRequestOnly: false },
  "mcpServer/elicitation/request": undefined
}

/** The server asks something. */
export const questionAsked = (state: FoldState, message: WireQuestion, thread: string, out: Out): FoldState => {
  const subject = subjectOf(message)
  // Numbers begin anew with each process, so the turn is part of the name: the one that is known, whatever this line says.
  const turn = turnId(state) ?? subject.turn ?? thread
  const id = `${turn}:${message.id}`
  if (state.requests.has(id)) return state
  const announcement = announcements[message.method]
  const announced =
    announcement === undefined || subject.item === undefined
      ? state
      : announceCall(state, { ...announcement, ...subject, id: subject.item, thread }, out)
  const call = subject.item === undefined ? callOfServer(announced, message, thread) : announced.calls.get(subject.item)
  const request = requestOf(message, { id, call })
  out.push({ type: "request_opened", lane: laneOf(state, thread), request })
  const about = request.kind === "form" ? undefined : request.call
  return { ...announced, requests: withEntry(announced.requests, id, { wireId: message.id, thread, call: about }) }
}

/** The call of an MCP server's tool that a form asks about: the newest that waits (§3.24). */
const callOfServer = ({ calls }: FoldState, { params }: WireQuestion, thread: string): Call | undefined => {
  const server = textIn(fieldsIn(params)["serverName"]) ?? ""
  return [...calls.values()].findLast(
    (call) => call.type === "mcpToolCall" && call.thread === thread && call.tool.startsWith(`mcp__${server}__`)
  )
}

/** A client has answered, or failed to. */
export const requestAnswered = (state: FoldState, id: RequestId, answered: Answered, out: Out): FoldState =>
  closeRequests(state, ({ wireId }) => wireId === id, "answered", out, answered)

/** The server needs no answer any more: it has one that nobody has heard here, or does without. */
export const requestResolved = (state: FoldState, id: RequestId, out: Out): FoldState =>
  closeRequests(state, ({ wireId }) => wireId === id, "withdrawn", out, { content: "", failed: false })
