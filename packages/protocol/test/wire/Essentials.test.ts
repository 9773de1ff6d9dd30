import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { makeCodec } from "../../src/wire/Codec.ts"
import { isNeeded, needOf } from "../../src/wire/Essentials.ts"
import { each, type JsonPath } from "../../src/wire/internal/JsonPath.ts"
import { open, optional, variants } from "../../src/wire/Open.ts"

const Said = open({
  type: Schema.Literal("said"),
  by: Schema.NullOr(Schema.String),
  blocks: Schema.Array(
    variants("EssentialsTestBlock", "type", [
      open({ type: Schema.Literal("text"), text: Schema.String, cost: Schema.Finite })
    ])
  ),
  stats: open({ cost: Schema.Finite, models: Schema.Array(Schema.String), speed: open({ ms: Schema.Finite }) }),
  about: optional(open({ id: Schema.String, note: Schema.String }))
})

const said = {
  type: "said",
  by: null,
  blocks: [{ type: "text", text: "hi", cost: 1 }],
  stats: { cost: 1, models: ["m"], speed: { ms: 1 } }
}

const codecWith = (...paths: ReadonlyArray<string>) => makeCodec({ said: Said }, {}, { said: paths })

/** How a message is decoded: the copy that can be read, or where it is broken. */
const read = (paths: ReadonlyArray<string>, more: object) => {
  const decoded = codecWith(...paths).decodeValue({ ...said, ...more })
  return decoded._tag === "Known" ? decoded.message : decoded._tag === "Invalid" ? decoded.error.path : decoded
}

describe("essentials", () => {
  it("let a message be read whatever else it lacks; the structure of the copy holds", () => {
    expect(read([], { by: 5, blocks: {}, stats: 1 })).toEqual({
      type: "said",
      by: null,
      blocks: [],
      stats: { models: [], speed: {} }
    })
    expect(read([], { blocks: [{ type: "text", text: 1, cost: 2 }, 7, null], about: { id: 1, note: "n" } })).toEqual({
      ...said,
      blocks: [{ type: "text", cost: 2 }],
      about: { note: "n" }
    })
    expect(read([], { about: 1 })).toEqual(said)
  })

  it("make a message invalid where they are broken, and where what holds them is", () => {
    expect(read(["stats.speed.ms"], { stats: { ...said.stats, speed: { ms: "1" } } })).toBe("$.stats.speed.ms")
    expect(read(["stats.speed.ms"], { stats: { ...said.stats, speed: 1 } })).toBe("$.stats.speed")
    expect(read(["stats.speed.ms"], { stats: undefined })).toBe("$.stats")
    expect(read(["stats.speed.ms"], { stats: { ...said.stats, cost: null } })).toMatchObject({
      stats: { models: ["m"] }
    })
  })

  it("in a list, cost the broken element alone, unless nothing is left", () => {
    const broken = { type: "text", cost: 1 }
    const [good] = said.blocks
    expect(read(["blocks[].text"], { blocks: [broken, { ...good, cost: "1" }] })).toMatchObject({
      blocks: [{ type: "text", text: "hi" }]
    })
    expect(read(["blocks[].text"], { blocks: [broken] })).toBe("$.blocks[0].text")
    expect(read(["blocks[].text"], { blocks: [] })).toEqual({ ...said, blocks: [] })
  })

  it("that are only heeded are read as absent", () => {
    expect(read(["stats.cost?"], { stats: { ...said.stats, cost: "1" } })).toMatchObject({ stats: { models: ["m"] } })
    expect(read(["about.id", "about.note?"], { about: { id: "1", note: 2 } })).toEqual({ ...said, about: { id: "1" } })
  })

  it("can be all there is, or all below a place", () => {
    expect(read(["**"], { stats: { ...said.stats, cost: "1" } })).toBe("$.stats.cost")
    expect(read(["stats.**"], { stats: { ...said.stats, speed: {} } })).toBe("$.stats.speed.ms")
    expect(read(["stats.**"], { by: 1 })).toEqual(said)
  })

  it("leave a codec strict that is given none", () => {
    expect(makeCodec({ said: Said }).decodeValue({ ...said, by: 1 })).toMatchObject({
      _tag: "Invalid",
      error: { path: "$.by" }
    })
  })

  it("cost a message that fits nothing: it is the very value", () => {
    const decoded = codecWith("stats.cost").decodeValue(said)
    expect(decoded._tag === "Known" && decoded.message).toBe(said)
    expect(decoded).not.toHaveProperty("odd")
  })

  it("say which places carry something: those on the way to a path, and below its end", () => {
    const need = needOf(["blocks[].text", "input", "by?"])
    const yes: ReadonlyArray<JsonPath> = [
      ["blocks"],
      ["blocks", 0, "text"],
      ["blocks", each],
      ["input", "deep", 1],
      ["by"]
    ]
    const no: ReadonlyArray<JsonPath> = [["stats"], ["blocks", 0, "cost"], ["other", "text"]]
    expect(yes.filter((path) => !isNeeded(need, path))).toEqual([])
    expect(no.filter((path) => isNeeded(need, path))).toEqual([])
  })
})
