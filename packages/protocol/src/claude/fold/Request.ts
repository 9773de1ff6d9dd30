/**
 * What the CLI asks a person: may a tool run, and the forms of MCP servers. A request opens once and closes once, when
 * the CLI takes it back, when its call has a result, or with the turn.
 */
import type { Closing } from "../../model/Request.ts"
import { withEntry, withoutEntry } from "../../model/Situation.ts"
import { requestOf } from "../command/Question.ts"
import type { MessageOf } from "../Message.ts"
import { beginBlock, completeBlock, type Out } from "./Block.ts"
import { fieldsIn } from "./Fields.ts"
import type { Asked, FoldState } from "./State.ts"
import { openLane } from "./Subagent.ts"
import { callBlock, isAnnounced, withCall } from "./ToolCall.ts"

type CanUseTool = MessageOf<"control_request/can_use_tool">
type Elicitation = MessageOf<"control_request/elicitation">

/** A tool wants to run. */
export const permissionAsked = (state: FoldState, message: CanUseTool, out: Out): FoldState =>
  asked(announce(state, message, out), message, speakerOfRequest(state, message), out)

/** An MCP server wants to know something. */
export const formAsked = (state: FoldState, message: Elicitation, out: Out): FoldState =>
  asked(state, message, null, out)

const asked = (state: FoldState, message: CanUseTool | Elicitation, lane: string | null, out: Out): FoldState => {
  const request = requestOf(message, (name) => state.pageTools.get(name) ?? name)
  if (state.requests.has(request.id)) return state
  out.push({ type: "request_opened", lane, request })
  const call = request.kind === "form" ? undefined : request.call
  return { ...state, requests: withEntry(state.requests, request.id, { lane, call }) }
}

/**
 * Announces the call a permission is asked for, if no message has: on 2.1.197 a sub-agent's request comes first
 * (docs/wire/claude-code.md §5.5), and nobody can approve what is not there.
 */
const announce = (state: FoldState, message: CanUseTool, out: Out): FoldState => {
  const { input, tool_name: name, tool_use_id: id } = message.request
  const lane = speakerOfRequest(state, message)
  if (isAnnounced(state, id)) return state.calls.has(id) ? openLane(state, lane, {}, out) : state
  const opened = openLane(state, lane, {}, out)
  const block = callBlock(opened, id, `${id}:calls`, name)
  completeBlock(beginBlock(block, lane, out), JSON.stringify(fieldsIn(input)), "", lane, out)
  return withCall(opened, lane, { id, name, input })
}

/** Who asks: whoever made the call, or the agent that the request names by its task, not by its call (§5.36). */
export const speakerOfRequest = (state: FoldState, { request }: CanUseTool): string | null => {
  const call = state.calls.get(request.tool_use_id)
  if (call !== undefined) return call.lane
  if (isAnnounced(state, request.tool_use_id)) return null
  const task = typeof request.agent_id === "string" ? state.tasks.get(request.agent_id) : undefined
  const started = task?.content["toolCallId"]
  return typeof started === "string" ? started : null
}

/** A request is taken back: nobody needs to answer it any more. */
export const requestWithdrawn = (state: FoldState, id: string | undefined, out: Out): FoldState => {
  const open = id === undefined ? undefined : state.requests.get(id)
  if (id !== undefined && open !== undefined) return closed(state, [[id, open]], "withdrawn", out)
  out.push({
    type: "noticed",
    lane: null,
    name: "control_request_cancelled",
    value: id === undefined ? {} : { requestId: id }
  })
  return state
}

/** A call has its result: what was asked about it is answered. */
export const callSettled = (state: FoldState, call: string, out: Out): FoldState =>
  closed(
    state,
    [...state.requests].filter(([, request]) => request.call === call),
    "answered",
    out
  )

/** Closes the requests that nobody can answer any more. */
export const endRequests = (state: FoldState, isOver: (lane: string | null) => boolean, out: Out): FoldState =>
  closed(
    state,
    [...state.requests].filter(([, { lane }]) => isOver(lane)),
    "ended",
    out
  )

const closed = (state: FoldState, which: ReadonlyArray<readonly [string, Asked]>, by: Closing, out: Out): FoldState => {
  if (which.length === 0) return state
  for (const [id, { lane }] of which) out.push({ type: "request_closed", lane, id, by })
  return { ...state, requests: which.reduce((rest, [id]) => withoutEntry(rest, id), state.requests) }
}
