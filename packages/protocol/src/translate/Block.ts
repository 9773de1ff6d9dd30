/**
 * The life of one block at the client: it begins, says something, ends.
 *
 * A block may be ended by the end of its run and go on in the next one under the same id: whatever says something
 * begins it again when it has to. Text that ends in half a surrogate pair is held until the other half comes,
 * because the API cuts its deltas anywhere (docs/wire/claude-code.md §5.45) and UTF-8 cannot write one half.
 */
import type { AguiEvent } from "../agui/Event.ts"
import type { Block } from "./State.ts"

/** Where events go: an array that one step owns. */
export type Out = Array<AguiEvent>

/** A block that has not begun. */
export const makeBlock = (kind: Block["kind"], id: string, parent = "", name = ""): Block => ({
  kind,
  id,
  parent,
  name,
  open: false,
  begun: false,
  sent: "",
  half: "",
  signature: "",
  whole: false,
  again: undefined
})

/** An event with the mark of the sub-agent it belongs to, if it belongs to one. */
export const tagged = <E extends AguiEvent>(event: E, tag: string | undefined): E =>
  tag === undefined ? event : { ...event, subagentRunId: tag }

/** Begins a block, unless it is open. */
export const begin = (block: Block, tag: string | undefined, out: Out): Block => {
  if (block.open) return block
  switch (block.kind) {
    case "text":
      out.push(tagged({ type: "TEXT_MESSAGE_START", messageId: block.id, role: "assistant" }, tag))
      break
    case "thinking":
      out.push(
        tagged({ type: "REASONING_START", messageId: block.id }, tag),
        tagged({ type: "REASONING_MESSAGE_START", messageId: block.id, role: "reasoning" }, tag)
      )
      break
    case "tool":
      out.push(
        tagged(
          {
            type: "TOOL_CALL_START",
            toolCallId: block.id,
            toolCallName: block.name,
            parentMessageId: block.parent
          },
          tag
        )
      )
      break
    case "other":
      return block
  }
  return { ...block, open: true, begun: true }
}

/** Says the next piece of a block: text, thinking, or arguments. */
export const say = (block: Block, piece: string, tag: string | undefined, out: Out): Block => {
  if (block.again !== undefined) return sayAgain(block, block.again, piece, tag, out)
  const text = block.half === "" ? piece : block.half + piece
  if (text === "" || block.kind === "other") return block
  const half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : ""
  const ready = half === "" ? text : text.slice(0, -1)
  if (ready === "") return { ...block, half }
  if (!block.open) begin(block, tag, out)
  out.push(content(block, ready, tag))
  return spoken(block, block.sent + ready, half)
}

/** An open block with more of it sent. Written out, because a spread is slow (see `advanced` in State.ts). */
export const spoken = (block: Block, sent: string, half: string): Block => ({
  kind: block.kind,
  id: block.id,
  parent: block.parent,
  name: block.name,
  open: true,
  begun: true,
  sent,
  half,
  signature: block.signature,
  whole: block.whole,
  again: block.again
})

const content = ({ id, kind }: Block, delta: string, tag: string | undefined): AguiEvent => {
  switch (kind) {
    case "tool":
      return tagged({ type: "TOOL_CALL_ARGS", toolCallId: id, delta }, tag)
    case "thinking":
      return tagged({ type: "REASONING_MESSAGE_CONTENT", messageId: id, delta }, tag)
    default:
      return tagged({ type: "TEXT_MESSAGE_CONTENT", messageId: id, delta }, tag)
  }
}

/** Whether a UTF-16 unit is the first half of a surrogate pair. */
export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/**
 * A block that may repeat one of a cut answer says nothing while it repeats, goes on in the old block when it has
 * caught up, and starts afresh when it turns out to be something else.
 */
const sayAgain = (block: Block, before: Block, piece: string, tag: string | undefined, out: Out): Block => {
  const said = block.sent + piece
  const prior = before.sent + before.half
  if (said.length < prior.length && prior.startsWith(said)) return { ...block, sent: said }
  if (!said.startsWith(prior)) return startAfresh(block, before, said, tag, out)
  const { begun, half, id, open, sent } = before
  return say({ ...block, id, begun, open, sent, half, again: undefined }, said.slice(prior.length), tag, out)
}

