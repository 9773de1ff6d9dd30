import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Content } from "../../../src/agui/ContentPart.ts"
import { toolContent } from "../../../src/claude/fold/ToolContent.ts"

const png = { type: "base64", media_type: "image/png", data: "iVBOR" }

describe("laws", () => {
  const block = fc.oneof(
    fc.string().map((text) => ({ type: "text", text })),
    fc.constant({ type: "image", source: png }),
    fc.constant({ type: "document", source: { type: "url", url: "https://example.com/a.pdf" } }),
    fc.constant({ type: "image", source: { type: "file", file_id: "file_1" } }),
    fc.record({ type: fc.constantFrom("tool_reference", "text", "image", "later"), more: fc.jsonValue() }),
    fc.jsonValue()
  )

  test("any content becomes content AG-UI takes, with a part for each block, in order", () => {
    const accepts = Schema.is(Content)
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
        const content = toolContent(blocks)
        expect(accepts(content)).toBe(true)
        if (typeof content !== "string") expect(content).toHaveLength(blocks.length)
        for (const [at, given] of blocks.entries())
          if (typeof content !== "string" && content[at]?.type === "text" && !isText(given))
            expect(content[at]).toEqual({ type: "text", text: JSON.stringify(given) })
      })
    )
  })

  test("a string is what it is", () => {
    fc.assert(fc.property(fc.string(), (text) => toolContent(text) === text))
  })
})

const isText = (block: unknown): boolean =>
  typeof block === "object" && block !== null && "text" in block && typeof block.text === "string"

describe("blocks", () => {
  test.each<[string, ReadonlyArray<unknown> | undefined, unknown]>([
    ["nothing", undefined, ""],
    ["no block", [], ""],
    ["one text", [{ type: "text", text: "a" }], "a"],
    [
      "two texts",
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" }
      ],
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" }
      ]
    ],
    [
      "an image alone",
      [{ type: "image", source: png }],
      [{ type: "image", source: { type: "data", value: "iVBOR", mimeType: "image/png" } }]
    ],
    [
      "a document by its address",
      [{ type: "document", source: { type: "url", url: "https://example.com/a.pdf" } }],
      [{ type: "document", source: { type: "url", value: "https://example.com/a.pdf" } }]
    ],
    [
      "a file of the provider's",
      [{ type: "document", source: { type: "file", file_id: "f" } }],
      [{ type: "document", source: { type: "file", value: "f", provider: "anthropic" } }]
    ],
    [
      "a kind AG-UI has no part for",
      [{ type: "tool_reference", tool_name: "x" }],
      '{"type":"tool_reference","tool_name":"x"}'
    ],
    [
      "an image whose source nobody knows",
      [{ type: "image", source: { type: "later" } }],
      '{"type":"image","source":{"type":"later"}}'
    ]
  ])("%s", (_, given, content) => {
    expect(toolContent(given)).toEqual(content)
  })
})
