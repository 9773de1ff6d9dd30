import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { casesOf } from "../../../../fixtures/test/Sweep.ts"
import { Agui, Claude } from "../../../src/index.ts"
import { compileCheck } from "../../../src/wire/internal/Check.ts"
import { firstProblem } from "../../../src/wire/internal/Explain.ts"
import { shapeOf } from "../../../src/wire/internal/Shape.ts"
import { mutate, picker, seeds, valuesOf } from "./Generate.ts"

const all: ReadonlyArray<readonly [string, Schema.Codec<unknown>]> = [
  ...Object.entries(Claude.messages),
  ...Object.entries(Claude.controlRequests).map(([name, { response }]) => [`response to ${name}`, response] as const),
  ...Object.entries(Agui.events),
  ["RunAgentInput", Agui.RunAgentInput]
]

describe("Check", () => {
  it.each(all)("accepts what Effect's decoder accepts: %s", (_, schema) => {
    const check = compileCheck(schema)
    const is = Schema.is(schema)
    fc.assert(
      fc.property(seeds, ({ picks, seed }) => {
        const random = picker(picks)
        for (const value of valuesOf(schema, seed)) {
          expect(check(value)).toBe(true)
          let changed = value
          for (let i = 0; i < 4; i++) {
            changed = mutate(changed, random)
            expect(check(changed), JSON.stringify(changed)).toBe(is(changed))
          }
        }
      }),
      { numRuns: casesOf(40) }
    )
  })

  it("refuses a number that JSON cannot hold, because it would be lost on the way back", () => {
    expect(compileCheck(Schema.Finite)(JSON.parse("1e999"))).toBe(false)
  })

  it("refuses schemas that transform: a decoded value is the parsed JSON", () => {
    expect(() => compileCheck(Schema.NumberFromString)).toThrow("must not transform")
  })

  it("tries every object of a union without a tag", () => {
    const check = compileCheck(
      Schema.Union([
        Schema.Struct({ a: Schema.String }),
        Schema.Struct({ b: Schema.Finite }),
        Schema.Array(Schema.Null)
      ])
    )
    expect([{ a: "" }, { b: 1 }, [null], { c: 1 }, [1], "a"].map(check)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false
    ])
  })
})

describe("Explain", () => {
  it.each(all)("finds a problem in whatever Check refuses: %s", (_, schema) => {
    const check = compileCheck(schema)
    fc.assert(
      fc.property(seeds, ({ picks, seed }) => {
        const random = picker(picks)
        for (const value of valuesOf(schema, seed)) {
          const changed = mutate(value, random)
          if (!check(changed)) expect(firstProblem(shapeOf(schema.ast), changed).message).toMatch(/^expected /)
        }
      }),
      { numRuns: casesOf(40) }
    )
  })
})
