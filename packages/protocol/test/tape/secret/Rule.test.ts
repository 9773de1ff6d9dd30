import { describe, expect, it } from "vitest"
import { begins } from "../../../src/tape/secret/Rule.ts"

describe("a token", () => {
  it("begins where no word goes on: after a gap, an encoded character, a colour", () => {
    const here = (text: string) => begins(text, text.indexOf("sk-"))
    expect(["sk-", " sk-", "_sk-", "a%20sk-", "\u001b[32msk-", "\u001b[1;32msk-"].map(here)).toEqual(
      Array(6).fill(true)
    )
    expect(["task-", "0sk-", "32 msk-", "a32msk-"].map(here)).toEqual(Array(4).fill(false))
  })
})
