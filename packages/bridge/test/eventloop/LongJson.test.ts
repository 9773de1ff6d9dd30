import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { isLong, jsonInTurns, longWeight, sizeInTurns, writeJson } from "../../src/eventloop/LongJson.ts"
import { inTurns } from "../../src/eventloop/Turns.ts"
import { countTurns } from "./Watched.ts"

const long = { text: 'é\n"😀'.repeat(400_000), list: Array.from({ length: 50_000 }, (_, n) => ({ n })) }

describe("long JSON", () => {
  it.effect("is what JSON.stringify writes, and as long", () =>
    Effect.gen(function* () {
      for (const value of [long, { short: "é" }, "", null]) {
        const json = JSON.stringify(value)
        expect((yield* jsonInTurns(value)).join("")).toBe(json)
        expect(yield* sizeInTurns(value)).toEqual({ characters: json.length, bytes: Buffer.byteLength(json) })
      }
    })
  )

  it.effect("is never more than a little in one turn", () =>
    Effect.gen(function* () {
      const turns = yield* countTurns
      yield* inTurns(() => writeJson(long, (piece) => turns.add(piece.length)))
      const { most, turns: count } = turns.most()
      // A piece is what 65,536 characters are written as, which is up to six times as many.
      expect(most).toBeLessThan(longWeight + 6 * 65_536)
      expect(count).toBeGreaterThan(JSON.stringify(long).length / longWeight / 3)
    })
  )

  it.effect("costs what is short no turn", () =>
    Effect.sync(() => {
      expect(isLong({ text: "a".repeat(longWeight / 2) })).toBe(false)
      expect(Effect.runSync(jsonInTurns({ a: 1 }))).toEqual(['{"a":1}'])
      expect(Effect.runSync(sizeInTurns({ a: "é" })).bytes).toBe(10)
    })
  )
})
