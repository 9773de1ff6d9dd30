import * as Result from "effect/Result"
import fc from "fast-check"
import { expect, test } from "vitest"
import type { JsonPatch } from "../../src/agui/JsonPatch.ts"
import { applyPatch } from "../../src/agui/Patch.ts"

const after = (document: unknown, patch: JsonPatch): unknown =>
  Result.getOrElse(applyPatch(document, patch), () => "no")

// Each says a rule of RFC 6902; the sections are its.
test.each<[string, unknown, JsonPatch, unknown]>([
  ["4.1 adds a member", { a: 1 }, [{ op: "add", path: "/b", value: 2 }], { a: 1, b: 2 }],
  ["4.1 replaces a member that is there", { a: 1 }, [{ op: "add", path: "/a", value: 2 }], { a: 2 }],
  ["4.1 inserts into an array", [1, 3], [{ op: "add", path: "/1", value: 2 }], [1, 2, 3]],
  ["4.1 appends", [1], [{ op: "add", path: "/-", value: 2 }], [1, 2]],
  ["4.1 replaces the whole", { a: 1 }, [{ op: "add", path: "", value: [] }], []],
  ["4.1 wants the parent to be there", {}, [{ op: "add", path: "/a/b", value: 1 }], "no"],
  ["4.1 wants a position in the array", [1], [{ op: "add", path: "/2", value: 1 }], "no"],
  ["4.2 removes and closes the gap", [1, 2, 3], [{ op: "remove", path: "/1" }], [1, 3]],
  ["4.2 wants something to remove", { a: 1 }, [{ op: "remove", path: "/b" }], "no"],
  ["4.3 wants something to replace", { a: 1 }, [{ op: "replace", path: "/b", value: 1 }], "no"],
  ["4.4 moves", { a: { b: 1 }, c: {} }, [{ op: "move", from: "/a/b", path: "/c/d" }], { a: {}, c: { d: 1 } }],
  [
    "4.4 counts positions after the removal",
    ["a", "b", "c"],
    [{ op: "move", from: "/0", path: "/2" }],
    ["b", "c", "a"]
  ],
  ["4.4 moves nothing into itself", { a: { b: {} } }, [{ op: "move", from: "/a", path: "/a/b/c" }], "no"],
  ["4.4 may stay where it is", { a: 1 }, [{ op: "move", from: "/a", path: "/a" }], { a: 1 }],
  ["4.4 may become the whole", { a: { b: 1 } }, [{ op: "move", from: "/a", path: "" }], { b: 1 }],
  ["4.5 copies", { a: [1] }, [{ op: "copy", from: "/a", path: "/b" }], { a: [1], b: [1] }],
  ["4.5 wants something to copy", {}, [{ op: "copy", from: "/a", path: "/b" }], "no"],
  [
    "4.6 tests by value, keys in any order",
    { a: { x: 1, y: [2] } },
    [{ op: "test", path: "/a", value: { y: [2], x: 1 } }],
    { a: { x: 1, y: [2] } }
  ],
  ["4.6 tells numbers from strings", { a: 10 }, [{ op: "test", path: "/a", value: "10" }], "no"],
  [
    "5 does all or nothing",
    { a: 1 },
    [
      { op: "add", path: "/b", value: 1 },
      { op: "test", path: "/a", value: 2 }
    ],
    "no"
  ],
  ["6901 reads ~1 and then ~0", { "~1": 1, "/": 2 }, [{ op: "remove", path: "/~01" }], { "/": 2 }]
])("%s", (_, document, patch, expected) => {
  expect(after(document, patch)).toEqual(expected)
})

test("the prototype is out of reach", () => {
  for (const path of ["/__proto__/x", "/constructor/prototype/x"])
    expect(after({}, [{ op: "add", path, value: 1 }])).toBe("no")
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined()
})

test("a refusal says why", () => {
  expect(applyPatch({ a: 1 }, [{ op: "test", path: "/a", value: 2 }])).toEqual(
    Result.fail('the value at "/a" is not the one the patch expects')
  )
})

test("the document stays as it was, and what is not touched is shared", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("b", "c"), fc.jsonValue()), fc.jsonValue(), (rest, value) => {
      const document = { a: { deep: 1 }, ...rest }
      const before = structuredClone(document)
      const changed = after(document, [{ op: "add", path: "/a/new", value }]) as typeof document
      expect(document).toEqual(before)
      expect(changed.a).toEqual({ deep: 1, new: value })
      for (const key of Object.keys(rest)) expect(changed[key as "a"]).toBe(document[key as "a"])
    })
  )
})
