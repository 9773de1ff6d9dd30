import { describe, expect, it } from "vitest"
import { columns } from "../src/Command.ts"
import { commands } from "../src/commands/index.ts"
import { run } from "./run.ts"

describe("rows of two", () => {
  it("are aligned, and one that is too wide goes on in the next line", () => {
    expect(
      columns([
        ["a", "first"],
        ["bcd", "second"]
      ])
    ).toBe("  a    first\n  bcd  second")
    expect(
      columns(
        [
          ["a", "first"],
          ["bcd", "second"],
          ["efghi", "third"]
        ],
        3
      )
    ).toBe("  a    first\n  bcd  second\n  efghi\n       third")
    expect(columns([])).toBe("")
  })
})

describe("the help of a command", () => {
  it.each(Object.keys(commands))("of %s fits a terminal", async (name) => {
    const { out } = await run([name, "--help"])
    const [text = "", options = ""] = out.split("\nOptions:\n")
    expect(text.split("\n").filter(({ length }) => length > 100)).toEqual([])
    expect(options.split("\n").filter(({ length }) => length > 120)).toEqual([])
  })
})
