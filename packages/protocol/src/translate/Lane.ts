/**
 * The answers of a lane: which blocks each has, and which of them a line means.
 *
 * A stream event names its block by index and its answer not at all; an `assistant` line names its answer and not
 * the block, and comes once for each block, in order (docs/wire/claude-code.md §5.1). Here the two meet.
 */
import { abandon, end, makeBlock, type Out, pause } from "./Block.ts"
import type { Answer, Block, Lane } from "./State.ts"

/** An answer that has no block yet. */
export const makeAnswer = (id: string, tag: string | undefined): Answer => ({
  id,
  name: tag === undefined ? id : `${tag}/${id}`,
  blocks: [],
  stopped: false,
  superseded: false
})

/** How many answers before the current one are kept: lines come late by one or two of them. */
const earlierAnswers = 4

/** The answer with this id, if the lane still knows it. */
export const findAnswer = (lane: Lane, id: string): Answer | undefined =>
  lane.current?.id === id ? lane.current : lane.earlier.find((answer) => answer.id === id)

/** The lane with an answer changed that it knows. */
export const withAnswer = (lane: Lane, answer: Answer): Lane =>
  lane.current?.id === answer.id
    ? { ...lane, current: answer }
    : { ...lane, earlier: lane.earlier.map((known) => (known.id === answer.id ? answer : known)) }

/** The lane with an answer that was never streamed. */
export const addWhole = (lane: Lane, id: string, tag: string | undefined): Lane => ({
  ...lane,
  earlier: [{ ...makeAnswer(id, tag), stopped: true }, ...lane.earlier].slice(0, earlierAnswers)
})

/** The lane with a new current answer. What the one before left unfinished was cut off. */
export const addStreamed = (lane: Lane, id: string, tag: string | undefined, out: Out): Lane => {
  const { current } = lane
  // A whole line may have come before its stream.
  const answer = { ...(findAnswer(lane, id) ?? makeAnswer(id, tag)), stopped: false }
  if (current === undefined) return { ...lane, current: answer, earlier: others(lane, id) }
  const cut = saysNew(current) ? [] : lane.cut
  if (cut !== lane.cut) for (const block of lane.cut) abandon(block, tag, out)
  for (const block of unfinished(current)) if (!repeatable(block)) abandon(block, tag, out)
  return {
    ...lane,
    current: answer,
    earlier: [{ ...current, blocks: current.blocks.map(settle), stopped: true }, ...others(lane, id)].slice(
      0,
      earlierAnswers
    ),
    cut: [...cut, ...unfinished(current).filter(repeatable)]
  }
}

/** Whether an answer says anything but what a cut one has said: then that one is not sent again. */
export const saysNew = ({ blocks }: Answer): boolean =>
  blocks.some((block) => block !== undefined && block.again === undefined && (block.begun || block.kind === "other"))

const others = ({ earlier }: Lane, id: string): ReadonlyArray<Answer> => earlier.filter((answer) => answer.id !== id)

/** Blocks that are open at the client, but for the end of a run, and not known to be complete. */
export const unfinished = ({ blocks }: Answer): ReadonlyArray<Block> =>
  blocks.flatMap((block) => {
    if (block === undefined || block.whole) return []
    const shown = shownOf(block)
    return shown.open || shown.paused || shown.half !== "" ? [shown] : []
  })

/** What the client has of a block: while it repeats a block of a cut answer, that one. */
export const shownOf = (block: Block): Block => block.again ?? block

/** A tool call that is made again has another id; text and thinking can be recognised. */
const repeatable = ({ kind }: Block): boolean => kind === "text" || kind === "thinking"

/** A block of which no stream says more. Its whole line may still come. */
const settle = (block: Block | undefined): Block | undefined =>
  block === undefined || block.whole ? block : { ...block, open: false, paused: false, half: "", again: undefined }

/** An answer with a block changed. */
export const withBlock = (answer: Answer, index: number, block: Block): Answer => {
  const blocks = answer.blocks.slice()
  blocks[index] = block
  return { id: answer.id, name: answer.name, blocks, stopped: answer.stopped, superseded: answer.superseded }
}

/** The lane with a block of an answer changed. */
export const withBlockOf = (lane: Lane, id: string, index: number, block: Block): Lane => {
  const answer = findAnswer(lane, id)
  return answer === undefined ? lane : withAnswer(lane, withBlock(answer, index, block))
}

/** The most blocks an answer may have: an index beyond is no index. */
const maxBlocks = 10_000

/** Whether a block may have this index. */
export const isIndex = (index: number): boolean => Number.isInteger(index) && index >= 0 && index < maxBlocks

/**
 * The index of the block an `assistant` line holds: the newest of its kind that is not complete, for the line comes
 * right after the stream of its block; a new index when nothing of it was streamed.
 */
export const indexOfWhole = ({ blocks }: Answer, kind: Block["kind"], toolId?: string): number => {
  const streamed = blocks.findLastIndex(
    (block) => block !== undefined && block.kind === kind && (kind === "tool" ? block.id === toolId : !block.whole)
  )
  return streamed === -1 ? blocks.length : streamed
}

/**
 * The index of the block a whole text or thought belongs to: the one that was streamed with just this content, because
 * 2.0.45 sends the whole lines of an answer after the streams of all its blocks; else as {@link indexOfWhole} says.
 */
