/**
 * Our applier of JSON Patch against the one inside the clients, `fast-json-patch`: what it cannot apply, we cannot
 * either, and where both can, the result is the same.
 *
 * The other way round does not hold: it takes some patches RFC 6902 refuses, such as one that adds a key to a number,
 * and does nothing. For those the rules warn and the client is silent, though the content is lost all the same.
 */

import * as Result from "effect/Result"
import * as fc from "fast-check"
import jsonpatch from "fast-json-patch"
import { expect, test } from "vitest"
import { casesOf } from "../../packages/fixtures/test/Sweep.ts"
import { applyPatch } from "../../packages/protocol/src/agui/Patch.ts"

const key = fc.constantFrom("a", "b", "0", "1", "-", "", "~0", "~1")
const pointer = fc.array(key, { maxLength: 3 }).map((keys) => keys.map((part) => `/${part}`).join(""))
const leaf = fc.constantFrom<unknown>(null, 0, 1, "x", true)
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie("document"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "0", "1", "", "~", "/"), tie("document"), { maxKeys: 3 })
  )
}))
const operation = fc.record({
  op: fc.constantFrom("add", "remove", "replace", "test", "copy", "move"),
  path: pointer,
  from: pointer,
  value: document
})

const theirs = (value: unknown, patch: ReadonlyArray<unknown>): { readonly value: unknown } | undefined => {
  const copy = structuredClone({ value, patch })
  try {
    return { value: jsonpatch.applyPatch(copy.value, copy.patch as never, true, false).newDocument as unknown }
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

test("a patch the clients cannot apply does not apply for us, and others do the same", () => {
  const numRuns = casesOf(5000)
  const seen = { applied: 0, failed: 0 }
  fc.assert(
    fc.property(document, fc.array(operation, { minLength: 1, maxLength: 3 }), (value, patch) => {
      const before = JSON.stringify(value)
      const ours = applyPatch(value, patch)
      expect(JSON.stringify(value)).toBe(before)
      seen[Result.isSuccess(ours) ? "applied" : "failed"]++
      if (Result.isSuccess(ours)) expect({ value: ours.success }).toEqual(theirs(value, patch))
    }),
    { numRuns, seed: 1 }
  )
  expect(seen.applied).toBeGreaterThan(numRuns / 20)
  expect(seen.failed).toBeGreaterThan(numRuns / 20)
})
