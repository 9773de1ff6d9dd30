import { expect, it } from "vitest"
import { mergeTools, toolList } from "../../src/session/PageTools.ts"

const tool = (name: string, description = "") => ({ name, description })

it("a later definition wins, in the place of the earlier one", () => {
  const known = [tool("a"), tool("b")]
  expect(mergeTools(known, [tool("a", "new"), tool("c")])).toEqual([tool("a", "new"), tool("b"), tool("c")])
})

it("names that are one name to a model are one tool", () => {
  expect(mergeTools([tool("a.b")], [tool("a_b", "new")])).toEqual([tool("a_b", "new")])
})

it("is the same list when nothing is new", () => {
  const known = [tool("a"), tool("b")]
  expect(mergeTools(known, [tool("b")])).toBe(known)
})

it("lists schemas that every MCP client takes", () => {
  const schemas = toolList([
    { name: "a", description: "", parameters: { type: "string" } },
    {
      name: "b",
      description: "",
      parameters: { properties: { x: true, y: false, z: { type: "number" } }, required: "x" }
    },
    { name: "c", description: "" }
  ]).map(({ inputSchema }) => inputSchema)
  expect(schemas).toEqual([
    { type: "object", properties: {} },
    { type: "object", properties: { x: {}, y: { not: {} }, z: { type: "number" } } },
    { type: "object", properties: {} }
  ])
})