const startAfresh = (block: Block, before: Block, said: string, tag: string | undefined, out: Out): Block => {
  abandon(before, tag, out)
  return say({ ...block, sent: "", again: undefined }, said, tag, out)
}

/** Ends a block, if it is open. Half a surrogate pair that is still held will never be whole: it goes out as it is. */
export const end = (block: Block, tag: string | undefined, out: Out): Block => {
  if (block.again !== undefined) return end(startAfresh(block, block.again, block.sent, tag, out), tag, out)
  const flushed = flush(block, tag, out)
  const { id, kind, signature } = flushed
  // Thinking the API does not show has nothing but its signature.
  const begun = kind === "thinking" && signature !== "" && !flushed.begun ? begin(flushed, tag, out) : flushed
  if (!begun.open) return begun
  switch (kind) {
    case "text":
      out.push(tagged({ type: "TEXT_MESSAGE_END", messageId: id }, tag))
      break
    case "thinking":
      out.push(tagged({ type: "REASONING_MESSAGE_END", messageId: id }, tag))
      if (signature !== "") out.push(encrypted(flushed, tag))
      out.push(tagged({ type: "REASONING_END", messageId: id }, tag))
      break
    case "tool":
      out.push(tagged({ type: "TOOL_CALL_END", toolCallId: id }, tag))
      break
  }
  return { ...begun, open: false }
}

const encrypted = ({ id, signature }: Block, tag: string | undefined): AguiEvent =>
  tagged({ type: "REASONING_ENCRYPTED_VALUE", subtype: "message", entityId: id, encryptedValue: signature }, tag)

const flush = (block: Block, tag: string | undefined, out: Out): Block => {
  if (block.half === "") return block
  const opened = begin(block, tag, out)
  out.push(content(opened, opened.half, tag))
  return { ...opened, sent: opened.sent + opened.half, half: "" }
}

/**
 * Ends a block of an answer that was cut and will not go on. What was shown cannot be taken back, so it is marked:
 * in the message's metadata for clients that keep it, and by a `message_abandoned` event for all.
 */
export const abandon = (block: Block, tag: string | undefined, out: Out): Block => {
  const from = out.length
  const ended = end(block, tag, out)
  for (let index = from; index < out.length; index++) {
    const event = out[index]
    if (event !== undefined && closers.has(event.type)) out[index] = { ...event, metadata: { abandoned: true } }
  }
  if (ended.begun)
    out.push(tagged({ type: "CUSTOM", name: "message_abandoned", value: { id: ended.id, kind: ended.kind } }, tag))
  return ended
}

const closers = new Set<AguiEvent["type"]>(["TEXT_MESSAGE_END", "REASONING_MESSAGE_END", "TOOL_CALL_END"])

/**
 * Ends a block that the `assistant` line holds whole: first comes what the stream did not bring. Where the stream
 * brought something else, pieces of it were lost on the way (2.1.37 loses what it says while its WebSocket is away,
 * docs/wire/claude-code.md §2): what was shown is abandoned, and the whole is shown in its place.
 */
export const complete = (block: Block, whole: string, signature: string, tag: string | undefined, out: Out): Block => {
  const rest = missing(block, whole)
  const spoken = rest === undefined ? say(replacement(block, tag, out), whole, tag, out) : say(block, rest, tag, out)
  const signed = signature === "" ? spoken : { ...spoken, signature }
  const late = signature !== "" && signature !== block.signature
  if (late && signed.begun && !signed.open) out.push(encrypted(signed, tag))
  return { ...end(signed, tag, out), whole: true, sent: "" }
}

const replacement = (block: Block, tag: string | undefined, out: Out): Block => {
  abandon(block, tag, out)
  return makeBlock(block.kind, `${block.id}:whole`)
}

/**
 * What is in the whole and was not sent; undefined when they differ. The arguments of a tool may: the CLI normalises
 * them, and what was streamed is what the person saw (docs/wire/claude-code.md §7.49).
 */
const missing = ({ half, kind, sent }: Block, whole: string): string | undefined => {
  const prior = sent + half
  if (kind === "tool" && prior !== "" && isJson(prior)) return ""
  if (whole.startsWith(prior)) return whole.slice(prior.length)
  return kind === "tool" ? "" : undefined
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
