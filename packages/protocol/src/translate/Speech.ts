/**
 * What the model says: `stream_event` and `assistant` lines become messages, reasoning and tool calls.
 *
 * The two say the same thing twice. Stream events are shown as they come; the `assistant` line of a block then
 * brings only what is missing and closes it. `content_block_stop` comes after that line and closes nothing by
 * itself: without the line the block was cut off, and it is not yet known how the story goes on.
 */
import type { MessageOf } from "../claude/Message.ts"
import { abandon, complete, end, makeBlock, type Out, say, tagged } from "./Block.ts"
import {
  addStreamed,
  addWhole,
  blockId,
  closeLane,
  findAnswer,
  indexOfSpeech,
  isIndex,
  isRepeated,
  makeSpeech,
  repeated,
  saysNew,
  shownOf,
  unfinished,
  withAnswer,
  withBlock,
  withBlockOf,
  withoutEmpty
} from "./Lane.ts"
import { type Answer, type Block, emptyTurn, type Lane, laneOf, type State, type Turn, withLane } from "./State.ts"
import { enter, tagOf } from "./Subagent.ts"
import { startCall, wholeCall, wholeOther, withCallTold } from "./ToolCall.ts"
import { type ApiUsage, plus, tokenUsage } from "./Usage.ts"

type Delta = MessageOf<"stream_event/content_block_delta">["event"]["delta"]
type Content = MessageOf<"assistant">["message"]["content"][number]

/** A new answer begins. */
export const messageStart = (state: State, message: MessageOf<"stream_event/message_start">, out: Out): State => {
  const parent = message.parent_tool_use_id
  const { id, model, usage } = message.event.message
  const entered = enter(state, parent, {}, out)
  const lane = laneOf(entered, parent)
  if (lane.current?.id === id) return entered
  const started = withLane(entered, addStreamed(lane, id, tagOf(entered, parent), out))
  return parent === null ? inTurn(started, (turn) => spending({ ...turn, model }, id, usage)) : started
}

/** A block begins. Tools are shown at once; text and thinking when there is something of them. */
export const blockStart = (before: State, message: MessageOf<"stream_event/content_block_start">, out: Out): State => {
  const { content_block: content, index } = message.event
  const parent = message.parent_tool_use_id
  const lane = laneOf(before, parent)
  const answer = streaming(lane, message.api_message_id)
  if (answer === undefined || !isIndex(index)) return before
  // A block that is there already: its whole line came first, or this is the stream of an answer whose start was lost.
  if (answer.blocks[index] !== undefined) return before
  const state = enter(before, parent, {}, out)
  const tag = tagOf(state, parent)
  switch (content.type) {
    case "text": {
      const [rest, block] = makeSpeech(lane, answer, "text")
      return withLane(state, withAnswer(rest, withBlock(answer, index, say(block, content.text, tag, out))))
    }
    case "thinking": {
      const [rest, block] = makeSpeech(lane, answer, "thinking")
      return withLane(state, withAnswer(rest, withBlock(answer, index, say(block, content.thinking, tag, out))))
    }
    case "redacted_thinking": {
      const [rest, block] = makeSpeech(lane, answer, "thinking")
      return withLane(state, withAnswer(rest, withBlock(answer, index, { ...block, signature: content.data })))
    }
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return startCall(state, lane, answer, index, content, out)
    default:
      return withLane(state, withAnswer(lane, withBlock(answer, index, makeBlock("other", ""))))
  }
}

/** A block goes on. */
export const blockDelta = (before: State, message: MessageOf<"stream_event/content_block_delta">, out: Out): State => {
  const { delta, index } = message.event
  const parent = message.parent_tool_use_id
  const lane = laneOf(before, parent)
  const answer = streaming(lane, message.api_message_id)
  const block = answer?.blocks[index]
  if (answer === undefined || block === undefined || block.whole) return before
  const state = parent === null ? before : enter(before, parent, {}, out)
  const next = goOn(block, delta, parent === null ? undefined : tagOf(state, parent), out)
  if (next === block) return state
  const current = withBlock(answer, index, next)
  const told = next.kind === "tool" && !block.open ? withCallTold(state, next.id) : state
  const spoken = withLane(told, { parent, current, earlier: lane.earlier, cut: lane.cut })
  return parent === null && next.kind === "text" ? speaking(spoken) : spoken
}

