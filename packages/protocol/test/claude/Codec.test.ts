import { describe, expect, it } from "vitest"
import { decodeLine, decodeResponse, drift, responseDrift } from "../../src/claude/index.ts"

describe("decodeResponse", () => {
  it("knows a payload by the subtype of the request", () => {
    const value = { behavior: "allow", updatedInput: {} }
    expect(decodeResponse("can_use_tool", value)).toEqual({ _tag: "Known", value })
  })

  it("says what is wrong with a payload", () => {
    expect(decodeResponse("can_use_tool", { behavior: "deny", message: 1 })).toEqual({
      _tag: "Invalid",
      raw: { behavior: "deny", message: 1 },
      error: { code: "BAD_FIELD", path: "$.message", message: "$.message: expected a string, found the number 1" }
    })
  })

  it("takes an answer of the agent that lacks a list for an answer, and what a host answers as it should be", () => {
    const raw = { commands: null, models: [{ value: "m" }], account: 3, pid: "1" }
    const decoded = decodeResponse("initialize", raw)
    expect(decoded).toMatchObject({ _tag: "Known", value: { commands: [], models: [{ value: "m" }] }, raw })
    expect(decoded._tag === "Known" && decoded.value).not.toHaveProperty("pid")
    expect(decoded._tag === "Known" && decoded.odd?.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["$.commands", "$.account"])
    )
    expect(responseDrift("initialize", raw)).toContainEqual(
      expect.objectContaining({ path: "$.commands", code: "odd-key" })
    )
    expect(decodeResponse("initialize", "no object")._tag).toBe("Invalid")
    expect(decodeResponse("can_use_tool", { behavior: "allow", updatedInput: 1 })._tag).toBe("Invalid")
  })

  it("reads an absent payload as an empty one: the CLI leaves it out where there is nothing to say", () => {
    expect(decodeResponse("set_max_thinking_tokens", undefined)).toEqual({ _tag: "Known", value: {} })
    expect(responseDrift("set_max_thinking_tokens", undefined)).toEqual([])
  })

  it("finds drift in payloads, in empty ones too", () => {
    expect(responseDrift("set_max_thinking_tokens", { mood: 1 })).toEqual([{ path: "$.mood", example: 1 }])
  })
})

describe("a line with more that is wrong than a stack holds", () => {
  const line = (block: object) =>
    JSON.stringify({
      type: "assistant",
      message: { id: "m", role: "assistant", content: Array.from({ length: 200_000 }, () => block) },
      parent_tool_use_id: null,
      session_id: "s",
      uuid: "u"
    })

  it("is decoded like any other", () => {
    expect(decodeLine(line({})).line).toBe(1)
    expect(decodeLine(line({ type: "text" })).line).toBe(1)
  })

  it("has its drift told like any other", () => {
    expect(drift(JSON.parse(line({ type: "text", text: "a", strange: 1 }))).length).toBeGreaterThan(100_000)
  })
})
