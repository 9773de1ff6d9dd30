/**
 * Tool calls: how they are announced, completed, and answered by the API's own tools.
 *
 * A call is announced once, by whatever mentions it first: its block, its whole message, or the request to permit
 * it. It is known until its result comes.
 */
import { withEntry, withoutEntry } from "../../model/Situation.ts"
import type { MessageOf } from "../Message.ts"
import { actionOf } from "./Action.ts"
import { beginBlock, completeBlock, endBlock, makeBlock, type Out } from "./Block.ts"
import { fieldsIn, textIn } from "./Fields.ts"
import { findCall, findReply, indexOfWhole, parentOf, withBlock, withBlockOf, withReply } from "./Lane.ts"
import { addRecent, isRecent } from "./Recent.ts"
import { type Block, type Call, type FoldState, type Lane, laneOf, type Reply, withLane } from "./State.ts"
import { toolContent } from "./ToolContent.ts"

type Content = MessageOf<"assistant">["message"]["content"][number]

/** A call as a block of any kind has it. */
export interface ToolUse {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** The block of a call that has not begun. The application's own tools go by the application's names. */
export const callBlock = ({ pageTools }: FoldState, id: string, parent: string, name: string): Block => {
  const own = pageTools.get(name)
  const made = { ...makeBlock("call", id), parent }
  return own === undefined
    ? { ...made, tool: name, action: actionOf(name) }
    : { ...made, tool: own, action: "page_tool" }
}

/**
 * Announces a call, unless its permission request has done so already. A call that a reply announced before it was
 * cut, and that comes again under the same id, continues where it was.
 */
export const startCall = (
  state: FoldState,
  lane: Lane,
  reply: Reply,
  index: number,
  use: ToolUse,
  out: Out
): FoldState => {
  const block = callBlock(state, use.id, parentOf(reply, index), use.name)
  const place = (next: Block): FoldState => withLane(state, withReply(lane, withBlock(reply, index, next)))
  if (!isAnnounced(state, use.id)) return withCall(place(beginBlock(block, lane.parent, out)), lane.parent, use)
  const own = state.calls.get(use.id)?.lane === lane.parent
  const before = own ? findCall(lane, reply, use.id) : undefined
  return place(
    before === undefined
      ? { ...block, begun: true, whole: true }
      : { ...block, parent: before.parent, again: { ...before, open: false } }
  )
}

/** Whether a call has been announced, as far back as it is remembered. */
export const isAnnounced = (state: FoldState, id: string): boolean =>
  state.calls.has(id) || isRecent(state.answered, id)

/** The state with a call that has its result. */
export const withAnswered = (state: FoldState, id: string): FoldState => ({
  ...state,
  calls: withoutEntry(state.calls, id),
  answered: addRecent(state.answered, id)
})

/** The state with a call that waits for its result. */
export const withCall = (state: FoldState, lane: string | null, { id, input, name }: ToolUse): FoldState => ({
  ...state,
  calls: withEntry(state.calls, id, { lane, agent: agentOf(name, input) })
})

const agentOf = (tool: string, input: unknown): Call["agent"] => {
  if (actionOf(tool) !== "agent") return undefined
  const { description, subagent_type } = fieldsIn(input)
  return { name: textIn(subagent_type) ?? "agent", description: textIn(description) }
}

/** A call, whole. */
export const wholeCall = (state: FoldState, lane: Lane, reply: Reply, use: ToolUse, out: Out): FoldState => {
  const index = indexOfWhole(reply, "call", use.id)
  const started = reply.blocks[index] === undefined ? startCall(state, lane, reply, index, use, out) : state
  const here = laneOf(started, lane.parent)
  const block = findReply(here, reply.id)?.blocks[index]
  if (block === undefined) return started
  const call = started.calls.get(use.id)
  const informed =
    call === undefined
      ? started
      : { ...started, calls: withEntry(started.calls, use.id, { ...call, agent: agentOf(use.name, use.input) }) }
  if (block.whole) return informed
  // On 2.1.37 the input of a server tool is JSON text already (docs/wire/claude-code.md §8).
  const input = typeof use.input === "string" ? use.input : JSON.stringify(use.input ?? {})
  return withLane(informed, withBlockOf(here, reply.id, index, completeBlock(block, input, "", lane.parent, out)))
}

/** The results of the API's own tools, and blocks the model has no item for. */
export const wholeOther = (state: FoldState, lane: Lane, reply: Reply, content: Content, out: Out): FoldState => {
  const index = indexOfWhole(reply, "other")
  const { content: given, is_error, tool_use_id } = fieldsIn(content)
  if (typeof tool_use_id === "string")
    out.push({
      type: "call_answered",
      lane: lane.parent,
      id: tool_use_id,
      content:
        content.type === "mcp_tool_result" && (typeof given === "string" || Array.isArray(given))
          ? toolContent(given)
          : (JSON.stringify(given) ?? ""),
      failed: is_error === true || isErrorBlock(given)
    })
  else
    out.push({
      type: "noticed",
      lane: lane.parent,
      name: "content_block",
      value: { messageId: reply.id, block: content }
    })
  const block = { ...makeBlock("other", ""), whole: true }
  const placed = withLane(state, withReply(lane, withBlock(reply, index, block)))
  return typeof tool_use_id === "string" ? withAnswered(placed, tool_use_id) : placed
}

const isErrorBlock = (content: unknown): boolean => textIn(fieldsIn(content)["type"])?.endsWith("_error") === true

/** Ends a call that is still open: its result is here. */
export const endCall = (state: FoldState, id: string, out: Out): FoldState => {
  const call = state.calls.get(id)
  const lane = call === undefined ? undefined : laneOf(state, call.lane)
  const reply = lane?.current
  const index = reply?.blocks.findIndex((block) => block?.kind === "call" && block.id === id && block.open) ?? -1
  const block = reply?.blocks[index]
  if (lane === undefined || reply === undefined || block === undefined) return state
  return withLane(state, { ...lane, current: withBlock(reply, index, endBlock(block, lane.parent, out)) })
}
