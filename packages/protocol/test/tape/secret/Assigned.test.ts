import { describe, expect, it } from "vitest"
import { assignedRules, valueUnder } from "../../../src/tape/secret/Assigned.ts"

const [rule] = assignedRules
const valueIn = (text: string, word: string): string | undefined => {
  const [found] = rule?.look(text, text.toLowerCase().indexOf(word), word).secrets ?? []
  return found && text.slice(found.start, found.end)
}

describe("a value with a name", () => {
  it("ends where its writing ends it", () => {
    expect(valueIn("password: 'p@ss b1 c' # x", "password")).toBe("p@ss b1 c")
    expect(valueIn("f(password=hunter2)", "password")).toBe("hunter2")
    expect(valueIn("DB_PASSWORD=a&b)c!\nX=1", "password")).toBe("a&b)c!")
    expect(valueIn("Password=hunter2;Database=x", "password")).toBe("hunter2")
    expect(valueIn("The password is hunter2.", "password")).toBe("hunter2")
  })

  it("under a key is all of it, without the scheme; of cookies each", () => {
    const found = (key: string, value: string) =>
      valueUnder(key, value).map(({ end, start }) => value.slice(start, end))
    expect(found("Authorization", "Bearer opensesame")).toEqual(["opensesame"])
    expect(found("cookie", "a=1; sid=abcdef; lang=en-GB")).toEqual(["abcdef", "en-GB"])
    expect(found("--token", "abc-def-ghi")).toEqual(["abc-def-ghi"])
    expect(found("token_type", "a1b2c3d4e5")).toEqual([])
  })
})
