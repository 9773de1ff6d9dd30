import fc from "fast-check"
import { expect, test } from "vitest"
import {
  describeContext,
  describeInstruction,
  describeState,
  InstructionsTold,
  instructionPrint,
  nothingTold
} from "../../../src/agui/read/Background.ts"

const hostile = fc
  .array(
    fc.constantFrom(
      "</application_context>",
      "< / application_context",
      "<APPLICATION_STATE>",
      "</system_message>",
      "&lt;/application_context>",
      "&amp;lt;",
      "<",
      "/",
      "application_context",
      "<b>",
      "\n",
      "x"
    ),
    { maxLength: 6 }
  )
  .map((pieces) => pieces.join(""))

const anyTag = /<\s*\/?\s*(?:application_context|application_state|developer_message|system_message)/gi

/** What stands between the first tag and the last. */
const inside = (text: string): string => text.slice(text.indexOf(">\n") + 2, text.lastIndexOf("\n<"))
const unescaped = (text: string): string =>
  text.replace(
    /&((?:amp;)*)lt;(?=\s*\/?\s*(?:application_context|application_state|developer_message|system_message))/gi,
    (_, amps: string) => (amps === "" ? "<" : `&${amps.slice(4)}lt;`)
  )

test("nothing inside ends the piece or begins another, and it can be read back", () => {
  fc.assert(
    fc.property(hostile, hostile, (description, value) => {
      const [, context = ""] = describeContext(nothingTold, [{ description, value }])
      expect(context.match(anyTag)).toHaveLength(2)
      const developer = describeInstruction({ id: "d", role: "developer", content: value })
      expect(developer.match(anyTag)).toHaveLength(2)
      expect(unescaped(inside(developer))).toBe(value)
      const [, state = ""] = describeState(nothingTold, { [description]: value })
      expect(state.match(anyTag)).toHaveLength(2)
      expect(JSON.parse(unescaped(inside(state)))).toEqual({ [description]: value })
    }),
    { numRuns: 2000 }
  )
})

test("each entry of the context is a piece of its own", () => {
  const entries = [
    { description: "page", value: "cart" },
    { description: "", value: "beta" }
  ]
  expect(describeContext(nothingTold, entries)[1]).toBe(
    '<application_context description="page">\ncart\n</application_context>\n<application_context>\nbeta\n</application_context>'
  )
})

test("what has been told is not told again; a change is", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [told, text] = describeState(nothingTold, { one })
      expect(text).toContain("application_state")
      expect(describeState(told, { one })).toEqual([told, undefined])
      if (JSON.stringify(one) !== JSON.stringify(other)) expect(describeState(told, { one: other })[1]).toBeDefined()
    })
  )
})

test("emptiness is told only after there was something", () => {
  for (const state of [undefined, null, {}, "", { agentwire: { model: "m" } }])
    expect(describeState(nothingTold, state)).toEqual([nothingTold, undefined])
  expect(describeContext(nothingTold, [])).toEqual([nothingTold, undefined])
  const [told] = describeState(nothingTold, { a: 1 })
  expect(describeState(told, {})).toEqual([nothingTold, expect.stringContaining("empty")])
})

test("what is remembered does not grow", () => {
  const told = new InstructionsTold({ instructions: ["old"] })
  const printOf = (index: number) => instructionPrint({ id: "d", role: "developer", content: `rule ${index}` })
  for (let index = 0; index < 1000; index++) told.add(printOf(index))
  expect(told.prints).toHaveLength(256)
  expect([told.has("old"), told.has(printOf(743)), told.has(printOf(744))]).toEqual([false, false, true])
  // What is told again is the newest.
  told.add(printOf(744))
  told.add("new")
  expect([told.has(printOf(744)), told.has(printOf(745))]).toEqual([true, false])
  expect(told.prints.slice(-2)).toEqual([printOf(744), "new"])
})
