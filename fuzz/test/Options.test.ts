import { expect, test } from "vitest"
import { readOptions } from "../Options.ts"

const targets = [{ name: "decoder" }, { name: "framer" }]
const read = (...args: ReadonlyArray<string>) => readOptions(args, targets, 7)

test("a target, and how long", () => {
  expect(read("decoder")).toEqual({ _tag: "Fuzz", target: "decoder", minutes: 1, seed: 7 })
  expect(read("framer", "--minutes", "0.5", "--seed", "3")).toEqual({
    _tag: "Fuzz",
    target: "framer",
    minutes: 0.5,
    seed: 3
  })
  expect(read("--list")).toEqual({ _tag: "List" })
  expect(read("--help")).toEqual({ _tag: "Help" })
})

test.each([
  [["decodr"], 'There is no target "decodr". Did you mean decoder? --list names them.'],
  [["zebra"], 'There is no target "zebra". --list names them.'],
  [[], "Which target? --list names them."],
  [["decoder", "framer"], "One target at a time."],
  [["decoder", "--minutes", "0"], "--minutes takes a number above 0."],
  [["decoder", "--minutes", "soon"], "--minutes takes a number above 0."],
  [["decoder", "--seed", "-1"], expect.stringContaining("--seed")],
  [["decoder", "--seed", "1.5"], "--seed takes a whole number from 0 to 4294967295."],
  [["decoder", "--hours", "1"], expect.stringContaining("--hours")]
])("%j is wrong", (args, message) => {
  expect(read(...args)).toEqual({ _tag: "Wrong", message })
})
