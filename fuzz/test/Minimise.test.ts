import fc from "fast-check"
import { expect, test } from "vitest"
import { minimise } from "../Minimise.ts"

test("what is left breaks the law, and nothing of it can be left out", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 60 }),
      fc.uint8Array({ minLength: 1, maxLength: 3 }),
      async (hay, needle) => {
        const has = async (bytes: Uint8Array) => Buffer.from(bytes).includes(Buffer.from(needle))
        const small = await minimise(new Uint8Array([...hay, ...needle, ...hay]), has, 10_000)
        expect([...small]).toEqual([...needle])
      }
    ),
    { numRuns: 100 }
  )
})

test("tries no more often than it may", async () => {
  let tries = 0
  const counted = async () => {
    tries++
    return false
  }
  expect(await minimise(new Uint8Array(1000), counted, 25)).toHaveLength(1000)
  expect(tries).toBe(25)
})
