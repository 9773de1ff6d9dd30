/**
 * What differs between two tapes of the same scenario: ids are renamed one to one, times, costs and sizes are not
 * compared, nor lines that come by chance, and an extra or missing line does not spoil the rest.
 *
 * Each channel is compared on its own, since who spoke first when both spoke at once is chance.
 */
import { Framer } from "../wire/Framer.ts"
import { isRecord } from "../wire/Json.ts"
import { alignLines } from "./AlignLines.ts"
import { linesOf } from "./lines/index.ts"
import type { RuntimeLines } from "./lines/RuntimeLines.ts"
import { makeRenamer } from "./Rename.ts"
import { parseLine } from "./ReplayScript.ts"
import { Signatures } from "./Signature.ts"
import type { Speaker, Tape } from "./Tape.ts"
import { bytesOf } from "./TapeCodec.ts"
import type { Difference } from "./Trial.ts"

/** One thing that differs. Frames are counted from 1 on each side. */
export type TapeDifference =
  | { readonly _tag: "OnlyLeft"; readonly left: number; readonly name: string; readonly value: unknown }
  | { readonly _tag: "OnlyRight"; readonly right: number; readonly name: string; readonly value: unknown }
  | {
      readonly _tag: "Changed"
      readonly left: number
      readonly right: number
      readonly name: string
      /** `expected` is the left tape's, `actual` the right one's. */
      readonly differences: ReadonlyArray<Difference>
    }

/** How tapes are compared. */
export interface TapeDiffOptions {
  /** Whether the deltas of a content block are compared as one: where they were cut is then no difference. */
  readonly joinDeltas?: boolean
  /** Whether stderr is compared. Default true. */
  readonly stderr?: boolean
}

interface Item {
  readonly frame: number
  /** Who spoke where: `agent stdout`. */
  readonly lane: string
  /** `agent stdout stream_event/content_block_delta`. */
  readonly name: string
  /** As it is compared. */
  value: unknown
  /** As it was said. */
  readonly said: unknown
  /** The number of what is left of it without its ids: the same for lines that may match. */
  signature: number
}

/** What differs, in the order of the left tape's frames. Empty when nothing does. */
export const diffTapes = (left: Tape, right: Tape, options: TapeDiffOptions = {}): ReadonlyArray<TapeDifference> => {
  const signatures = new Signatures()
  const lefts = lanesOf(itemsOf(left, options, signatures))
  const rights = lanesOf(itemsOf(right, options, signatures))
  const pairs = [...new Set([...lefts.keys(), ...rights.keys()])].flatMap((lane) =>
    align(lefts.get(lane) ?? [], rights.get(lane) ?? [])
  )
  pairs.sort((one, other) => placeOf(one) - placeOf(other))
  const renamer = makeRenamer()
  // What is alike teaches the ids; only then is it fair to say what a changed line has changed.
  const isAlike = pairs.map(
    ([one, other]) =>
      one !== undefined && other !== undefined && renamer.matchValue(one.value, other.value).length === 0
  )
  const found: Array<TapeDifference> = []
  for (const [index, [one, other]] of pairs.entries()) {
    if (isAlike[index] === true) continue
    if (one !== undefined && other !== undefined) {
      const differences = renamer.matchValue(one.value, other.value)
      if (differences.length > 0)
        found.push({ _tag: "Changed", left: one.frame, right: other.frame, name: one.name, differences })
    } else if (one !== undefined) found.push({ _tag: "OnlyLeft", left: one.frame, name: one.name, value: one.said })
    else if (other !== undefined)
      found.push({ _tag: "OnlyRight", right: other.frame, name: other.name, value: other.said })
  }
  return found
}

type Pair = readonly [Item | undefined, Item | undefined]

const placeOf = ([one, other]: Pair): number => one?.frame ?? other?.frame ?? 0

const lanesOf = (items: ReadonlyArray<Item>): ReadonlyMap<string, ReadonlyArray<Item>> => {
  const lanes = new Map<string, Array<Item>>()
  for (const item of items) {
    const lane = lanes.get(item.lane)
    if (lane === undefined) lanes.set(item.lane, [item])
    else lane.push(item)
  }
  return lanes
}

