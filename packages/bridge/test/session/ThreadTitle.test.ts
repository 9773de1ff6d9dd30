import * as fc from "fast-check"
import { expect, it } from "vitest"
import { forkTitle, shortened, titleOf } from "../../src/session/ThreadTitle.ts"

it("is the beginning of the prompt, in one line", () => {
  expect(titleOf("  Fix\n the   build  ")).toBe("Fix the build")
  expect(titleOf("😀".repeat(100))).toBe("😀".repeat(80))
})

it("is the same whether all of a text is looked at or only its beginning", () => {
  const piece = fc.oneof(
    fc.constantFrom(" ", "\n\t ", "\u2028", "\ufeff", "😀", "\ud83d", "a"),
    fc.string({ maxLength: 10 })
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.nat(30), (pieces, more) => {
      const text = pieces.join("") + (pieces[0] ?? "").repeat(more)
      expect(shortened(text)).toBe([...text.trim().replace(/\s+/g, " ")].slice(0, 80).join(""))
    })
  )
})

it("is the text of parts, and nothing where there is none", () => {
  const image = { type: "image", source: { type: "url", value: "https://example.com/a.png" } } as const
  expect(titleOf([image, { type: "text", text: "What is this?" }])).toBe("What is this?")
  expect(titleOf([image])).toBeUndefined()
  expect(titleOf(" ")).toBeUndefined()
})

it("of a fork is that of the old thread, with a mark and a number", () => {
  const named = (title: string) => forkTitle({ title, titleBy: "person" })?.title
  expect(named("Shed")).toBe("Shed (fork)")
  expect(named("Shed (fork)")).toBe("Shed (fork 2)")
  expect(named("Shed (fork 9)")).toBe("Shed (fork 10)")
  expect(named("x".repeat(300))?.length).toBe(200)
  expect(forkTitle({ title: "Shed", titleBy: "person" })?.titleBy).toBe("person")
  expect(forkTitle({})).toBeUndefined()
})
