import { describe, expect, test } from "vitest"
import { JsonPatch, JsonPointer } from "../../src/agui/JsonPatch.ts"
import { issues, wrongAt } from "./Decode.ts"

test.each(["", "/", "/a", "/a/0/-", "/a~0b~1c", "//", "/\n", "/ü😀"])("%j is a pointer", (pointer) => {
  expect(issues(JsonPointer, pointer)).toEqual([])
})

test.each(["a", "a/b", "#/a", "/a~", "/a~2", "~0"])("%j is none", (pointer) => {
  expect(wrongAt(JsonPointer, pointer)).toEqual([""])
})

test("members an operation does not define are ignored, as RFC 6902 wants", () => {
  expect(issues(JsonPatch, [{ op: "remove", path: "/a", value: 1 }])).toEqual([])
})

describe("malformed operations, by path", () => {
  const cases: ReadonlyArray<readonly [unknown, string]> = [
    [{ op: "later", path: "/a" }, "0"],
    [{ op: "replace", path: "/a" }, "0.value"],
    [{ op: "test", path: "/a" }, "0.value"],
    [{ op: "move", path: "/a" }, "0.from"],
    [{ op: "copy", path: "/a", from: "b" }, "0.from"],
    [{ op: "remove" }, "0.path"]
  ]
  test.each(cases)("%j: %s", (operation, path) => expect(wrongAt(JsonPatch, [operation])).toEqual([path]))
})
