import { describe, expect, it } from "vitest"
import { changedPaths, patchPaths } from "../../src/policy/Patch.ts"

const text = (...lines: ReadonlyArray<string>): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")

describe("patchPaths", () => {
  it("names every file that is added, changed, moved or deleted", () => {
    const patch = text(
      "*** Add File: a",
      "+x",
      "*** Update File: b",
      "*** Move to: c",
      "@@ f",
      "-x",
      "+y",
      " z",
      "*** Delete File: d"
    )
    expect(patchPaths(patch)).toEqual(["a", "b", "c", "d"])
    expect(patchPaths(`\n${patch.replaceAll("\n", "\r\n")}\n`)).toEqual(["a", "b", "c", "d"])
  })

  it("takes no line of a file for the name of one", () => {
    expect(patchPaths(text("*** Add File: a", "+*** Add File: b"))).toEqual(["a"])
  })

  it.each([
    "",
    "x",
    text(),
    text("x"),
    text("*** Rename File: a"),
    "*** Begin Patch\n*** Add File: a\n+x",
    text("*** Add File: a", "x")
  ])("does not understand %j", (patch) => {
    expect(patchPaths(patch)).toBeUndefined()
  })
})

describe("changedPaths", () => {
  it("reads lists and tables of changes", () => {
    expect(changedPaths([{ path: "a" }, { path: "b", kind: { move_path: "c" } }])).toEqual(["a", "b", "c"])
    expect(changedPaths({ a: { type: "add" }, b: { move_path: null } })).toEqual(["a", "b"])
  })

  it.each([[[]], [{}], [[{}]], [[{ path: 1 }]], [[{ path: "a" }, null]], [null], [7], [{ a: "x" }]])(
    "does not understand %j",
    (patch) => {
      expect(changedPaths(patch)).toBeUndefined()
    }
  )
})
