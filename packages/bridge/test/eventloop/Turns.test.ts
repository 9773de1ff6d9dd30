import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { allAtOnce, findInTurns, inTurns, type Steps, turnMillis } from "../../src/eventloop/Turns.ts"

describe("work in turns", () => {
  it.effect("gives others theirs as soon as one has taken its time, and not before", () =>
    Effect.gen(function* () {
      let time = 0
      let turns = 0
      const done: Array<number> = []
      const turn = () => {
        turns++
        done.push(-1)
        immediate = setImmediate(turn)
      }
      let immediate = setImmediate(turn)
      const items = Array.from({ length: 10 }, (_, at) => at)
      const found = yield* findInTurns(
        items,
        (item) => {
          done.push(item)
          time += turnMillis / 2
          return undefined
        },
        () => time
      )
      clearImmediate(immediate)
      expect(found).toBeUndefined()
      expect(done.filter((item) => item >= 0)).toEqual(items)
      expect(turns).toBe(5)
      expect(done.slice(0, 4)).toEqual([0, 1, -1, 2])
    })
  )
  it.effect("ends with the first thing it finds", () =>
    Effect.gen(function* () {
      expect(yield* findInTurns([3, 1, 2, 1], (item, index) => (item === 1 ? index : undefined))).toBe(1)
    })
  )
})

describe("steps", () => {
  function* steps(done: Array<number>): Steps<string> {
    for (let step = 0; step < 4; step++) {
      done.push(step)
      if (step < 3) yield
    }
    return "over"
  }

  it.effect("are taken each in a turn of its own, or all at once", () =>
    Effect.gen(function* () {
      const done: Array<number> = []
      const turn = () => {
        done.push(-1)
        immediate = setImmediate(turn)
      }
      let immediate = setImmediate(turn)
      expect(yield* inTurns(() => steps(done))).toBe("over")
      clearImmediate(immediate)
      expect(done).toEqual([0, -1, 1, -1, 2, -1, 3])
      const atOnce: Array<number> = []
      expect(allAtOnce(steps(atOnce))).toBe("over")
      expect(atOnce).toEqual([0, 1, 2, 3])
    })
  )
})
