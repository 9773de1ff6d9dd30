import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { codec, decodeValue } from "../../src/claude/index.ts"
import { Claude } from "../../src/index.ts"
import { type Shape, shapeOf } from "../../src/wire/internal/Shape.ts"

const { essentials } = Claude

/** The shapes one step further: of a key in every object that a shape may be, or of the elements of its lists. */
const further = (shape: Shape, step: string): ReadonlyArray<Shape> => {
  switch (shape.kind) {
    case "object": {
      const field = shape.fields.get(step)
      if (field !== undefined) return [field.shape]
      return typeof shape.rest === "object" ? [shape.rest] : []
    }
    case "any":
      return [shape]
    case "array":
      return step === "[]" && shape.items !== undefined ? [shape.items] : []
    case "union":
      return [...shape.arrays, ...[...shape.tagged.values()].flat(), ...shape.untagged].flatMap((each) =>
        further(each, step)
      )
    case "refined":
      return further(shape.base, step)
    case "lazy":
      return further(shape.shape(), step)
    default:
      return []
  }
}

const stepsOf = (path: string): ReadonlyArray<string> =>
  path
    .replace(/\?$/, "")
    .split(".")
    .flatMap((step) => step.split(/(?=\[\])/))
    .filter((step) => step !== "**")

describe("essentials", () => {
  it.each(Object.entries(essentials))("of %s are keys of its schema", (name, paths) => {
    const schema = codec.catalog.members.get(name)?.schema
    expect(schema).toBeDefined()
    for (const path of paths ?? []) {
      const shapes = stepsOf(path).reduce<ReadonlyArray<Shape>>(
        (here, step) => here.flatMap((shape) => further(shape, step)),
        [shapeOf((schema ?? Schema.Never).ast)]
      )
      expect(shapes.length, `${name} has no ${path}`).toBeGreaterThan(0)
    }
  })

  it("let a result end its turn whatever it lacks", () => {
    for (const name of ["success", "error_during_execution", "error_max_turns"])
      expect(decodeValue({ type: "result", subtype: name })).toMatchObject({ _tag: "Known", name: `result/${name}` })
  })

  it("let a permission be asked that lacks all but the call", () => {
    const request = { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t", input: {} }
    const message = { type: "control_request", request_id: "r", request }
    expect(decodeValue({ ...message, request: { ...request, permission_suggestions: null, title: 1 } })).toMatchObject({
      _tag: "Known",
      message
    })
    expect(decodeValue({ ...message, request: { ...request, input: "ls" } })).toMatchObject({ _tag: "Invalid" })
  })

  it("leave of a message of MCP what it says, without its envelope", () => {
    const told = (message: unknown) => {
      const request = { subtype: "mcp_message", message }
      const decoded = decodeValue({ type: "control_request", request_id: "r", request })
      return decoded._tag === "Known" && decoded.name === "control_request/mcp_message"
        ? decoded.message.request.message
        : decoded._tag
    }
    expect(told({ id: 1, method: "tools/call", params: { name: "t" } })).toEqual({
      id: 1,
      method: "tools/call",
      params: { name: "t" }
    })
    expect(told({ jsonrpc: 3, id: 1, method: "tools/list", params: null })).toEqual({ id: 1, method: "tools/list" })
    expect(told({ jsonrpc: null, id: 1, result: {} })).toEqual({ id: 1, result: {} })
    expect(told({ jsonrpc: "2.0", id: 1 })).toBe("Invalid")
    for (const odd of [undefined, null, 7, "seven", [7]]) expect(told(odd)).toBe("Invalid")
  })

  it("keep what a host orders from being half understood", () => {
    const order = (request: object) => decodeValue({ type: "control_request", request_id: "r", request })._tag
    expect(order({ subtype: "set_model", model: "m" })).toBe("Known")
    expect(order({ subtype: "set_model", model: 1 })).toBe("Invalid")
    expect(order({ subtype: "set_permission_mode" })).toBe("Invalid")
  })
})
