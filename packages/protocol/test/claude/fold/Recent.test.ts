import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { addRecent, emptyRecent, isRecent, type Recent } from "../../../src/claude/fold/Recent.ts"

// "Aa" and "BB" have one hash: what is in one slot must still be told apart.
const uuid = fc.oneof(
  fc.array(fc.constantFrom("Aa", "BB"), { minLength: 1, maxLength: 5 }).map((parts) => parts.join("")),
  fc.string({ maxLength: 3 }),
  fc.uuid()
)
const take = addRecent

describe("laws", () => {
  test("the last `size` uuids are known, what never came is not, and nothing is known for more than twice as long", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.array(uuid, { maxLength: 60 }), uuid, (size, ids, other) => {
        let recent = emptyRecent(size)
        const came: Array<string> = []
        for (const id of ids) {
          if (!isRecent(recent, id)) came.push(id)
          recent = take(recent, id)
          expect(isRecent(recent, id)).toBe(true)
        }
        for (const id of came.slice(-size)) expect(isRecent(recent, id)).toBe(true)
        for (const id of came.slice(0, -2 * size))
          if (!came.slice(-2 * size).includes(id)) expect(isRecent(recent, id)).toBe(false)
        if (!ids.includes(other)) expect(isRecent(recent, other)).toBe(false)
      })
    )
  })

  test("a window is a value: any earlier one goes on as if nothing had been made of it since", () => {
    const move = fc.record({ from: fc.nat(), id: uuid })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(move, { maxLength: 40 }), (size, moves) => {
        const states: Array<{ readonly recent: Recent; readonly alone: Recent }> = [
          { recent: emptyRecent(size), alone: emptyRecent(size) }
        ]
        const histories: Array<ReadonlyArray<string>> = [[]]
        for (const { from, id } of moves) {
          const at = from % states.length
          const history = [...(histories[at] ?? []), id]
          histories.push(history)
          states.push({
            recent: take(states[at]?.recent ?? emptyRecent(size), id),
            alone: history.reduce(take, emptyRecent(size))
          })
        }
        const ids = moves.map(({ id }) => id)
        for (const { alone, recent } of states)
          expect(ids.map((id) => isRecent(recent, id))).toEqual(ids.map((id) => isRecent(alone, id)))
      })
    )
  })
})

test("a window of 2,000 holds a whole buffer of 1,000 that a WebSocket replays after a reconnect (§2)", () => {
  const ids = Array.from({ length: 5000 }, (_, index) => `uuid ${index}`)
  const recent = ids.reduce(addRecent, emptyRecent(2000))
  expect(ids.slice(-2000).every((id) => isRecent(recent, id))).toBe(true)
  expect(ids.slice(0, 1000).some((id) => isRecent(recent, id))).toBe(false)
})
