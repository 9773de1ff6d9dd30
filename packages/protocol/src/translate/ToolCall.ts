/**
 * Tool calls: how they are announced, completed, and answered by the API's own tools.
 *
 * A call is announced once, by whatever tells of it first: its block, its whole message, or the request to permit
 * it. It is known until its result comes.
 */
import type { MessageOf } from "../claude/Message.ts"
import { begin, complete, end, makeBlock, type Out, tagged } from "./Block.ts"
import { findAnswer, findCall, indexOfWhole, parentOf, withAnswer, withBlock, withBlockOf } from "./Lane.ts"
import { remember, seen } from "./Recent.ts"
import { type Answer, type Block, type Call, type Lane, laneOf, put, type State, withLane, without } from "./State.ts"
import { tagOf } from "./Subagent.ts"
import { toolContent } from "./ToolContent.ts"

type Content = MessageOf<"assistant">["message"]["content"][number]

/** A call as a block of any kind has it. */
export interface ToolUse {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/**
 * Announces a call, unless its permission request has done so already. A call that an answer announced before it was
 * cut, and that comes again under the same id, goes on where it was.
 */
export const startCall = (state: State, lane: Lane, answer: Answer, index: number, use: ToolUse, out: Out): State => {
  const name = state.frontendTools.get(use.name) ?? use.name
  const block = makeBlock("tool", use.id, parentOf(answer, index), name)
  const place = (next: Block): State => withLane(state, withAnswer(lane, withBlock(answer, index, next)))
  if (!isAnnounced(state, use.id))
    return withCall(place(begin(block, tagOf(state, lane.parent), out)), lane.parent, use)
  const before = findCall(lane, answer, use.id)
  return place(
    before === undefined
      ? { ...block, begun: true, whole: true }
      : { ...block, parent: before.parent, again: { ...before, open: false } }
  )
}

/** Whether a call has been announced, as far back as it is remembered. */
export const isAnnounced = (state: State, id: string): boolean => state.calls.has(id) || seen(state.answered, id)

/** The state with a call that has its result. */
export const withAnswered = (state: State, id: string): State => ({
  ...state,
  calls: without(state.calls, id),
  answered: seen(state.answered, id) ? state.answered : remember(state.answered, id)
})

/** The state with a call that waits for its result. */
export const withCall = (state: State, lane: string | null, { id, input, name }: ToolUse): State => {
  const call: Call = {
    name,
    lane,
    tag: tagOf(state, lane),
    frontend: state.frontendTools.has(name),
    run: state.run?.ordinal ?? 0,
    agent: agentOf(name, input)
  }
  return { ...state, calls: put(state.calls, id, call) }
}

/** `Task` on 2.1.37, `Agent` later (docs/wire/claude-code.md §5.35). */
const agentTools = new Set(["Agent", "Task"])

const agentOf = (tool: string, input: unknown): Call["agent"] => {
  if (!agentTools.has(tool)) return undefined
  const { description, subagent_type } = (typeof input === "object" && input !== null ? input : {}) as Record<
    string,
    unknown
  >
  return {
    name: typeof subagent_type === "string" ? subagent_type : "agent",
    description: typeof description === "string" ? description : undefined
  }
}

/** A call, whole. */
export const wholeCall = (state: State, lane: Lane, answer: Answer, use: ToolUse, out: Out): State => {
  const index = indexOfWhole(answer, "tool", use.id)
  const started = answer.blocks[index] === undefined ? startCall(state, lane, answer, index, use, out) : state
  const here = laneOf(started, lane.parent)
  const block = findAnswer(here, answer.id)?.blocks[index]
  if (block === undefined) return started
  const call = started.calls.get(use.id)
  const informed =
    call === undefined
      ? started
      : { ...started, calls: put(started.calls, use.id, { ...call, agent: agentOf(use.name, use.input) }) }
  if (block.whole) return informed
  // On 2.1.37 the input of a server tool is JSON text already (docs/wire/claude-code.md §8).
  const input = typeof use.input === "string" ? use.input : JSON.stringify(use.input ?? {})
  return withLane(
    informed,
    withBlockOf(here, answer.id, index, complete(block, input, "", tagOf(started, lane.parent), out))
  )
}

/** The results of the API's own tools, and blocks AG-UI has no event for. */
export const wholeOther = (state: State, lane: Lane, answer: Answer, content: Content, out: Out): State => {
  const tag = tagOf(state, lane.parent)
  const index = indexOfWhole(answer, "other")
  const toolUseId: unknown = "tool_use_id" in content ? content.tool_use_id : undefined
  const given: unknown = "content" in content ? content.content : undefined
  if (typeof toolUseId === "string") {
    const failed = ("is_error" in content && content.is_error === true) || isErrorBlock(given)
    out.push(
      tagged(
        {
          type: "TOOL_CALL_RESULT",
          messageId: resultId(toolUseId),
          toolCallId: toolUseId,
          role: "tool",
          content:
            content.type === "mcp_tool_result" && (typeof given === "string" || Array.isArray(given))
              ? toolContent(given)
              : (JSON.stringify(given) ?? ""),
          ...(failed ? { metadata: { isError: true } } : {})
        },
        tag
      )
    )
  } else
    out.push(tagged({ type: "CUSTOM", name: "content_block", value: { messageId: answer.id, block: content } }, tag))
  const block = { ...makeBlock("other", ""), whole: true }
  const placed = withLane(state, withAnswer(lane, withBlock(answer, index, block)))
  return typeof toolUseId === "string" ? withAnswered(placed, toolUseId) : placed
}

const isErrorBlock = (content: unknown): boolean =>
  typeof content === "object" &&
  content !== null &&
  "type" in content &&
  typeof content.type === "string" &&
  content.type.endsWith("_error")

/** Ends a call that is still open: its result is here. */
export const endCall = (state: State, id: string, out: Out): State => {
  const call = state.calls.get(id)
  const lane = call === undefined ? undefined : laneOf(state, call.lane)
  const answer = lane?.current
  const index = answer?.blocks.findIndex((block) => block?.kind === "tool" && block.id === id && block.open) ?? -1
  const block = answer?.blocks[index]
  if (lane === undefined || answer === undefined || block === undefined) return state
  return withLane(state, { ...lane, current: withBlock(answer, index, end(block, call?.tag, out)) })
}

/** The id of the message that holds a call's result. */
export const resultId = (call: string): string => `${call}:result`
