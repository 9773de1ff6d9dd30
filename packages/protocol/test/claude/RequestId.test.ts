import { describe, expect, it } from "vitest"
import { decodeLine } from "../../src/claude/index.ts"
import { Claude } from "../../src/index.ts"

const { requestIdIn } = Claude

describe("requestIdIn", () => {
  const broken = { type: "control_request", request_id: "r-1", request: { subtype: "can_use_tool", input: [] } }

  it("finds the id of a request that does not decode, in the outcome's raw", () => {
    const decoded = decodeLine(JSON.stringify(broken))
    expect(decoded._tag).toBe("Invalid")
    expect(requestIdIn("raw" in decoded && decoded.raw)).toBe("r-1")
  })

  it("finds that of a request nobody knows, or of none", () => {
    const decoded = decodeLine('{"type":"control_request","request_id":"r-2","request":{"subtype":"invented"}}')
    expect(decoded._tag === "Unknown" && requestIdIn(decoded.raw)).toBe("r-2")
    expect(requestIdIn({ type: "control_request", request_id: "r-3" })).toBe("r-3")
    expect(requestIdIn({ type: "control_request", request_id: 4, request: null })).toBe(4)
  })

  it("finds it in a line that is cut off", () => {
    const cut =
      '{"type":"control_request","request_id":"r-\\"5","request":{"subtype":"can_use_tool","input":{"request_id":"no'
    expect(requestIdIn(cut)).toBe('r-"5')
    expect(requestIdIn('{"type":"control_request","request_id":"r-6')).toBeUndefined()
    expect(requestIdIn('{"type":"control_request","request_id":7,"request":{"sub')).toBe(7)
    expect(requestIdIn('{"type":"control_request","request_id":7')).toBeUndefined()
  })

  it("finds none in what wants no answer", () => {
    const others = [
      { type: "control_response", response: { subtype: "success", request_id: "r" } },
      { type: "control_cancel_request", request_id: "r" },
      { type: "control_request", request_id: null },
      { type: "user", message: { role: "user", content: '{"type":"control_request","request_id":"r"}' } },
      [{ type: "control_request", request_id: "r" }],
      null,
      7
    ]
    for (const other of others) {
      expect(requestIdIn(other)).toBeUndefined()
      expect(requestIdIn(JSON.stringify(other))).toBeUndefined()
      expect(requestIdIn(`${JSON.stringify(other)} and more`)).toBeUndefined()
    }
    expect(requestIdIn("no JSON")).toBeUndefined()
  })
})