const itemsOf = (
  { frames, header }: Tape,
  { joinDeltas = false, stderr = true }: TapeDiffOptions,
  signatures: Signatures
): Array<Item> => {
  const lines = linesOf(header.runtime.name)
  const items: Array<Item> = []
  const framers = new Map<string, { readonly framer: Framer; readonly from: Speaker }>()
  const blocks = new Map<string, { text: string; readonly write: (text: string) => void }>()
  const add = (frame: number, lane: string, value: unknown, said: unknown = value) => {
    const block = joinDeltas && isRecord(value) ? lines.deltaOf(value) : undefined
    const known = block && blocks.get(`${lane} ${block.key}`)
    if (block !== undefined && known !== undefined) {
      known.text += block.text
      known.write(known.text)
      return
    }
    const name = nameOf(lane, value, lines)
    if (block === undefined) {
      if (isRecord(value) && lines.isEdge(value)) blocks.clear()
      items.push({ frame, lane, name, value, said, signature: 0 })
      return
    }
    const whole: unknown = structuredClone(value)
    blocks.set(`${lane} ${block.key}`, { text: block.text, write: writerAt(whole, block.path) })
    items.push({ frame, lane, name, value: whole, said: whole, signature: 0 })
  }
  const line = (frame: number, lane: string, from: Speaker, text: string) => {
    const said = parseLine(text)
    const value = lines.named(said, from)
    if (lines.isByChance(value)) return
    const apart = lines.apart(value)
    add(frame, apart === undefined ? lane : `${lane} ${apart}`, value, said)
  }
  for (const [index, frame] of frames.entries()) {
    const number = index + 1
    if (frame._tag === "Data") {
      if (frame.channel === "stderr" && !stderr) continue
      const lane = `${frame.from} ${frame.channel}`
      const { framer } = framers.get(lane) ?? { framer: new Framer() }
      framers.set(lane, { framer, from: frame.from })
      for (const { text } of framer.push(bytesOf(frame.data))) line(number, lane, frame.from, text)
    } else if (frame._tag === "Close")
      add(number, `${frame.from} close`, { channel: frame.channel, ws: frame.ws ?? null })
    else if (frame._tag === "Exit") add(number, "agent exit", { code: frame.code, signal: frame.signal })
    else if (frame._tag === "Open") add(number, "agent open", { url: frame.url, headers: frame.headers })
  }
  for (const [lane, { framer, from }] of framers)
    for (const { text } of framer.end()) line(frames.length, lane, from, text)
  for (const item of items) item.signature = signatures.numberOf(item.value)
  return items
}

const nameOf = (lane: string, value: unknown, lines: RuntimeLines): string => {
  const name = isRecord(value) ? lines.nameOf(value) : ""
  return name === "" ? lane : `${lane} ${name}`
}

/** Writes another text at a place in a value. */
const writerAt = (value: unknown, path: ReadonlyArray<string>): ((text: string) => void) => {
  let within: unknown = value
  for (const key of path.slice(0, -1)) within = isRecord(within) ? within[key] : undefined
  const last = path.at(-1)
  return (text) => {
    if (isRecord(within) && last !== undefined) (within as Record<string, unknown>)[last] = text
  }
}

/** Pairs lines: those that are alike where their order allows it, what is between them by name. */
const align = (left: ReadonlyArray<Item>, right: ReadonlyArray<Item>): ReadonlyArray<Pair> => {
  const pairs: Array<Pair> = []
  let [i, j] = [0, 0]
  const upTo = (one: number, other: number) => {
    for (const pair of byName(left.slice(i, one), right.slice(j, other))) pairs.push(pair)
  }
  const numbers = (items: ReadonlyArray<Item>) => items.map(({ signature }) => signature)
  for (const [one, other] of alignLines(numbers(left), numbers(right))) {
    if (one > i || other > j) upTo(one, other)
    pairs.push([left[one], right[other]])
    ;[i, j] = [one + 1, other + 1]
  }
  upTo(left.length, right.length)
  return pairs
}

/** Pairs lines with the first ones of their name that are left. */
const byName = (left: ReadonlyArray<Item>, right: ReadonlyArray<Item>): ReadonlyArray<Pair> => {
  const waiting = new Map<string, Array<Item>>()
  // The last first, so that the next one is at the end, where taking it costs nothing.
  for (const item of right.toReversed()) {
    const known = waiting.get(item.name)
    if (known === undefined) waiting.set(item.name, [item])
    else known.push(item)
  }
  const taken = new Set<Item>()
  const pairs = left.map((item): Pair => {
    const other = waiting.get(item.name)?.pop()
    if (other !== undefined) taken.add(other)
    return [item, other]
  })
  return [...pairs, ...right.filter((item) => !taken.has(item)).map((item): Pair => [undefined, item])]
}
