import { describe, expect, it } from "vitest"
import { Names } from "../../src/tape/StringNames.ts"
import { literals } from "../../src/wire/internal/JsonText.ts"

const namesIn = (value: unknown): Readonly<Record<string, string>> => {
  const text = JSON.stringify(value)
  const names = new Names()
  return Object.fromEntries(
    Array.from(literals(text), (literal) => {
      const says = text.slice(literal.start, literal.end)
      return [literal.isKey ? "" : says, names.of(literal, says)]
    })
  )
}

describe("a string is called", () => {
  it("what its key is, also in a list", () => {
    expect(namesIn({ a: "1", b: ["2", "3"] })).toMatchObject({ 1: "a", 2: "b", 3: "b" })
  })

  it("what the option or the header before it in its list is", () => {
    expect(namesIn({ args: ["--token", "1", "-p", "2", "3"] })).toMatchObject({ 1: "--token", 2: "-p", 3: "args" })
    expect(namesIn(["Authorization", "1"])).toMatchObject({ 1: "Authorization" })
  })

  it("what the name beside it says", () => {
    expect(namesIn([{ name: "API_KEY", value: "1" }, { value: "2" }])).toMatchObject({ 1: "API_KEY", 2: "value" })
  })
})
