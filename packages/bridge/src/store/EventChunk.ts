/**
 * Events as text, for stores that keep rows: the pieces of an item that follow each other are one text with the lengths
 * of its pieces, because nearly all events are such pieces. Reading gives back exactly the events that were written.
 *
 * A chunk is a JSON array. An array of one number is the time of what follows, a number how much later it is, an object
 * an event; a longer array is a run of `item_grew`: lane, id, text, the lengths of the pieces, and how much later each
 * piece is than what came before, where any is.
 */
import * as Model from "@agentwire/protocol/model"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Happened, StoredEvent } from "./Store.ts"

type Time = readonly [at: number]
type Run = readonly [
  lane: Model.Lane,
  id: string,
  text: string,
  lengths: ReadonlyArray<number>,
  delays?: ReadonlyArray<number>
]
type Piece = Time | number | Run | Model.Event

/** Events as the value that a chunk is the JSON of. */
export type ChunkValue = ReadonlyArray<Piece>

/** A run that may still grow. */
interface OpenRun {
  readonly lane: Model.Lane
  readonly id: string
  text: string
  readonly lengths: Array<number>
  readonly delays: Array<number>
}

/** Writes events as a chunk. */
export const chunkOf = (events: ReadonlyArray<Happened>): string => JSON.stringify(chunkValue(events))

/** Events as the value that their chunk is the JSON of. */
export const chunkValue = (events: ReadonlyArray<Happened>): ChunkValue => {
  const pieces: Array<Piece> = []
  let time: number | undefined
  let run: OpenRun | undefined
  const endRun = (): void => {
    if (run === undefined) return
    const { delays, id, lane, lengths, text } = run
    pieces.push(delays.some((delay) => delay !== 0) ? [lane, id, text, lengths, delays] : [lane, id, text, lengths])
    run = undefined
  }
  for (const { at, event } of events) {
    const delay = time === undefined ? undefined : at - time
    // A difference need not be exact, where the numbers are large or no whole ones.
    const isExact = delay !== undefined && time !== undefined && time + delay === at
    const grown = isGrowth(event) ? event : undefined
    if (grown !== undefined && run !== undefined && isExact && run.id === grown.id && run.lane === grown.lane) {
      run.text += grown.delta
      run.lengths.push(grown.delta.length)
      run.delays.push(delay)
    } else {
      endRun()
      if (!isExact) pieces.push([at])
      else if (delay !== 0) pieces.push(delay)
      if (grown === undefined) pieces.push(event)
      else run = { lane: grown.lane, id: grown.id, text: grown.delta, lengths: [grown.delta.length], delays: [0] }
    }
    time = at
  }
  endRun()
  return pieces
}

/** Whether an event is a piece of an item and has nothing else to keep. */
const isGrowth = (event: Model.Event): event is Model.EventOf<"item_grew"> =>
  event.type === "item_grew" &&
  typeof event.id === "string" &&
  typeof event.delta === "string" &&
  (event.lane === null || typeof event.lane === "string") &&
  Object.keys(event).length === 4

/** Reads the events of a chunk, of which the first has this number. Fails in words where it is no chunk. */
export const eventsOf = (chunk: string, first: number): Result.Result<ReadonlyArray<StoredEvent>, string> => {
  let pieces: unknown
  try {
    pieces = JSON.parse(chunk)
  } catch (error) {
    return Result.fail(String(error))
  }
  return Array.isArray(pieces) ? readChunkValue(pieces, first) : Result.fail("not an array")
}

/** Reads the events of the value that a chunk is the JSON of. */
export const readChunkValue = (
  pieces: ReadonlyArray<unknown>,
  first: number
): Result.Result<ReadonlyArray<StoredEvent>, string> => {
  const events: Array<StoredEvent> = []
  let at = 0
  const add = (event: Model.Event): void => void events.push({ seq: first + events.length, at, event })
  for (const piece of pieces) {
    if (typeof piece === "number") at += piece
    else if (isTime(piece)) at = piece[0]
    else if (Array.isArray(piece)) {
      if (!isRun(piece)) return Result.fail(`piece ${events.length} is not a run`)
      const [lane, id, text, lengths, delays] = piece
      let from = 0
      for (const [n, length] of lengths.entries()) {
        at += delays?.[n] ?? 0
        add({ type: "item_grew", lane, id, delta: text.slice(from, from + length) })
        from += length
      }
      if (from !== text.length) return Result.fail(`piece ${events.length} has ${text.length} characters, not ${from}`)
    } else {
      const event = eventOf(piece)
      if (event === undefined) return Result.fail(`piece ${events.length} is not an event`)
      add(event)
    }
  }
  return Result.succeed(events)
}

const isTime = Schema.is(Schema.Tuple([Schema.Finite]))
const Counts = Schema.Array(Schema.Finite)
const isRun: (piece: unknown) => piece is Run = Schema.is(
  Schema.Tuple([Model.Lane, Schema.String, Schema.String, Counts, Schema.optionalKey(Counts)])
)

const checks = new Map<unknown, (value: unknown) => value is Model.Event>(
  Object.entries(Model.events).map(([type, schema]) => [
    type,
    Schema.is(schema) as (value: unknown) => value is Model.Event
  ])
)

/** An event that was stored. One that a later version has added to the list is not known, and not lost. */
const eventOf = (value: unknown): Model.Event | undefined => {
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string")
    return undefined
  const isEvent = checks.get(value.type)
  if (isEvent === undefined) return { type: "unknown", raw: value, source: "store" }
  return isEvent(value) ? value : undefined
}
