import { Agui, Claude, type Model } from "@agentwire/protocol"
import { isRecord } from "@agentwire/protocol/wire"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mergeTools, toolList } from "../../src/session/PageTools.ts"

const tool = (name: string, description = ""): Model.PageTool => ({ name, description })

describe("mergeTools", () => {
  const names = fc.constantFrom("a", "b", "a.b", "a_b", "a b", "c", "__proto__")
  const someTools = fc.array(fc.tuple(names, fc.nat(3)).map(([name, n]) => tool(name, String(n))))
  const cliName = ({ name }: Model.PageTool) => Claude.mcpToolName("frontend", name)

  it("a later definition wins, in the place of the earlier one", () => {
    const known = [tool("a"), tool("b")]
    expect(mergeTools(known, [tool("a", "new"), tool("c")])).toEqual([tool("a", "new"), tool("b"), tool("c")])
  })

  it("names that are one name to a model are one tool", () => {
    expect(mergeTools([tool("a.b")], [tool("a_b", "new")])).toEqual([tool("a_b", "new")])
  })

  it("every tool is there once, by the CLI's name, in its last definition", () => {
    fc.assert(
      fc.property(someTools, someTools, (known, fresh) => {
        const merged = mergeTools(known, fresh)
        expect(new Set(merged.map(cliName))).toEqual(new Set([...known, ...fresh].map(cliName)))
        expect(merged.length).toBe(new Set(merged.map(cliName)).size)
        for (const each of merged)
          expect(each).toEqual([...known, ...fresh].findLast((other) => cliName(other) === cliName(each)))
      })
    )
  })

  it("lists one after the other are the same as all at once", () => {
    fc.assert(
      fc.property(someTools, someTools, someTools, (a, b, c) => {
        expect(mergeTools(mergeTools(a, b), c)).toEqual(mergeTools(a, mergeTools(b, c)))
      })
    )
  })

  it("what is not new changes nothing, not even the array", () => {
    fc.assert(
      fc.property(someTools, fc.array(fc.nat()), (tools, picks) => {
        const known = mergeTools([], tools)
        const again = picks.flatMap((pick) => known.at(pick % Math.max(1, known.length)) ?? [])
        expect(mergeTools(known, structuredClone(again))).toBe(known)
      })
    )
  })
})

describe("toolList", () => {
  const schemaOf = (parameters: Record<string, unknown>) =>
    toolList([{ name: "x", description: "", parameters }])[0]?.["inputSchema"]

  it("lists schemas that every MCP client takes", () => {
    expect(schemaOf({ type: "string" })).toEqual({ type: "object", properties: {} })
    expect(schemaOf({ properties: { x: true, y: false, z: { type: "number" } }, required: "x" })).toEqual({
      type: "object",
      properties: { x: {}, y: { not: {} }, z: { type: "number" } }
    })
    expect(toolList([tool("c")])).toMatchObject([{ inputSchema: { type: "object", properties: {} } }])
  })

  it("an MCP client accepts every list, whatever the application calls parameters", () => {
    const application = fc.array(
      fc.record({ name: fc.string(), description: fc.string(), parameters: fc.jsonValue() }).map((each) => {
        const { parameters, ...named } = each
        return parameters === null
          ? named
          : { ...named, parameters: parameters as NonNullable<Agui.Tool["parameters"]> }
      })
    )
    fc.assert(
      fc.property(application, (tools) => {
        for (const { inputSchema } of toolList(Agui.pageTools(tools))) {
          if (!isRecord(inputSchema)) throw new Error("no schema")
          expect(inputSchema["type"]).toBe("object")
          expect(isRecord(inputSchema["properties"]) && Object.values(inputSchema["properties"]).every(isRecord)).toBe(
            true
          )
          expect([inputSchema["required"] ?? []].flat().every((name) => typeof name === "string")).toBe(true)
        }
      })
    )
  })

  it("a JSON Schema of an object is listed as it is", () => {
    const schema = {
      $defs: { word: { type: "string" } },
      type: "object",
      properties: { a: { $ref: "#/$defs/word" } },
      required: ["a"],
      additionalProperties: false
    }
    expect(schemaOf(schema)).toEqual(schema)
  })
})
