import { parse } from "unbash"
import { describe, expect, it } from "vitest"
import { areBodies, bodiesOf, quieted, textWithout } from "../../../src/policy/shell/HereDocs.ts"

const bodies = (text: string) => bodiesOf(text, parse(text))?.map(({ end, pos }) => text.slice(pos, end))

describe("bodiesOf", () => {
  it.each([
    ["cat <<E\na\nE\nls", ["a\nE"]],
    ["cat <<'A' <<-B\na\nA\n\tb\n\tB\nls", ["a\nA", "\tb\n\tB"]],
    ["cat <<E\nE", ["E"]],
    ['a "$(cat <<E\nb\nE\n)"', ["b\nE"]],
    ["ls", []]
  ])("finds them in %j", (text, found) => {
    expect(bodies(text)).toEqual(found)
  })

  it.each([
    "cat <<E\na",
    "cat <<E 'a\nb'\nc\nE",
    "cat <<E \\\n&& ls\na\nE",
    "cat <<E$x\na\nE$x",
    "cat <<$(x)\na\n$(x)",
    "a $(cat <<E)\nb\nE"
  ])("is not sure where they are in %j", (text) => {
    expect(bodies(text)).toBeUndefined()
  })

  it("leaves them out of a text", () => {
    const text = "cat <<E && ls\na\nE\nls"
    expect(textWithout(bodiesOf(text, parse(text)) ?? [], text, 0, text.length)).toBe("cat <<E && ls\n\nls")
  })
})

describe("quieted", () => {
  it("makes dots of a body in which nothing means anything, and of nothing else", () => {
    const text = "cat <<'E' > x\n$(a)\nb\nE\ncat <<E\n$(a)\nE\n"
    const quiet = quieted(text)
    expect(quiet.text).toBe("cat <<'E' > x\n......\nE\ncat <<E\n$(a)\nE\n")
    expect(areBodies(quiet.bodies, parse(quiet.text))).toBe(true)
  })

  it("is found out where it was no here-document", () => {
    const quiet = quieted("echo \"<<'E'\n$(rm x)\nE\n\"")
    expect(quiet.bodies).toHaveLength(1)
    expect(areBodies(quiet.bodies, parse(quiet.text))).toBe(false)
  })
})
