import type { Agui } from "@agentwire/protocol"
import { expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { titleOf } from "../../src/session/ThreadTitle.ts"

const user = (content: Extract<Agui.Message, { role: "user" }>["content"]): Agui.Message => ({
  id: "u",
  role: "user",
  content
})

it("is the first prompt, on one line", () => {
  const messages = [
    { id: "s", role: "system" as const, content: "You are" },
    user("  Fix\n the   bug "),
    user("Another")
  ]
  expect(titleOf({ messages, state: {} })).toBe("Fix the bug")
})

it("is the words of a prompt with pictures", () => {
  const picture = { type: "image" as const, source: { type: "url" as const, value: "https://example.org/a.png" } }
  expect(titleOf({ messages: [user([picture, { type: "text", text: "What is this?" }])], state: {} })).toBe(
    "What is this?"
  )
  expect(titleOf({ messages: [user([picture])], state: {} })).toBeUndefined()
  expect(titleOf({ messages: [], state: {} })).toBeUndefined()
})

it("is short, and breaks no character", () =>
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const title = titleOf({ messages: [user(text)], state: {} }) ?? ""
      expect([...title].length).toBeLessThanOrEqual(80)
      // Halves of a pair cannot be written as UTF-8: they would come back as something else.
      expect(new TextDecoder().decode(new TextEncoder().encode(title))).toBe(title)
    })
  ))
