/** Content as blocks, and back. */
import { expect, it } from "vitest"
import { Gateway, type Model } from "../../src/index.ts"

it("what is said in parts is the same after it has been blocks", () => {
  const content: Model.Content = [
    { type: "text", text: "Look:" },
    { type: "image", source: { type: "data", value: "AA==", mimeType: "image/png" } },
    { type: "document", source: { type: "url", value: "https://example.org/a.pdf" } },
    { type: "image", source: { type: "file", value: "file_1" } }
  ]
  expect(Gateway.readContent(Gateway.blocksOf(content))).toEqual(content)
  expect(Gateway.readContent(Gateway.blocksOf("Only words"))).toBe("Only words")
})

it("a document of plain text is a file of it", () => {
  const source = { type: "text", media_type: "text/plain", data: "Grüße" } as const
  const [part] = Gateway.readContent([{ type: "document", source }]) as ReadonlyArray<Model.Part>
  expect(part).toMatchObject({ type: "document", source: { type: "data", mimeType: "text/plain" } })
  const { value } = (part as Extract<Model.Part, { readonly source: unknown }>).source
  expect(Buffer.from(value, "base64").toString()).toBe("Grüße")
})
