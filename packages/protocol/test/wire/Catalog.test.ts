import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { codec } from "../../src/claude/index.ts"
import { Claude } from "../../src/index.ts"
import { makeCatalog } from "../../src/wire/Catalog.ts"
import { open } from "../../src/wire/Open.ts"

const Plain = open({ type: Schema.Literal("plain") })
const Deep = open({ type: Schema.Literal("deep"), body: open({ kind: Schema.Literal("a") }) })
const catalog = makeCatalog({ plain: Plain, "deep/a": Deep }, { deep: ["body", "kind"] })

describe("a catalog", () => {
  it("finds a message by its type, or by its type and where the type keeps its subtype", () => {
    expect(catalog.find({ type: "plain" }, "plain")).toMatchObject({ member: { name: "plain", schema: Plain } })
    expect(catalog.find({ type: "deep", body: { kind: "a" } }, "deep")).toMatchObject({ member: { name: "deep/a" } })
  })

  it("says what it does not list", () => {
    expect(catalog.find({ type: "new" }, "new")).toEqual({ _tag: "Unlisted", subtype: undefined, path: ["type"] })
    expect(catalog.find({ type: "deep", body: { kind: "b" } }, "deep")).toEqual({
      _tag: "Unlisted",
      subtype: "b",
      path: ["body", "kind"]
    })
  })

  it("says where a subtype should have been", () => {
    for (const body of [undefined, null, "a", [], {}, { kind: 1 }]) {
      expect(catalog.find({ type: "deep", body }, "deep")).toMatchObject({ _tag: "NoSubtype", path: ["body", "kind"] })
    }
  })

  it("refuses a subtype of which nothing says where it is", () => {
    expect(() => makeCatalog({ "deep/a": Deep })).toThrow("nothing says where deep keeps it")
  })

  it("leads every message of Claude Code to itself", () => {
    const at = { system: "subtype", result: "subtype" } as const
    for (const name of Object.keys(Claude.messages)) {
      const [type = "", subtype] = name.split("/")
      const value = {
        type,
        ...(type in at && { subtype }),
        event: { type: subtype },
        request: { subtype },
        response: { subtype }
      }
      expect(codec.catalog.find(value, type), name).toMatchObject({ _tag: "Member", member: { name } })
    }
  })
})
