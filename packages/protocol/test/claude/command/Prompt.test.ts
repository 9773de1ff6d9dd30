import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { decodeLine } from "../../../src/claude/Codec.ts"
import { promptBlocks, promptLine } from "../../../src/claude/command/Prompt.ts"
import type { Prompt } from "../../../src/model/Command.ts"
import type { Content, Part } from "../../../src/model/Content.ts"
import { encodeLine } from "../../../src/wire/Codec.ts"

const prompt = (content: Content, aside?: string): Prompt => ({
  type: "prompt",
  said: [{ id: "1", content }],
  ...(aside !== undefined && { aside })
})

const base64 = (text: string): string => Buffer.from(text).toString("base64")

const mimeType = fc.constantFrom(
  "image/png",
  "IMAGE/JPG",
  "image/tiff",
  "application/pdf",
  "text/csv; charset=utf-8",
  "application/json",
  "audio/wav",
  ""
)
const source = fc.oneof(
  fc.record({ type: fc.constant("data" as const), value: fc.oneof(fc.base64String(), fc.string()), mimeType }),
  fc.record(
    { type: fc.constant("url" as const), value: fc.oneof(fc.webUrl(), fc.string()), mimeType },
    { requiredKeys: ["type", "value"] }
  ),
  fc.record({ type: fc.constant("file" as const), value: fc.string() })
)
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: fc.string() }),
  fc.record(
    {
      type: fc.constantFrom("image" as const, "audio" as const, "video" as const, "document" as const),
      source,
      metadata: fc.constantFrom({ filename: "a.txt" }, { filename: 1 }, "x")
    },
    { requiredKeys: ["type", "source"] }
  )
)

describe("laws", () => {
  test("every part but blank text is a block, in order; text keeps its words", () => {
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const saying = parts.filter((each) => each.type !== "text" || each.text.trim() !== "")
        const blocks = promptBlocks(parts)
        expect(blocks).toHaveLength(saying.length)
        saying.forEach((each, index) => {
          if (each.type === "text") expect(blocks[index]).toEqual({ type: "text", text: each.text })
        })
      })
    )
  })

  test("every line is one Claude Code knows, and no block is one the API refuses", () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), fc.option(fc.uuid(), { nil: undefined }), (parts, uuid) => {
        const line = promptLine(prompt(parts), uuid)
        expect(decodeLine(encodeLine(line))).toMatchObject({ _tag: "Known", name: "user", message: line })
        for (const block of promptBlocks(parts)) {
          if (block.type === "text") expect(block.text.trim()).not.toBe("")
          if (block.type === "image" && block.source.type === "base64")
            expect(["image/jpeg", "image/png", "image/gif", "image/webp"]).toContain(block.source.media_type)
          if (block.type === "document" && block.source.type === "base64")
            expect(block.source.media_type).toBe("application/pdf")
        }
      })
    )
  })
})

describe("parts", () => {
  const only = (part: Part) => {
    const blocks = promptBlocks([part])
    expect(blocks).toHaveLength(1)
    return blocks[0]
  }
  const data = (value: string, mimeType: string) => ({ type: "data", value, mimeType }) as const

  test("an image travels as base64 or by its address", () => {
    expect(only({ type: "image", source: data("iVBORw0K", "image/jpg") })).toEqual({
      type: "image",
      source: { type: "base64", media_type: "image/jpeg", data: "iVBORw0K" }
    })
    expect(only({ type: "image", source: { type: "url", value: "https://example.com/a.png" } })).toEqual({
      type: "image",
      source: { type: "url", url: "https://example.com/a.png" }
    })
  })

  test("a data URL is data, wherever it stands", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0K" } }
    const url = "data:image/png;base64,iVBORw0K"
    expect(only({ type: "image", source: { type: "url", value: url } })).toEqual(image)
    expect(only({ type: "image", source: data(url, "image/png") })).toEqual(image)
  })

  test("a PDF travels as it is, text as text, with the file's name", () => {
    const named = { metadata: { filename: "notes" } }
    expect(only({ type: "document", source: data("JVBERi0x", "application/pdf"), ...named })).toEqual({
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: "JVBERi0x" },
      title: "notes"
    })
    for (const mimeType of ["text/markdown", "application/json", "text/csv;charset=utf-8"])
      expect(only({ type: "document", source: data(base64("Grüße"), mimeType), ...named })).toEqual({
        type: "document",
        source: { type: "text", media_type: "text/plain", data: "Grüße" },
        title: "notes"
      })
  })

  test.each<[string, Part, string]>([
    ["a recording", { type: "audio", source: data("AAAA", "audio/wav") }, "audio/wav"],
    ["a video", { type: "video", source: { type: "url", value: "https://example.com/v" } }, "https://example.com/v"],
    ["an image of another type", { type: "image", source: data("AAAA", "image/tiff") }, "image/tiff"],
    ["a document of another type", { type: "document", source: data("AAAA", "application/zip") }, "application/zip"],
    [
      "a table behind a URL",
      { type: "document", source: { type: "url", value: "https://example.com/t.csv", mimeType: "text/csv" } },
      "https://example.com/t.csv"
    ],
    ["a provider's file", { type: "image", source: { type: "file", value: "file_1" } }, "file_1"],
    ["an address of the browser's", { type: "image", source: { type: "url", value: "blob:x" } }, "blob:x"],
    ["what is not base64", { type: "image", source: data("not base64!", "image/png") }, "image/png"],
    ["base64 that was cut", { type: "image", source: data("AAA", "image/gif") }, "image/gif"],
    ["no data at all", { type: "document", source: data("", "application/pdf") }, "application/pdf"],
    ["text that is not UTF-8", { type: "document", source: data("/////w==", "text/plain") }, "text/plain"]
  ])("%s leaves a note that says what was left out", (_, part, fact) => {
    expect(only(part)).toMatchObject({ type: "text", text: expect.stringMatching(/left out/) })
    expect(only(part)).toMatchObject({ text: expect.stringContaining(fact) })
  })
})

describe("the line", () => {
  test("carries what the CLI wants", () => {
    const uuid = "5e1f2a36-0000-4000-8000-000000000000"
    expect(promptLine(prompt("hi"), uuid)).toEqual({
      type: "user",
      message: { role: "user", content: [{ type: "text", text: "hi" }] },
      parent_tool_use_id: null,
      session_id: "",
      uuid
    })
    expect(promptLine(prompt("hi"))).not.toHaveProperty("uuid")
  })

  test("has what the application tells first, then all that was said", () => {
    const said = [
      { id: "1", content: "one" },
      { id: "2", content: [{ type: "text" as const, text: "two" }] }
    ]
    const { content } = promptLine({ type: "prompt", said, aside: "<context>" }).message
    expect(content).toEqual(["<context>", "one", "two"].map((text) => ({ type: "text", text })))
    expect(promptLine({ type: "prompt", said: [], aside: "go on" }).message.content).toEqual([
      { type: "text", text: "go on" }
    ])
  })

  test("of a slash command has the plain string the CLI was recorded with", () => {
    expect(promptLine(prompt("/greet Ada")).message.content).toBe("/greet Ada")
    expect(promptLine(prompt([{ type: "text", text: "/toolbox:hammer nails" }])).message.content).toBe(
      "/toolbox:hammer nails"
    )
    for (const text of ["/etc/hosts is a file", "a /compact", "/ what?"])
      expect(promptLine(prompt(text)).message.content).toEqual([{ type: "text", text }])
    expect(promptLine(prompt("/compact", "aside")).message.content).toHaveLength(2)
  })
})
