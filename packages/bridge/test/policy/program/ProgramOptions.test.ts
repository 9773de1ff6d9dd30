import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { optionsFrom, readOptions } from "../../../src/policy/program/ProgramOptions.ts"
import { plainWord, unknownWord } from "../../../src/policy/shell/ShellWord.ts"

const options = optionsFrom(
  "-ab -n= -i?change -o=write --all --lines= --color? --output=write --out-dir=write --raw==read"
)

const read = (text: string, habits = {}) => {
  const words = text.split(" ").map((word) => (word === "$x" ? unknownWord(word, true) : plainWord(word)))
  const { given, operands, unlisted, unsure } = readOptions(options, words, habits)
  return {
    given: given.map(({ name, value }) => (value === undefined ? name : `${name}=${value.value ?? value.text}`)),
    operands: operands.map((word) => word.value ?? word.text),
    unlisted: unlisted?.text,
    unsure: unsure?.text
  }
}

describe("readOptions", () => {
  it.each([
    ["-a x", ["a"], ["x"]],
    ["-abn5 x", ["a", "b", "n=5"], ["x"]],
    ["-an 5 x", ["a", "n=5"], ["x"]],
    ["-i x", ["i"], ["x"]],
    ["-i.bak x", ["i=.bak"], ["x"]],
    ["-ai.bak x", ["a", "i=.bak"], ["x"]],
    ["x -o y", ["o=y"], ["x"]],
    ["--lines=5 x", ["lines=5"], ["x"]],
    ["--lines 5 x", ["lines=5"], ["x"]],
    ["--li 5 x", ["lines=5"], ["x"]],
    ["--color x", ["color"], ["x"]],
    ["--col=never x", ["color=never"], ["x"]],
    ["--out=y x", ["output=y"], ["x"]],
    ["--raw name file x", ["raw=file"], ["x"]],
    ["-- -a --all", [], ["-a", "--all"]],
    ["- -a", ["a"], ["-"]]
  ])("tells the words of %j apart", (text, given, operands) => {
    expect(read(text)).toEqual({ given, operands, unlisted: undefined, unsure: undefined })
  })

  it("knows what it does not know", () => {
    expect(read("-az x")).toMatchObject({ unlisted: "-az" })
    expect(read("--other")).toMatchObject({ unlisted: "--other" })
    expect(read("$x y")).toMatchObject({ unsure: "$x", operands: ["$x", "y"] })
    expect(read("-n $x y")).toMatchObject({ unsure: "$x", given: ["n=$x"], operands: ["y"] })
    expect(read("-- $x")).toMatchObject({ unsure: undefined })
  })

  it("has the habits of programs that stop at the first operand, and of those that need no dash", () => {
    expect(read("-a x -b", { isLeading: true })).toMatchObject({ given: ["a"], operands: ["x", "-b"] })
    expect(read("ano 5 y x", { isBundled: true })).toMatchObject({ given: ["a", "n=5", "o=y"], operands: ["x"] })
  })

  it("loses no word: each is an option, a value or an operand", () => {
    const word = fc.constantFrom("-a", "-n", "-n5", "-i", "-ix", "-o", "--all", "--lines", "--lines=3", "--", "x", "-")
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const { given, operands } = readOptions(options, words.map(plainWord))
        const values = given.filter(({ value, word: own }) => value !== undefined && !/^-\w.|=/.test(own.text))
        const marks = words.includes("--") ? 1 : 0
        const all = given.length + values.length + operands.length
        expect([all, all + marks]).toContain(words.length)
      })
    )
  })
})
