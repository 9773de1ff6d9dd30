/**
 * The JSON of values that may have megabytes, a little in each turn of the event loop: to write one in one go, or only to
 * know its length that way, takes tens of milliseconds.
 */
import { jsonPieces } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import { inTurns, type Steps } from "./Turns.ts"
import { weightOf } from "./Weight.ts"

/** The most that is written in one turn, in about so many characters. */
export const longWeight = 262_144

/** Whether the JSON of a value is better written in turns. */
export const isLong = (value: unknown): boolean => weightOf(value) > longWeight

/** Calls back with the pieces of a value's JSON, some in each step. */
export function* writeJson(value: unknown, write: (piece: string) => void): Steps<void> {
  let written = 0
  for (const piece of jsonPieces(value)) {
    // Before the next, so that what follows the last is no step of its own.
    if (written >= longWeight) {
      yield
      written = 0
    }
    write(piece)
    written += piece.length
  }
}

/** The JSON of a value in pieces: in turns where it is long, and otherwise at once, as one. */
export const jsonInTurns = (value: unknown): Effect.Effect<ReadonlyArray<string>> =>
  isLong(value)
    ? inTurns(function* () {
        const pieces: Array<string> = []
        yield* writeJson(value, (piece) => pieces.push(piece))
        return pieces
      })
    : Effect.sync(() => [JSON.stringify(value)])

/** How long the JSON of a value is. */
export interface JsonSize {
  readonly characters: number
  /** In UTF-8. */
  readonly bytes: number
}

/** How long the JSON of a value is, which is found out in turns where it is long. */
export const sizeInTurns = (value: unknown): Effect.Effect<JsonSize> =>
  Effect.suspend(() => {
    if (!isLong(value)) return Effect.succeed(sizeOf(JSON.stringify(value)))
    return inTurns(function* () {
      const size = { characters: 0, bytes: 0 }
      yield* writeJson(value, (piece) => {
        size.characters += piece.length
        size.bytes += Buffer.byteLength(piece)
      })
      return size
    })
  })

const sizeOf = (json: string): JsonSize => ({ characters: json.length, bytes: Buffer.byteLength(json) })
