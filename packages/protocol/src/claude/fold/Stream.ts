/**
 * What the model says while it says it: `stream_event` lines become texts, thoughts and calls that grow.
 *
 * `assistant` lines say the same thing again, whole (WholeBlock.ts): such a line brings only what is missing, and
 * closes the block. `content_block_stop` comes after it and closes nothing by itself: without the line the block was
 * cut off, and what follows is not known yet.
 */
import type { MessageOf } from "../Message.ts"
import { abandonBlock, endBlock, growBlock, makeBlock, type Out } from "./Block.ts"
import { fieldsIn, speakerOf, textIn } from "./Fields.ts"
import { addStreamed, isIndex, makeSpeech, saysNew, withBlock, withoutEmpty, withReply } from "./Lane.ts"
import { noteSpending, noteSpoken } from "./Spending.ts"
import { type Block, type FoldState, type Lane, laneOf, type Reply, withLane } from "./State.ts"
import { openLane, speakerName } from "./Subagent.ts"
import { startCall } from "./ToolCall.ts"

type Delta = MessageOf<"stream_event/content_block_delta">["event"]["delta"]

/** A new reply begins. */
export const messageStart = (
  state: FoldState,
  message: MessageOf<"stream_event/message_start">,
  out: Out
): FoldState => {
  const speaker = speakerOf(message)
  const { id, model, usage } = message.event.message
  const opened = openLane(state, speaker, {}, out)
  const lane = laneOf(opened, speaker)
  if (lane.current?.id === id) return opened
  const started = withLane(opened, addStreamed(lane, id, speakerName(opened, speaker), out))
  out.push({ type: "reply_started", lane: speaker, id })
  return speaker === null ? noteSpending(started, id, usage, model, out) : started
}

/** A block begins. Tools are shown at once; text and thinking once there is some. */
export const blockStart = (
  before: FoldState,
  message: MessageOf<"stream_event/content_block_start">,
  out: Out
): FoldState => {
  const { content_block: content, index } = message.event
  const speaker = speakerOf(message)
  const lane = laneOf(before, speaker)
  const reply = streaming(lane, message.api_message_id)
  if (reply === undefined || !isIndex(index)) return before
  // A block that is there already: its whole line came first, or this is the stream of a reply whose start was lost.
  if (reply.blocks[index] !== undefined) return before
  const state = openLane(before, speaker, {}, out)
  switch (content.type) {
    case "text": {
      const [rest, block] = makeSpeech(lane, reply, "text")
      return withLane(state, withReply(rest, withBlock(reply, index, growBlock(block, content.text, speaker, out))))
    }
    case "thinking": {
      const [rest, block] = makeSpeech(lane, reply, "thought")
      return withLane(state, withReply(rest, withBlock(reply, index, growBlock(block, content.thinking, speaker, out))))
    }
    case "redacted_thinking": {
      const [rest, block] = makeSpeech(lane, reply, "thought")
      return withLane(state, withReply(rest, withBlock(reply, index, { ...block, signature: content.data })))
    }
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return startCall(state, lane, reply, index, content, out)
    default:
      return withLane(state, withReply(lane, withBlock(reply, index, makeBlock("other", ""))))
  }
}

/** A block continues. */
export const blockDelta = (
  before: FoldState,
  message: MessageOf<"stream_event/content_block_delta">,
  out: Out
): FoldState => {
  const { delta, index } = message.event
  const speaker = speakerOf(message)
  const lane = laneOf(before, speaker)
  const reply = streaming(lane, message.api_message_id)
  const block = reply?.blocks[index]
  if (reply === undefined || block === undefined || block.whole) return before
  const state = speaker === null ? before : openLane(before, speaker, {}, out)
  const next = grown(block, delta, speaker, out)
  if (next === block) return state
  const current = withBlock(reply, index, next)
  const said = withLane(state, { parent: speaker, current, earlier: lane.earlier, cut: lane.cut })
  return speaker === null && next.kind === "text" ? noteSpoken(said) : said
}

const grown = (block: Block, delta: Delta, lane: string | null, out: Out): Block => {
  switch (delta.type) {
    case "text_delta":
      return block.kind === "text" ? growBlock(block, delta.text, lane, out) : block
    case "input_json_delta":
      return block.kind === "call" ? growBlock(block, delta.partial_json, lane, out) : block
    case "thinking_delta":
      return block.kind === "thought" ? growBlock(block, delta.thinking, lane, out) : block
    case "signature_delta":
      return block.kind === "thought"
        ? { ...block, signature: block.signature + (textIn(delta.signature) ?? "") }
        : block
    default:
      return block
  }
}

/** A block ends. Only an empty text ends here: the `assistant` line ends all others. */
export const blockStop = (state: FoldState, message: MessageOf<"stream_event/content_block_stop">): FoldState => {
  const lane = laneOf(state, speakerOf(message))
  const reply = streaming(lane, message.api_message_id)
  const rest = reply === undefined ? lane : withoutEmpty(lane, reply, message.event.index)
  return rest === lane ? state : withLane(state, rest)
}

/** The reply says what it cost. */
export const messageDelta = (
  state: FoldState,
  message: MessageOf<"stream_event/message_delta">,
  out: Out
): FoldState => {
  const reply = state.main.current
  const { usage } = message.event
  if (reply === undefined || usage === undefined || speakerOf(message) !== null) return state
  return noteSpending(state, reply.id, usage, undefined, out)
}

/** The reply ends. Blocks the CLI says it has abandoned stay open: the reply may be sent again. */
export const messageStop = (state: FoldState, message: MessageOf<"stream_event/message_stop">, out: Out): FoldState => {
  const speaker = speakerOf(message)
  const lane = laneOf(state, speaker)
  const reply = streaming(lane, message.api_message_id)
  if (reply === undefined) return state
  const { from_block_index: index } = fieldsIn(message.abandoned_blocks)
  const from = typeof index === "number" ? index : Number.POSITIVE_INFINITY
  const blocks = reply.blocks.map((block, index) =>
    block === undefined || block.whole || index >= from ? block : endBlock(block, speaker, out)
  )
  // A reply that was cut itself may be followed by another try.
  const again = from !== Number.POSITIVE_INFINITY && !saysNew(reply)
  if (!again) for (const block of lane.cut) abandonBlock(block, speaker, out)
  if (!reply.superseded) out.push({ type: "reply_ended", lane: speaker, id: reply.id })
  return withLane(state, { ...lane, current: { ...reply, blocks, stopped: true }, cut: again ? lane.cut : [] })
}

/** The reply a stream event speaks of: the current one, if it is in progress and is the one that the event names, if any. */
const streaming = ({ current }: Lane, id: unknown): Reply | undefined =>
  current === undefined || current.stopped || (typeof id === "string" && id !== current.id) ? undefined : current