export const indexOfSpeech = (answer: Answer, kind: "text" | "thinking", whole: string, signature: string): number => {
  const same = answer.blocks.findIndex(
    (block) =>
      block?.kind === kind &&
      !block.whole &&
      block.sent + block.half === whole &&
      (signature === "" || block.signature === signature)
  )
  return same === -1 ? indexOfWhole(answer, kind) : same
}

/**
 * The ids of blocks: derived from the speaker, the API's message id and the block's place, so that a stream, its
 * whole messages and a replay agree. A kind has ids of its own, so that no two blocks share one whatever the order.
 */
export const blockId = (answer: Answer, kind: "text" | "thinking" | "calls"): string => {
  const place = `${answer.name}:${placeOf(answer)}`
  return kind === "text" ? place : `${place}:${kind}`
}

/** The place of the next block. The API's index would not do: an empty block has one, and no `assistant` line. */
const placeOf = ({ blocks }: Answer): number =>
  blocks.reduce((count, block) => count + (block === undefined ? 0 : 1), 0)

/**
 * The assistant message a tool call hangs on: that of the text right before it, shared with the calls in between;
 * a message of its own otherwise. Text after a call begins a new message, so the order of blocks is kept.
 */
export const parentOf = (answer: Answer, index: number): string => {
  const before = answer.blocks.slice(0, index).findLast((block) => block !== undefined)
  if (before?.kind === "text" && before.begun) return before.id
  return before?.kind === "tool" ? before.parent : blockId(answer, "calls")
}

/**
 * The lane with its current answer less the newest block, if that is a text without a word: no `assistant` line will
 * come for it. What it might have repeated, the next block may.
 */
export const withoutEmpty = (lane: Lane, answer: Answer, index: number): Lane => {
  const block = answer.blocks[index]
  const empty = block?.kind === "text" && !block.whole && block.sent + block.half === ""
  if (!empty || index !== answer.blocks.length - 1) return lane
  const cut = block.again === undefined ? lane.cut : [block.again, ...lane.cut]
  return { ...lane, current: { ...answer, blocks: answer.blocks.slice(0, index) }, cut }
}

/**
 * A new block of text or thinking. If a block of that kind was cut off before, this may be the same answer again:
 * it then takes that block's place (docs/wire/claude-code.md §5.12).
 */
export const makeSpeech = (lane: Lane, answer: Answer, kind: "text" | "thinking"): [Lane, Block] => {
  const block = makeBlock(kind, blockId(answer, kind))
  const again = lane.cut.find((before) => before.kind === kind)
  return again === undefined
    ? [lane, block]
    : [
        { ...lane, cut: lane.cut.filter((before) => before !== again) },
        { ...block, again }
      ]
}

/**
 * For a whole answer that was never streamed: the open block of the current answer that it repeats, if it does.
 * The versions before 2.1.325 send a cut answer again this way.
 */
export const repeated = (lane: Lane, kind: "text" | "thinking", whole: string): [Lane, Block | undefined] => {
  const { current } = lane
  const index = current?.blocks.findIndex(
    (block) => block !== undefined && !block.whole && isRepeated(block, kind, whole)
  )
  const block = index === undefined ? undefined : current?.blocks[index]
  if (current === undefined || index === undefined || block === undefined) return [lane, undefined]
  const taken = withBlock(current, index, { ...makeBlock(kind, block.id), whole: true })
  return [{ ...lane, current: taken }, shownOf(block)]
}

/** The block of a call that another answer has announced and left unfinished. */
export const findCall = ({ current, earlier }: Lane, answer: Answer, id: string): Block | undefined =>
  [current, ...earlier]
    .filter((other) => other !== undefined && other.id !== answer.id)
    .flatMap((other) => other?.blocks ?? [])
    .find((block) => block?.kind === "tool" && block.id === id && !block.whole && !block.open)

/** Whether a whole text or thought repeats what the client has of a block, and goes on. */
export const isRepeated = (block: Block, kind: Block["kind"], whole: string): boolean => {
  const shown = shownOf(block)
  return (
    shown.kind === kind &&
    (shown.open || shown.paused || shown.half !== "") &&
    whole.startsWith(shown.sent + shown.half)
  )
}

/** Ends all that is open in a lane at the end of a run. `over`: nothing more of these answers is expected. */
export const closeLane = (lane: Lane, over: boolean, tag: string | undefined, out: Out): Lane => {
  if (!over) return pauseLane(lane, tag, out)
  const { current, cut, parent } = lane
  for (const block of cut) abandon(block, tag, out)
  for (const block of current?.blocks ?? []) {
    if (block === undefined || block.whole) continue
    if (current?.superseded === true) abandon(block, tag, out)
    else end(block, tag, out)
  }
  return { parent, current: undefined, earlier: [], cut: [] }
}

const pauseLane = (lane: Lane, tag: string | undefined, out: Out): Lane => {
  const { current } = lane
  const cut = lane.cut.map((block) => pause(block, tag, out))
  if (current === undefined) return { ...lane, cut }
  const blocks = current.blocks.map((block) => (block === undefined || block.whole ? block : pause(block, tag, out)))
  return { ...lane, cut, current: { ...current, blocks } }
}
