import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { classify, isRequestId } from "../../src/jsonrpc/index.ts"

describe("classify", () => {
  it("takes messages with and without jsonrpc, whatever is written there", () => {
    for (const head of [{}, { jsonrpc: "2.0" }, { jsonrpc: "1.0" }]) {
      expect(classify({ ...head, id: 1, method: "m", params: {} })).toEqual({
        _tag: "Request",
        id: 1,
        method: "m",
        params: {}
      })
      expect(classify({ ...head, method: "m" })).toEqual({ _tag: "Notification", method: "m" })
      expect(classify({ ...head, id: "a", result: null })).toEqual({ _tag: "Response", id: "a", result: null })
      const error = { code: -32600, message: "no" }
      expect(classify({ ...head, id: 2, error })).toEqual({ _tag: "Failure", id: 2, error })
    }
  })

  it("takes 0 for an id, and a method for a method although the id is known as one of ours", () => {
    expect(classify({ id: 0, method: "m" })).toMatchObject({ _tag: "Request", id: 0 })
    expect(classify({ id: 0, result: 1 })).toMatchObject({ _tag: "Response", id: 0 })
    expect(classify({ id: 0, method: "m", result: 1 })._tag).toBe("Request")
  })

  it("takes a result beside a null error for a result, and an error for an error whatever it holds", () => {
    expect(classify({ id: 1, result: 5, error: null })).toMatchObject({ _tag: "Response", result: 5 })
    expect(classify({ id: 1, result: null, error: "broken" })).toMatchObject({
      _tag: "Failure",
      error: { code: -32603, message: "broken", data: "broken" }
    })
    expect(classify({ id: null, error: { code: -32700, message: "parse" } })).toMatchObject({
      _tag: "Failure",
      id: null
    })
  })

  it.each([
    [[{ id: 1, method: "m" }], "BATCH"],
    [null, "NOT_OBJECT"],
    [3, "NOT_OBJECT"],
    [{ id: null, method: "m" }, "BAD_ID"],
    [{ id: 1.5, method: "m" }, "BAD_ID"],
    [{ id: {}, result: 1 }, "BAD_ID"],
    [{ result: 1 }, "BAD_ID"],
    [{ id: 1 }, "NO_KIND"],
    [{ id: 1, method: 5 }, "NO_KIND"]
  ])("says why %j is no message", (value, fault) => {
    expect(classify(value)).toEqual({ _tag: "Invalid", fault, raw: value })
  })

  it("never throws, and whatever it names has a method or an id", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom("id", "method", "params", "result", "error"), fc.jsonValue()),
        (any, object) => {
          for (const value of [any, object]) {
            const kind = classify(value)
            if (kind._tag === "Request" || kind._tag === "Notification") expect(typeof kind.method).toBe("string")
            if (kind._tag === "Request" || kind._tag === "Response") expect(isRequestId(kind.id)).toBe(true)
          }
        }
      )
    )
  })
})
