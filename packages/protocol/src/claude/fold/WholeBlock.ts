/**
 * What the model has said: an `assistant` line holds one block of a reply, whole. What the stream has brought of it
 * (Stream.ts) is not said again.
 */
import type { MessageOf } from "../Message.ts"
import { anchorLine, newestItem } from "./Anchored.ts"
import { abandonBlock, completeBlock, makeBlock, type Out } from "./Block.ts"
import { listIn, speakerOf, textIn } from "./Fields.ts"
import {
  addWhole,
  blockId,
  findRepeated,
  findReply,
  indexOfSpeech,
  isRepeated,
  makeSpeech,
  shownOf,
  unfinished,
  withBlockOf
} from "./Lane.ts"
import { noteSpending, noteSpoken, withTurn } from "./Spending.ts"
import { type Block, type FoldState, type Lane, laneOf, type Reply, withLane } from "./State.ts"
import { openLane, speakerName } from "./Subagent.ts"
import { wholeCall, wholeOther } from "./ToolCall.ts"

type Content = MessageOf<"assistant">["message"]["content"][number]

/** One block of a reply, whole. */
export const assistant = (state: FoldState, message: MessageOf<"assistant">, out: Out): FoldState => {
  const speaker = speakerOf(message)
  const { content, id, model, usage } = message.message
  const hints = { name: textIn(message.subagent_type), description: textIn(message.task_description) }
  const opened = openLane(state, speaker, hints, out)
  const lane = laneOf(opened, speaker)
  const known = findReply(lane, id) !== undefined
  const ready = known
    ? opened
    : withLane(
        opened,
        addWhole(model === synthetic ? lane : supersede(lane, content, out), id, speakerName(opened, speaker))
      )
  const from = out.length
  const said = content.reduce<FoldState>((next, block) => wholeBlock(next, message, block, out), ready)
  if (speaker === null) anchorLine(said, message, newestItem(out, from), out)
  const cut = lane.current
  if (cut !== undefined && isStreaming(cut) && !isStreaming(laneOf(said, speaker).current ?? cut))
    out.push({ type: "reply_ended", lane: speaker, id: cut.id })
  if (speaker !== null) return said
  const spent = known || model === synthetic ? said : noteSpending(said, id, usage, model, out)
  const error = textIn(message.error)
  return withTurn(spent, (turn) => {
    if (error !== undefined) return { ...turn, error, recovered: false }
    return turn.error === undefined || turn.recovered || model === synthetic ? turn : { ...turn, recovered: true }
  })
}

const isStreaming = ({ stopped, superseded }: Reply): boolean => !stopped && !superseded

/** The model of what the CLI says in the model's place: errors, output of commands. */
const synthetic = "<synthetic>"

/**
 * A whole reply that comes while another is being streamed takes its place: up to 2.1.197 the CLI falls back to
 * asking without a stream (docs/wire/claude-code.md §5.12). What it does not repeat was abandoned.
 */
const supersede = (lane: Lane, content: ReadonlyArray<Content>, out: Out): Lane => {
  const { current, parent } = lane
  if (current === undefined || unfinished(current).length === 0) return lane
  const blocks = current.blocks.map((block) => {
    if (block === undefined || block.whole || content.some((whole) => repeats(whole, block))) return block
    const abandoned = abandonBlock(shownOf(block), parent, out)
    return block.again === undefined ? abandoned : { ...block, again: undefined, sent: "" }
  })
  return { ...lane, current: { ...current, blocks, superseded: true } }
}

const repeats = (content: Content, block: Block): boolean => {
  if (content.type === "text") return isRepeated(block, "text", content.text)
  return content.type === "thinking" && isRepeated(block, "thought", content.thinking)
}

const wholeBlock = (state: FoldState, message: MessageOf<"assistant">, content: Content, out: Out): FoldState => {
  const speaker = speakerOf(message)
  const { id, model } = message.message
  const made = model === synthetic
  const lane = laneOf(state, speaker)
  const reply = findReply(lane, id)
  if (reply === undefined) return state
  switch (content.type) {
    case "text": {
      const [rest, index, block] = speechFor(lane, reply, "text", made, content.text)
      const done = completeBlock(block, content.text, "", speaker, out)
      const citations = listIn(content.citations)
      if (citations.length > 0)
        out.push({ type: "noticed", lane: speaker, name: "citations", value: { messageId: done.id, citations } })
      const next = withLane(state, withBlockOf(rest, id, index, done))
      return speaker === null && content.text !== "" ? noteSpoken(next) : next
    }
    case "thinking": {
      const [rest, index, block] = speechFor(lane, reply, "thought", made, content.thinking, textIn(content.signature))
      const done = completeBlock(block, content.thinking, textIn(content.signature) ?? "", speaker, out)
      return withLane(state, withBlockOf(rest, id, index, done))
    }
    case "redacted_thinking": {
      const [rest, index, block] = speechFor(lane, reply, "thought", made, undefined, content.data)
      return withLane(state, withBlockOf(rest, id, index, completeBlock(block, "", content.data, speaker, out)))
    }
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return wholeCall(state, lane, reply, content, out)
    default:
      return wholeOther(state, lane, reply, content, out)
  }
}

/**
 * The block that a whole text or thought belongs to: a streamed one, one it repeats, or a new one. What the CLI
 * itself `made` repeats nothing.
 */
const speechFor = (
  lane: Lane,
  reply: Reply,
  kind: "text" | "thought",
  made: boolean,
  whole?: string,
  signature = ""
): [Lane, number, Block] => {
  const index = indexOfSpeech(reply, kind, whole ?? "", signature)
  const streamed = reply.blocks[index]
  if (streamed !== undefined) {
    // The next reply has begun, and this one was taken for cut off: its line was only late.
    const late = lane.cut.find(({ id }) => id === streamed.id)
    return late === undefined ? [lane, index, streamed] : [{ ...lane, cut: without(lane.cut, late) }, index, late]
  }
  if (made) return [lane, index, makeBlock(kind, blockId(reply, kind))]
  if (whole !== undefined && lane.current?.id !== reply.id) {
    const [rest, block] = findRepeated(lane, kind, whole)
    if (block !== undefined) return [rest, index, block]
  }
  const [rest, block] = makeSpeech(lane, reply, kind)
  return [rest, index, block]
}

const without = (blocks: ReadonlyArray<Block>, block: Block): ReadonlyArray<Block> =>
  blocks.filter((each) => each !== block)
