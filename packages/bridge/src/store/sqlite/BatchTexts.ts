/**
 * What is written together, as the texts that its rows have. Those that are long are written in pieces, before the rows.
 */
import * as Effect from "effect/Effect"
import { isLong, jsonInTurns, longWeight } from "../../eventloop/LongJson.ts"
import { weightOf } from "../../eventloop/Weight.ts"
import { chunkValue } from "../EventChunk.ts"
import type { Batch } from "../Store.ts"
import { pointerTo } from "./PieceTable.ts"
import type { LongTexts } from "./ThreadTable.ts"

/** The texts of a batch: each as JSON, or where that is. */
export interface BatchTexts extends LongTexts {
  readonly chunk: string
  readonly entries: ReadonlyArray<string>
  readonly checkpoint: string | undefined
  /** The number of the next piece, after those that they point to. */
  readonly pieces: number
}

/** Whether a batch is better written in turns. */
export const isLongBatch = ({ checkpoint, entries = [], events, thread }: Batch): boolean => {
  let weight = 0
  for (const { event } of events) {
    weight += event.type === "item_grew" ? event.delta.length : weightOf(event)
    if (weight > longWeight) return true
  }
  return (
    entries.some(({ entry }) => isLong(entry)) || isLong(checkpoint) || isLong(thread?.state) || isLong(thread?.waiting)
  )
}

/** The texts of a batch that has no long ones. `pieces`: the number of the next piece. */
export const textsOf = ({ checkpoint, entries = [], events }: Batch, pieces: number): BatchTexts => ({
  chunk: JSON.stringify(chunkValue(events)),
  entries: entries.map(({ entry }) => JSON.stringify(entry)),
  checkpoint: checkpoint && JSON.stringify(checkpoint),
  pieces
})

/** How many pieces are written at once: about a million characters. */
const piecesAtOnce = 16

/** Writes some pieces, the first of which has this number. */
export type WritePieces<E> = (first: number, pieces: ReadonlyArray<string>) => Effect.Effect<void, E>

/** Writes what is long of a batch in pieces, from a number on, and gives its texts. */
export const writeTexts = <E>(
  { checkpoint, entries = [], events, thread }: Batch,
  first: number,
  write: WritePieces<E>
): Effect.Effect<BatchTexts, E> =>
  Effect.gen(function* () {
    let next = first
    const text = (value: unknown): Effect.Effect<string, E> =>
      Effect.gen(function* () {
        const pieces = yield* jsonInTurns(value)
        if (pieces.length === 1) return pieces[0] ?? ""
        const begin = next
        next += pieces.length
        let bytes = 0
        for (let from = 0; from < pieces.length; from += piecesAtOnce) {
          const group = pieces.slice(from, from + piecesAtOnce)
          for (const piece of group) bytes += Buffer.byteLength(piece)
          yield* write(begin + from, group)
        }
        return pointerTo({ first: begin, count: pieces.length, bytes })
      })
    const optional = (value: unknown): Effect.Effect<string | undefined, E> =>
      value === undefined ? Effect.undefined : text(value)
    return {
      chunk: yield* text(chunkValue(events)),
      entries: yield* Effect.forEach(entries, ({ entry }) => text(entry)),
      checkpoint: yield* optional(checkpoint),
      state: yield* optional(thread?.state),
      waiting: yield* optional(thread?.waiting),
      pieces: next
    }
  })
