/**
 * The life of one block as an item: it begins, grows, ends.
 *
 * Text that ends in half a surrogate pair is held until the other half comes, because the API cuts its deltas
 * anywhere (docs/wire/claude-code.md §5.45) and UTF-8 cannot write one half.
 */
import type { Event, ItemStart, Lane } from "../../model/Event.ts"
import { withoutPrefix } from "../../wire/Prefix.ts"
import type { Block } from "./State.ts"

/** Where events go: an array that one step owns. */
export type Out = Array<Event>

/** A block that has not begun. */
export const makeBlock = (kind: Block["kind"], id: string): Block => ({
  kind,
  id,
  parent: "",
  tool: "",
  action: "other",
  open: false,
  begun: false,
  sent: "",
  half: "",
  signature: "",
  abandoned: false,
  sealed: false,
  whole: false,
  again: undefined
})

/** Begins a block, unless it is open. One that was abandoned and continues after all only grows. */
export const beginBlock = (block: Block, lane: Lane, out: Out): Block => {
  if (block.open || block.kind === "other") return block
  if (!block.begun || !block.abandoned) out.push(started(block, lane))
  return { ...block, open: true, begun: true }
}

const started = (block: Block, lane: Lane): Event => ({
  type: "item_started",
  lane,
  id: block.id,
  item: startOf(block)
})

const startOf = ({ action, kind, parent, tool }: Block): ItemStart => {
  switch (kind) {
    case "thought":
      return { kind: "thought" }
    case "call":
      return { kind: "call", tool, action, parent }
    default:
      return { kind: "text" }
  }
}

/** Says the next piece of a block: text, thinking, or arguments. */
export const growBlock = (block: Block, piece: string, lane: Lane, out: Out): Block => {
  if (block.again !== undefined) return sayAgain(block, block.again, piece, lane, out)
  const text = block.half === "" ? piece : block.half + piece
  if (text === "" || block.kind === "other") return block
  const half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : ""
  const ready = half === "" ? text : text.slice(0, -1)
  if (ready === "") return { ...block, half }
  if (!block.open) beginBlock(block, lane, out)
  out.push({ type: "item_grew", lane, id: block.id, delta: ready })
  return grownBlock(block, block.sent + ready, half)
}

/** An open block that has grown. Written out, because a spread is slow (see `afterDelta` in State.ts). */
export const grownBlock = (block: Block, sent: string, half: string): Block => ({
  kind: block.kind,
  id: block.id,
  parent: block.parent,
  tool: block.tool,
  action: block.action,
  open: true,
  begun: true,
  sent,
  half,
  signature: block.signature,
  abandoned: false,
  sealed: block.sealed,
  whole: block.whole,
  again: block.again
})

/** Whether a UTF-16 unit is the first half of a surrogate pair. */
export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/**
 * A block that may repeat one of a cut reply says nothing while it repeats, continues in the old block when it has
 * caught up, and starts afresh when it turns out to be something else.
 */
const sayAgain = (block: Block, before: Block, piece: string, lane: Lane, out: Out): Block => {
  const said = block.sent + piece
  const prior = before.sent + before.half
  if (said.length < prior.length && prior.startsWith(said)) return { ...block, sent: said }
  const rest = withoutPrefix(said, prior)
  if (rest === undefined) return startAfresh(block, before, said, lane, out)
  const { abandoned, begun, half, id, open, sent } = before
  return growBlock({ ...block, id, abandoned, begun, open, sent, half, again: undefined }, rest, lane, out)
}

const startAfresh = (block: Block, before: Block, said: string, lane: Lane, out: Out): Block => {
  abandonBlock(before, lane, out)
  return growBlock({ ...block, sent: "", again: undefined }, said, lane, out)
}

/** Ends a block, if it is open. Half a surrogate pair that is still held will never be whole: it goes out as it is. */
export const endBlock = (block: Block, lane: Lane, out: Out): Block => {
  if (block.again !== undefined) return endBlock(startAfresh(block, block.again, block.sent, lane, out), lane, out)
  const flushed = flush(block, lane, out)
  const { id, kind, signature } = flushed
  // Thinking the API does not show has nothing but its signature.
  const begun = kind === "thought" && signature !== "" && !flushed.begun ? beginBlock(flushed, lane, out) : flushed
  if (!begun.open) return begun
  out.push({
    type: "item_ended",
    lane,
    id,
    ...(kind === "thought" && signature !== "" && !begun.sealed && { signature })
  })
  return { ...begun, open: false, sealed: signature !== "" }
}

const flush = (block: Block, lane: Lane, out: Out): Block => {
  if (block.half === "") return block
  const opened = beginBlock(block, lane, out)
  out.push({ type: "item_grew", lane, id: opened.id, delta: opened.half })
  return { ...opened, sent: opened.sent + opened.half, half: "" }
}

/** Ends a block of a reply that was cut and will not continue. What was shown cannot be taken back, so it is marked. */
export const abandonBlock = (block: Block, lane: Lane, out: Out): Block => {
  const from = out.length
  const ended = endBlock(block, lane, out)
  for (let index = from; index < out.length; index++) {
    const event = out[index]
    if (event?.type === "item_ended") out[index] = { ...event, abandoned: true }
  }
  if (!ended.begun || ended.abandoned) return ended
  // Its end was reported before it turned out not to be one.
  const last = out.at(-1)
  if (out.length === from || last?.type !== "item_ended" || last.id !== ended.id)
    out.push(started(ended, lane), { type: "item_ended", lane, id: ended.id, abandoned: true })
  return { ...ended, abandoned: true }
}

/**
 * Ends a block that the `assistant` line holds whole: first comes what the stream did not bring. Where the stream
 * brought something else, pieces of it were lost on the way (2.1.37 loses what it says while its WebSocket is away,
 * docs/wire/claude-code.md §2): what was shown is abandoned, and the whole is shown in its place.
 */
export const completeBlock = (block: Block, whole: string, signature: string, lane: Lane, out: Out): Block => {
  const rest = missing(block, whole)
  const said =
    rest === undefined ? growBlock(replacement(block, lane, out), whole, lane, out) : growBlock(block, rest, lane, out)
  const signed = signature === "" ? said : { ...said, signature }
  // It was ended before its signature came.
  const late = signed.signature !== "" && signed.begun && !signed.open && !signed.sealed
  if (late) out.push({ type: "item_ended", lane, id: signed.id, signature: signed.signature })
  // It was taken for cut off, and has ended after all without another word.
  const recovered = signed.abandoned && !signed.open
  if (recovered) out.push({ type: "item_ended", lane, id: signed.id })
  return { ...endBlock(signed, lane, out), whole: true, sent: "", abandoned: false }
}

const replacement = (block: Block, lane: Lane, out: Out): Block => {
  abandonBlock(block, lane, out)
  return makeBlock(block.kind, `${block.id}:whole`)
}

/**
 * What is in the whole and was not sent; undefined when they differ. The arguments of a tool may: the CLI normalises
 * them, and what was streamed is what the person saw (docs/wire/claude-code.md §7.49).
 */
const missing = ({ half, kind, sent }: Block, whole: string): string | undefined => {
  return withoutPrefix(whole, sent + half) ?? (kind === "call" ? "" : undefined)
}
