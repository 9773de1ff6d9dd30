/**
 * The replies of a lane: which blocks each has, and which of them a line means.
 *
 * A stream event names its block by index and its reply not at all; an `assistant` line names its reply and not
 * the block, and comes once for each block, in order (docs/wire/claude-code.md §5.1). Here the two meet.
 */
import { abandonBlock, endBlock, makeBlock, type Out } from "./Block.ts"
import type { Block, Lane, Reply } from "./State.ts"

/** A reply that has no block yet. */
export const makeReply = (id: string, speaker: string | undefined): Reply => ({
  id,
  name: speaker === undefined ? id : `${speaker}/${id}`,
  blocks: [],
  stopped: false,
  superseded: false
})

/** How many replies before the current one are kept: lines come late by one or two of them. */
const earlierReplies = 4

/** The reply with this id, if the lane still knows it. */
export const findReply = (lane: Lane, id: string): Reply | undefined =>
  lane.current?.id === id ? lane.current : lane.earlier.find((reply) => reply.id === id)

/** The lane with one of its replies changed. */
export const withReply = (lane: Lane, reply: Reply): Lane =>
  lane.current?.id === reply.id
    ? { ...lane, current: reply }
    : { ...lane, earlier: lane.earlier.map((known) => (known.id === reply.id ? reply : known)) }

/** The lane with a reply that was never streamed. */
export const addWhole = (lane: Lane, id: string, speaker: string | undefined): Lane => ({
  ...lane,
  earlier: [{ ...makeReply(id, speaker), stopped: true }, ...lane.earlier].slice(0, earlierReplies)
})

/** The lane with a new current reply. What the one before left unfinished was cut off. */
export const addStreamed = (lane: Lane, id: string, speaker: string | undefined, out: Out): Lane => {
  const { current, parent } = lane
  // A whole line may have come before its stream.
  const reply = { ...(findReply(lane, id) ?? makeReply(id, speaker)), stopped: false }
  if (current === undefined) return { ...lane, current: reply, earlier: others(lane, id) }
  const cut = saysNew(current) ? [] : lane.cut
  if (cut !== lane.cut) for (const block of lane.cut) abandonBlock(block, parent, out)
  const blocks = current.blocks.map((block) => settle(isCutCall(block) ? abandonBlock(block, parent, out) : block))
  return {
    ...lane,
    current: reply,
    earlier: [{ ...current, blocks, stopped: true }, ...others(lane, id)].slice(0, earlierReplies),
    cut: [...cut, ...unfinished(current).filter(repeatable)]
  }
}

/** Whether a reply says anything that a cut one did not: then it is not the cut one sent again. */
export const saysNew = ({ blocks }: Reply): boolean =>
  blocks.some((block) => block !== undefined && block.again === undefined && (block.begun || block.kind === "other"))

const others = ({ earlier }: Lane, id: string): ReadonlyArray<Reply> => earlier.filter((reply) => reply.id !== id)

/** Blocks that are open and not known to be complete. */
export const unfinished = ({ blocks }: Reply): ReadonlyArray<Block> =>
  blocks.flatMap((block) => {
    if (block === undefined || block.whole) return []
    const shown = shownOf(block)
    return shown.open || shown.half !== "" ? [shown] : []
  })

/** What the client has of a block: while it repeats a block of a cut reply, that one. */
export const shownOf = (block: Block): Block => block.again ?? block

/** A tool call that is made again has another id; text and thinking can be recognised. */
const repeatable = ({ kind }: Block): boolean => kind === "text" || kind === "thought"

const isCutCall = (block: Block | undefined): block is Block =>
  block !== undefined && !block.whole && !repeatable(block) && (block.open || block.half !== "")

/** A block of which no stream says more. Its whole line may still come. */
const settle = (block: Block | undefined): Block | undefined =>
  block === undefined || block.whole ? block : { ...block, open: false, half: "", again: undefined }

/** A reply with a block changed. */
export const withBlock = (reply: Reply, index: number, block: Block): Reply => {
  const blocks = reply.blocks.slice()
  blocks[index] = block
  return { id: reply.id, name: reply.name, blocks, stopped: reply.stopped, superseded: reply.superseded }
}

/** The lane with a block of a reply changed. */
export const withBlockOf = (lane: Lane, id: string, index: number, block: Block): Lane => {
  const reply = findReply(lane, id)
  return reply === undefined ? lane : withReply(lane, withBlock(reply, index, block))
}

/** The most blocks a reply may have: anything beyond is not an index. */
const maxBlocks = 10_000

/** Whether a block may have this index. */
export const isIndex = (index: number): boolean => Number.isInteger(index) && index >= 0 && index < maxBlocks

/**
 * The index of the block an `assistant` line holds: the newest of its kind that is not complete, because the line comes
 * right after the stream of its block; a new index when nothing of it was streamed.
 */
