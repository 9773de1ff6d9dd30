import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { JsonScan } from "../../src/wire/JsonScan.ts"

const piecesOf = (text: string, length: number): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length))

/** A look through a text that comes in pieces of a length. */
const scanned = (text: string, length: number): JsonScan => {
  const scan = new JsonScan()
  for (const piece of piecesOf(text, length)) scan.push(piece)
  return scan
}

const inside = (value: unknown): ReadonlyArray<unknown> =>
  typeof value === "object" && value !== null ? Object.values(value) : []

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...inside(value).map(depthOf)) : 0

const countOf = (value: unknown): number => 1 + inside(value).reduce<number>((sum, one) => sum + countOf(one), 0)

/** Lists and objects with nothing in them count twice: it is not known yet that nothing comes. */
const emptyIn = (value: unknown): number =>
  typeof value === "object" && value !== null && inside(value).length === 0
    ? 1
    : inside(value).reduce<number>((sum, one) => sum + emptyIn(one), 0)

/** Texts of JSON, of which some have strings that are long, plain or not; and lengths to cut them into. */
const texts = fc
  .tuple(
    fc.jsonValue({ maxDepth: 6 }),
    fc.array(fc.oneof(fc.string({ unit: fc.constantFrom(...'a"\\,[]{}:\né') }), fc.nat(200).map("x".repeat.bind("x")))),
    fc.boolean()
  )
  .map(([value, strings, pretty]) => {
    const whole = strings.length === 0 ? value : [value, ...strings]
    return { value: whole, text: JSON.stringify(whole, null, pretty ? 2 : 0) }
  })
const lengths = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(100), fc.constant(10_000))

describe("a look through JSON", () => {
  it("finds how deep it nests and how many values it has, in any pieces", () => {
    fc.assert(
      fc.property(texts, lengths, ({ text, value }, length) => {
        const { deepest, depth, values } = scanned(text, length)
        expect({ deepest, depth, values }).toEqual({
          deepest: depthOf(value),
          depth: 0,
          values: countOf(value) + emptyIn(value) - 1
        })
      })
    )
  })

  it("finds the marks of the outer levels, in any pieces", () => {
    fc.assert(
      fc.property(texts, lengths, fc.integer({ min: 0, max: 3 }), ({ text }, length, level) => {
        const scan = new JsonScan()
        const found: Array<number> = []
        let before = 0
        for (const piece of piecesOf(text, length)) {
          for (let at = scan.seek(piece, 0, level); at < piece.length; at = scan.seek(piece, at + 1, level))
            found.push(before + at)
          before += piece.length
        }
        expect(found).toEqual(marksOf(text, level))
      })
    )
  })

  it("does not count what is in strings, whatever is escaped there", () => {
    for (const text of ['[[["\\[[[,,,', "\\", '\\"', '"[', '\\\\"[,', '\u2028"', `${"a".repeat(100)}\\"[[`])
      for (const length of [1, 2, 3, 4, 70, 1000])
        expect(scanned(JSON.stringify(text), length)).toMatchObject({ values: 0, deepest: 0 })
  })

  it("begins anew with each line, where lines are texts of their own", () => {
    const scan = new JsonScan({ lines: true })
    for (const piece of ['[[["', "\\", '\n[1,2]\n"\\\n', "[]\n[", "[\n"]) scan.push(piece)
    expect(scan).toMatchObject({ values: 8, deepest: 3, depth: 0 })
  })
})

/** Where the marks of the outer levels are, told by what is left when strings are blanks. */
const marksOf = (text: string, level: number): ReadonlyArray<number> => {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) => "_".repeat(string.length))
  let depth = 0
  return [...bare].flatMap((character, at) => {
    if ("]}".includes(character)) depth--
    const here = depth
    if ("[{".includes(character)) depth++
    return "[]{},:".includes(character) && here <= level ? [at] : []
  })
}
