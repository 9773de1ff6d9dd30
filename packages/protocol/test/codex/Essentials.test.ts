import type * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { type Answered, codec, decodeValue, essentials, requests, resultEssentials } from "../../src/codex/index.ts"
import { type Shape, shapeOf } from "../../src/wire/internal/Shape.ts"

/** The shapes one step further: of a key in every object that a shape may be, or of the elements of its lists. */
const further = (shape: Shape, step: string): ReadonlyArray<Shape> => {
  switch (shape.kind) {
    case "object": {
      const field = shape.fields.get(step)
      if (field !== undefined) return [field.shape]
      return typeof shape.rest === "object" ? [shape.rest] : []
    }
    case "any":
      return [shape]
    case "array":
      return step === "[]" && shape.items !== undefined ? [shape.items] : []
    case "union":
      return [...shape.arrays, ...[...shape.tagged.values()].flat(), ...shape.untagged].flatMap((each) =>
        further(each, step)
      )
    case "refined":
      return further(shape.base, step)
    case "lazy":
      return further(shape.shape(), step)
    default:
      return []
  }
}

const stepsOf = (path: string): ReadonlyArray<string> =>
  path
    .replace(/\?$/, "")
    .split(".")
    .flatMap((step) => step.split(/(?=\[\])/))
    .filter((step) => step !== "**")

const missingFrom = (schema: Schema.Top, paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => {
    const shapes = stepsOf(path).reduce<ReadonlyArray<Shape>>(
      (here, step) => here.flatMap((shape) => further(shape, step)),
      [shapeOf(schema.ast)]
    )
    return shapes.length === 0
  })

describe("essentials", () => {
  it.each(Object.entries(essentials))("of %s are keys of its schema", (name, paths) => {
    const schema = codec.catalog.members.get(name)?.schema
    expect(schema && missingFrom(schema, paths ?? [])).toEqual([])
  })

  it.each(Object.keys(requests) as ReadonlyArray<Answered>)("of the result of %s are keys of its schema", (method) => {
    expect(missingFrom(requests[method].result, resultEssentials(method))).toEqual([])
  })

  it("let a turn end whatever else is missing", () => {
    expect(decodeValue({ method: "turn/completed", params: { threadId: "t", turn: { id: "u" } } })).toMatchObject({
      _tag: "Known",
      name: "turn/completed"
    })
  })
})
