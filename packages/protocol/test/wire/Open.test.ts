import * as Schema from "effect/Schema"
import { describe, expect, expectTypeOf, it } from "vitest"
import { driftOf } from "../../src/wire/Drift.ts"
import { extensible, keyed, known, open, optional, type Unrecognized, variants } from "../../src/wire/Open.ts"

const Text = open("OpenTestText", { type: Schema.Literal("text"), text: Schema.String })
const Call = open("OpenTestCall", { type: Schema.Literal("call"), mode: optional(known("sync", "async")) })
const Block = variants("OpenTestBlock", "type", [Text, Call])
type Block = typeof Block.Type

const decode = Schema.decodeUnknownSync(Block)

describe("open", () => {
  it("keeps keys it does not name, through Effect's own decoder and encoder too", () => {
    const value = { type: "text", text: "a", later: { nested: [1] }, ["__proto__x"]: null }
    expect(decode(value)).toEqual(value)
    expect(Schema.encodeUnknownSync(Block)(decode(value))).toEqual(value)
  })

  it("is a Standard Schema once asked for, for users of other validators", async () => {
    const result = await Schema.toStandardSchemaV1(Text)["~standard"].validate({ type: "text", text: 1 })
    expect(result.issues?.[0]).toMatchObject({ path: ["text"] })
  })
})

describe("known", () => {
  it("accepts values that came later, and nothing that is no string", () => {
    expect(decode({ type: "call", mode: "later" })).toEqual({ type: "call", mode: "later" })
    expect(() => decode({ type: "call", mode: 1 })).toThrow()
  })
})

describe("variants", () => {
  it("accepts tags that came later, but no malformed known member", () => {
    expect(decode({ type: "image", url: "u" })).toEqual({ type: "image", url: "u" })
    expect(() => decode({ type: "text", text: 1 })).toThrow()
    expect(() => decode({ type: 1 })).toThrow()
  })

  it("narrows on the tag, and makes one handle the rest", () => {
    const name = (block: Block): string => {
      switch (block.type) {
        case "text":
          return block.text
        case "call":
          return block.mode ?? "sync"
        default:
          expectTypeOf(block.type).toEqualTypeOf<Unrecognized>()
          return block.type
      }
    }
    expect([decode({ type: "text", text: "a" }), decode({ type: "image" })].map(name)).toEqual(["a", "image"])
  })

  it("refuses members without a literal tag", () => {
    expect(() => variants("OpenTestBad", "kind", [open({ kind: Schema.String })])).toThrow('"kind"')
  })
})

describe("extensible", () => {
  it("keeps keys it does not name, and they are no drift", () => {
    const Config = extensible("OpenTestConfig", { model: optional(Schema.String) })
    const value = { model: "m", mine: { own: 1 } }
    expect(Schema.decodeUnknownSync(Config)(value)).toEqual(value)
    expect(driftOf(Config, value)).toEqual([])
    expect(driftOf(open({ model: Schema.String }), value)).toEqual([{ path: "$.mine", example: { own: 1 } }])
    expect(() => Schema.decodeUnknownSync(Config)({ model: 1 })).toThrow()
  })
})

describe("keyed", () => {
  const Decision = keyed("OpenTestDecision", ["accept", "cancel"], {
    amend: open({ rule: Schema.String }),
    wait: Schema.Finite
  })
  type Decision = typeof Decision.Type
  const decodeDecision = Schema.decodeUnknownSync(Decision)

  it("accepts strings and keys that came later, but no malformed known member", () => {
    for (const value of ["accept", "later", { amend: { rule: "r" } }, { wait: 1 }, { later: 1 }])
      expect(decodeDecision(value)).toEqual(value)
    for (const value of [{ amend: 1 }, { wait: "a" }, { wait: "a", later: 1 }, {}, 5, null])
      expect(() => decodeDecision(value), JSON.stringify(value)).toThrow()
  })

  it("reports what came later as drift", () => {
    expect(driftOf(Decision, "later")).toEqual([{ path: "$", example: "later" }])
    expect(driftOf(Decision, { later: 1 })).toEqual([{ path: "$.later", example: 1 }])
    expect(driftOf(Decision, { amend: { rule: "r" } })).toEqual([])
  })

  it("narrows on the key", () => {
    const said = (decision: Decision): string => {
      if (typeof decision === "string") return decision
      if ("amend" in decision) return decision.amend?.rule ?? ""
      return "other"
    }
    expect(
      [decodeDecision("accept"), decodeDecision({ amend: { rule: "r" } }), decodeDecision({ x: 1 })].map(said)
    ).toEqual(["accept", "r", "other"])
  })
})
