import { describe, expect, test } from "vitest"
import { Content, ContentPart } from "../../src/agui/ContentPart.ts"
import { issues, wrongAt } from "./Decode.ts"

describe("every kind of part, with every kind of source", () => {
  const sources = [
    { type: "data", value: "aGk=", mimeType: "image/png" },
    { type: "url", value: "https://example.test/a" },
    { type: "file", value: "file_1", provider: "anthropic" }
  ]
  for (const type of ["image", "audio", "video", "document"]) {
    test.each(sources)(`${type} %j`, (source) => expect(issues(ContentPart, { type, source })).toEqual([]))
  }
})

describe("malformed parts, by path", () => {
  const cases: ReadonlyArray<readonly [unknown, string]> = [
    ["x", ""],
    [{ type: "binary", mimeType: "image/png", url: "u" }, ""],
    [{ type: "text" }, "text"],
    [{ type: "text", text: "x", metadata: null }, "metadata"],
    [{ type: "text", text: "x", id: 1 }, "id"],
    [{ type: "image" }, "source"],
    [{ type: "image", source: { type: "blob" } }, "source"],
    [{ type: "image", source: { type: "url", value: "u", mimeType: null } }, "source.mimeType"]
  ]
  test.each(cases)("%j: %s", (part, path) => expect(wrongAt(ContentPart, part)).toEqual([path]))
})

test("a body is text or parts", () => {
  expect(issues(Content, "")).toEqual([])
  expect(issues(Content, [])).toEqual([])
  expect(wrongAt(Content, null)).toEqual([""])
  expect(wrongAt(Content, [{ type: "text", text: 1 }])).toEqual(["0.text"])
})