const goOn = (block: Block, delta: Delta, tag: string | undefined, out: Out): Block => {
  switch (delta.type) {
    case "text_delta":
      return block.kind === "text" ? say(block, delta.text, tag, out) : block
    case "input_json_delta":
      return block.kind === "tool" ? say(block, delta.partial_json, tag, out) : block
    case "thinking_delta":
      return block.kind === "thinking" ? say(block, delta.thinking, tag, out) : block
    case "signature_delta":
      return block.kind === "thinking" ? { ...block, signature: block.signature + delta.signature } : block
    default:
      return block
  }
}

/** A block ends. Only a text without a word ends here: the `assistant` line ends all others. */
export const blockStop = (state: State, message: MessageOf<"stream_event/content_block_stop">): State => {
  const lane = laneOf(state, message.parent_tool_use_id)
  const answer = streaming(lane, message.api_message_id)
  const rest = answer === undefined ? lane : withoutEmpty(lane, answer, message.event.index)
  return rest === lane ? state : withLane(state, rest)
}

/** The answer says what it cost. */
export const messageDelta = (state: State, message: MessageOf<"stream_event/message_delta">): State => {
  const answer = laneOf(state, message.parent_tool_use_id).current
  const { usage } = message.event
  if (answer === undefined || usage === undefined || message.parent_tool_use_id !== null) return state
  return inTurn(state, (turn) => spending(turn, answer.id, usage))
}

/** The answer ends. Blocks the CLI says it has abandoned stay open: the answer may be sent again. */
export const messageStop = (state: State, message: MessageOf<"stream_event/message_stop">, out: Out): State => {
  const parent = message.parent_tool_use_id
  const lane = laneOf(state, parent)
  const answer = streaming(lane, message.api_message_id)
  if (answer === undefined) return state
  const tag = tagOf(state, parent)
  const from = message.abandoned_blocks?.from_block_index ?? Number.POSITIVE_INFINITY
  const blocks = answer.blocks.map((block, index) =>
    block === undefined || block.whole || index >= from ? block : end(block, tag, out)
  )
  // An answer that was cut itself may be followed by another try.
  const again = message.abandoned_blocks !== undefined && !saysNew(answer)
  if (!again) for (const block of lane.cut) abandon(block, tag, out)
  return withLane(state, { ...lane, current: { ...answer, blocks, stopped: true }, cut: again ? lane.cut : [] })
}

/** The answer a stream event speaks of: the current one, if it goes on and is not another than the event names. */
const streaming = ({ current }: Lane, id: string | undefined): Answer | undefined =>
  current === undefined || current.stopped || (id !== undefined && id !== current.id) ? undefined : current

/** One block of an answer, whole. */
export const assistant = (state: State, message: MessageOf<"assistant">, out: Out): State => {
  const parent = message.parent_tool_use_id
  const { content, id, model, usage } = message.message
  const entered = enter(state, parent, { name: message.subagent_type, description: message.task_description }, out)
  const lane = laneOf(entered, parent)
  const tag = tagOf(entered, parent)
  const known = findAnswer(lane, id) !== undefined
  const ready = known
    ? entered
    : withLane(entered, addWhole(model === synthetic ? lane : supersede(lane, content, tag, out), id, tag))
  const said = content.reduce<State>((next, block) => wholeBlock(next, message, block, out), ready)
  if (parent !== null) return said
  return inTurn(said, (turn) => {
    const spent = known || model === synthetic ? turn : spending({ ...turn, model }, id, usage)
    return { ...spent, error: message.error === undefined ? spent.error : String(message.error) }
  })
}

/** The model of what the CLI says in the model's place: errors, output of commands. */
const synthetic = "<synthetic>"

/**
 * A whole answer that comes while another is being streamed takes its place: up to 2.1.197 the CLI falls back to
 * asking without a stream (docs/wire/claude-code.md §5.12). What it does not repeat was abandoned.
 */
const supersede = (lane: Lane, content: ReadonlyArray<Content>, tag: string | undefined, out: Out): Lane => {
  const { current } = lane
  if (current === undefined || unfinished(current).length === 0) return lane
  const blocks = current.blocks.map((block) => {
    if (block === undefined || block.whole || content.some((whole) => repeats(whole, block))) return block
    const abandoned = abandon(shownOf(block), tag, out)
    return block.again === undefined ? abandoned : { ...block, again: undefined, sent: "" }
  })
  return { ...lane, current: { ...current, blocks, superseded: true } }
}

const repeats = (content: Content, block: Block): boolean => {
  if (content.type === "text") return isRepeated(block, "text", content.text)
  return content.type === "thinking" && isRepeated(block, "thinking", content.thinking)
}

