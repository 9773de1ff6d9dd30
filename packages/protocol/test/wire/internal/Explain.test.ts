import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { firstProblem } from "../../../src/wire/internal/Explain.ts"
import { renderPath } from "../../../src/wire/internal/JsonPath.ts"
import { shapeOf } from "../../../src/wire/internal/Shape.ts"
import { known, open, optional, variants } from "../../../src/wire/Open.ts"

const Text = open({ type: Schema.Literal("text"), text: Schema.String })
const Image = open({ type: Schema.Literal("image"), size: Schema.Tuple([Schema.Finite, Schema.Finite]) })
const Message = open({
  content: Schema.Union([Schema.String, Schema.Array(variants("ExplainTestBlock", "type", [Text, Image]))]),
  role: optional(Schema.Literals(["user", "assistant"])),
  mode: optional(known("a", "b")),
  counts: optional(Schema.Record(Schema.String, Schema.Finite)),
  name: optional(Schema.String.check(Schema.isMinLength(1)))
})

const said = (value: unknown): string => {
  const { message, path } = firstProblem(shapeOf(Message.ast), value)
  return `${renderPath(path)} ${message}`
}

describe("explain", () => {
  it.each([
    [7, "$ expected an object, found the number 7"],
    [null, "$ expected an object, found null"],
    [[], "$ expected an object, found an array"],
    [{}, "$.content expected content, but it is missing"],
    [{ content: 1 }, "$.content expected a string or an array, found the number 1"],
    [{ content: {} }, "$.content expected a string or an array, found an object"],
    [{ content: ["a"] }, '$.content[0] expected an object, found the string "a"'],
    [{ content: [{ type: "text" }] }, "$.content[0].text expected text, but it is missing"],
    [{ content: [{ text: "" }] }, "$.content[0].type expected type, but it is missing"],
    [{ content: [{ type: 5 }] }, "$.content[0].type expected a string, found the number 5"],
    [{ content: [{ type: "image", size: [1] }] }, "$.content[0].size[1] expected a finite number, but it is missing"],
    [{ content: [{ type: "image", size: [1, 2, 3] }] }, "$.content[0].size expected at most 2 items, found 3"],
    [{ content: "", role: "tool" }, '$.role expected "user" or "assistant", found the string "tool"'],
    [{ content: "", mode: true }, "$.mode expected a string, found true"],
    [{ content: "", counts: { "a b": "1" } }, '$.counts["a b"] expected a finite number, found the string "1"'],
    [{ content: "", name: "" }, '$.name expected a value with a length of at least 1, found the string ""']
  ])("says what is wrong with %j", (value, words) => {
    expect(said(value)).toBe(words)
  })

  it("shows no more of a long value than helps", () => {
    expect(said({ content: "", role: "x".repeat(500) }).length).toBeLessThan(160)
  })
})
