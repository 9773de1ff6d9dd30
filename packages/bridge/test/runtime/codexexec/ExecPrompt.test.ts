import type { Content } from "@agentwire/protocol/model"
import { describe, expect, it } from "vitest"
import { execPrompt, imageName } from "../../../src/runtime/codexexec/ExecPrompt.ts"

const said = (content: Content) => execPrompt({ said: [{ id: "p", content }] })

describe("a prompt for codex exec", () => {
  it("is its words, and what the application wants known before them", () => {
    expect(execPrompt({ aside: "It rains.", said: [{ id: "p", content: "Hi" }] }).text).toBe("It rains.\n\nHi")
  })

  it("has images as bytes, and names what it cannot have", () => {
    const png = { type: "image", source: { type: "data", value: "AAAA", mimeType: "image/png" } } as const
    const far = { type: "image", source: { type: "url", value: "https://example.com/a.png" } } as const
    const { images, text } = said([{ type: "text", text: "See" }, png, far])
    expect(images).toEqual([{ mimeType: "image/png", data: "AAAA" }])
    expect(text).toMatch(/^See\n\n\[An image at an address was left out/)
  })

  it("is never empty, because it would not begin", () => {
    const png = { type: "image", source: { type: "data", value: "AAAA", mimeType: "image/svg+xml" } } as const
    const { images, text } = said([png])
    expect(text).not.toBe("")
    expect(images.map(imageName)).toEqual(["image-0.svgxml"])
  })
})