export const indexOfWhole = ({ blocks }: Reply, kind: Block["kind"], toolId?: string): number => {
  const streamed = blocks.findLastIndex(
    (block) => block !== undefined && block.kind === kind && (kind === "call" ? block.id === toolId : !block.whole)
  )
  return streamed === -1 ? blocks.length : streamed
}

/**
 * The index of the block a whole text or thought belongs to: the one that was streamed with just this content, because
 * 2.0.45 sends the whole lines of an answer after the streams of all its blocks; else as {@link indexOfWhole} says.
 */
export const indexOfSpeech = (reply: Reply, kind: "text" | "thought", whole: string, signature: string): number => {
  const same = reply.blocks.findIndex(
    (block) =>
      block?.kind === kind &&
      !block.whole &&
      block.sent + block.half === whole &&
      (signature === "" || block.signature === signature)
  )
  return same === -1 ? indexOfWhole(reply, kind) : same
}

/**
 * The ids of blocks: derived from the speaker, the API's message id and the block's place, so that a stream, its
 * whole messages and a replay agree. A kind has ids of its own, so that no two blocks share one whatever the order.
 */
export const blockId = (reply: Reply, kind: "text" | "thought" | "calls"): string => {
  const place = `${reply.name}:${placeOf(reply)}`
  return kind === "text" ? place : `${place}:${kind === "thought" ? "thinking" : kind}`
}

/** The place of the next block. The API's index would not do: an empty block has one, and no `assistant` line. */
const placeOf = ({ blocks }: Reply): number => blocks.reduce((count, block) => count + (block === undefined ? 0 : 1), 0)

/**
 * The assistant message a tool call hangs on: that of the text right before it, shared with the calls in between;
 * a message of its own otherwise. Text after a call begins a new message, so the order of blocks is kept.
 */
export const parentOf = (reply: Reply, index: number): string => {
  const before = reply.blocks.slice(0, index).findLast((block) => block !== undefined)
  if (before?.kind === "text" && before.begun) return before.id
  return before?.kind === "call" ? before.parent : blockId(reply, "calls")
}

/**
 * The lane with its current reply minus the newest block, if that is an empty text: no `assistant` line will
 * come for it. What it might have repeated, the next block may.
 */
export const withoutEmpty = (lane: Lane, reply: Reply, index: number): Lane => {
  const block = reply.blocks[index]
  const empty = block?.kind === "text" && !block.whole && block.sent + block.half === ""
  if (!empty || index !== reply.blocks.length - 1) return lane
  const cut = block.again === undefined ? lane.cut : [block.again, ...lane.cut]
  return { ...lane, current: { ...reply, blocks: reply.blocks.slice(0, index) }, cut }
}

/**
 * A new block of text or thinking. If a block of that kind was cut off before, this may be the same reply again:
 * it then takes that block's place (docs/wire/claude-code.md §5.12).
 */
export const makeSpeech = (lane: Lane, reply: Reply, kind: "text" | "thought"): [Lane, Block] => {
  const block = makeBlock(kind, blockId(reply, kind))
  const again = lane.cut.find((before) => before.kind === kind)
  return again === undefined
    ? [lane, block]
    : [
        { ...lane, cut: lane.cut.filter((before) => before !== again) },
        { ...block, again }
      ]
}

/**
 * For a whole reply that was never streamed: the open block of the current reply that it repeats, if it does.
 * The versions before 2.1.325 send a cut reply again this way.
 */
export const findRepeated = (lane: Lane, kind: "text" | "thought", whole: string): [Lane, Block | undefined] => {
  const { current } = lane
  const index = current?.blocks.findIndex(
    (block) => block !== undefined && !block.whole && isRepeated(block, kind, whole)
  )
  const block = index === undefined ? undefined : current?.blocks[index]
  if (current === undefined || index === undefined || block === undefined) return [lane, undefined]
  const taken = withBlock(current, index, { ...makeBlock(kind, block.id), whole: true })
  return [{ ...lane, current: taken }, shownOf(block)]
}

/** The block of a call that another reply has announced and left unfinished. */
export const findCall = ({ current, earlier }: Lane, reply: Reply, id: string): Block | undefined =>
  [current, ...earlier]
    .filter((other) => other !== undefined && other.id !== reply.id)
    .flatMap((other) => other?.blocks ?? [])
    .find((block) => block?.kind === "call" && block.id === id && !block.whole && !block.open)

/** Whether a whole text or thought repeats what the client has of a block, and continues. */
export const isRepeated = (block: Block, kind: Block["kind"], whole: string): boolean => {
  const shown = shownOf(block)
  return shown.kind === kind && (shown.open || shown.half !== "") && whole.startsWith(shown.sent + shown.half)
}

/** Ends all that is open in a lane: nothing more of its replies is expected. */
export const closeLane = ({ current, cut, parent }: Lane, out: Out): void => {
  for (const block of cut) abandonBlock(block, parent, out)
  for (const block of current?.blocks ?? []) {
    if (block === undefined || block.whole) continue
    if (current?.superseded === true) abandonBlock(block, parent, out)
    else endBlock(block, parent, out)
  }
}