const wholeBlock = (state: State, message: MessageOf<"assistant">, content: Content, out: Out): State => {
  const parent = message.parent_tool_use_id
  const { id, model } = message.message
  const made = model === synthetic
  const lane = laneOf(state, parent)
  const answer = findAnswer(lane, id)
  if (answer === undefined) return state
  const tag = tagOf(state, parent)
  switch (content.type) {
    case "text": {
      const [rest, index, block] = speechFor(lane, answer, "text", made, content.text)
      const done = complete(block, content.text, "", tag, out)
      if (content.citations !== undefined && content.citations !== null && content.citations.length > 0)
        out.push(
          tagged(
            { type: "CUSTOM", name: "citations", value: { messageId: done.id, citations: content.citations } },
            tag
          )
        )
      const next = withLane(state, withBlockOf(rest, id, index, done))
      return parent === null && content.text !== "" ? speaking(next) : next
    }
    case "thinking": {
      const [rest, index, block] = speechFor(lane, answer, "thinking", made, content.thinking, content.signature)
      return withLane(
        state,
        withBlockOf(rest, id, index, complete(block, content.thinking, content.signature ?? "", tag, out))
      )
    }
    case "redacted_thinking": {
      const [rest, index, block] = speechFor(lane, answer, "thinking", made, undefined, content.data)
      return withLane(state, withBlockOf(rest, id, index, complete(block, "", content.data, tag, out)))
    }
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return wholeCall(state, lane, answer, content, out)
    default:
      return wholeOther(state, lane, answer, content, out)
  }
}

/**
 * The block that a whole text or thought belongs to: a streamed one, one it repeats, or a new one. What the CLI
 * itself `made` repeats nothing.
 */
const speechFor = (
  lane: Lane,
  answer: Answer,
  kind: "text" | "thinking",
  made: boolean,
  whole?: string,
  signature = ""
): [Lane, number, Block] => {
  const index = indexOfSpeech(answer, kind, whole ?? "", signature)
  const streamed = answer.blocks[index]
  if (streamed !== undefined) {
    // The next answer has begun, and this one was taken for cut off: its line was only late.
    const late = lane.cut.find(({ id }) => id === streamed.id)
    return late === undefined ? [lane, index, streamed] : [{ ...lane, cut: without(lane.cut, late) }, index, late]
  }
  if (made) return [lane, index, makeBlock(kind, blockId(answer, kind))]
  if (whole !== undefined && lane.current?.id !== answer.id) {
    const [rest, block] = repeated(lane, kind, whole)
    if (block !== undefined) return [rest, index, block]
  }
  const [rest, block] = makeSpeech(lane, answer, kind)
  return [rest, index, block]
}

const without = (blocks: ReadonlyArray<Block>, block: Block): ReadonlyArray<Block> =>
  blocks.filter((each) => each !== block)

/** Ends all that is open in every lane. `isOver`: nothing more of a speaker's answers is expected. */
export const closeLanes = (state: State, isOver: (parent: string | null) => boolean, out: Out): State => {
  const main = closeLane(state.main, isOver(null), undefined, out)
  const lanes = new Map<string, Lane>()
  let entered = state
  for (const [parent, lane] of state.lanes) {
    const last: Out = []
    lanes.set(parent, closeLane(lane, isOver(parent), tagOf(state, parent), last))
    // A sub-agent that was silent in this run may have something to say at the end.
    if (last.length > 0) entered = enter(entered, parent, {}, out)
    out.push(...last)
  }
  return { ...entered, main, lanes }
}

const inTurn = (state: State, change: (turn: Turn) => Turn): State => ({
  ...state,
  turn: change(state.turn ?? emptyTurn)
})

/** Notes that the main thread has said something. */
export const speaking = (state: State): State =>
  state.turn?.spoken === true ? state : inTurn(state, (turn) => ({ ...turn, spoken: true }))

const spending = (turn: Turn, id: string, usage: ApiUsage): Turn => {
  const before = turn.spending
  if (before === undefined || before.id !== id)
    return {
      ...turn,
      settled: before === undefined ? turn.settled : plus(turn.settled, before.usage),
      spending: { id, usage: tokenUsage(usage) }
    }
  // The counts of `message_delta` are cumulative, and those it leaves out are those of `message_start`.
  const now = tokenUsage(usage)
  return {
    ...turn,
    spending: { id, usage: now.inputTokens === 0 ? { ...before.usage, ...outputOf(before.usage, now) } : now }
  }
}

const outputOf = (
  { inputTokens = 0 }: { readonly inputTokens?: number },
  { outputTokens = 0 }: { readonly outputTokens?: number }
): { readonly outputTokens: number; readonly totalTokens: number } => ({
  outputTokens,
  totalTokens: inputTokens + outputTokens
})
