import { expect, it } from "vitest"
import { titleOf } from "../../src/session/ThreadTitle.ts"

it("is the beginning of the prompt, in one line", () => {
  expect(titleOf("  Fix\n the   build  ")).toBe("Fix the build")
  expect(titleOf("😀".repeat(100))).toBe("😀".repeat(80))
})

it("is the text of parts, and nothing where there is none", () => {
  const image = { type: "image", source: { type: "url", value: "https://example.com/a.png" } } as const
  expect(titleOf([image, { type: "text", text: "What is this?" }])).toBe("What is this?")
  expect(titleOf([image])).toBeUndefined()
  expect(titleOf(" ")).toBeUndefined()
})
