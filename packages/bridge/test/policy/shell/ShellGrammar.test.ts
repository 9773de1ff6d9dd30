import { forEachChild, parse, type SyntaxNode } from "unbash"
import { describe, expect, it } from "vitest"
import { corpusTexts } from "../../../../../fuzz/policy/Corpus.ts"
import { unaccounted } from "../../../src/policy/shell/ShellGrammar.ts"

const left = (text: string): string | undefined => unaccounted(text, parse(text))

/** The commands of a tree, each by the number of its words. */
const shapeOf = (node: SyntaxNode): ReadonlyArray<number> => {
  const shape: Array<number> = node.type === "Command" ? [node.args.length] : []
  forEachChild(node, (child) => shape.push(...shapeOf(child)))
  return shape
}

describe("unaccounted", () => {
  it.each(corpusTexts("ordinary"))("finds nothing in %j", (text) => {
    expect(left(text)).toBeUndefined()
  })

  it("does not take the tree of one text for that of another", () => {
    for (const text of corpusTexts("ordinary")) {
      const tree = parse(text)
      const shape = shapeOf(tree)
      for (let at = 0; at < text.length; at++)
        for (const sign of [";", "$", "`", "\n", "&", "|", "<", "(", "'", '"', "\\", "#", " "]) {
          const other = text.slice(0, at) + sign + text.slice(at + 1)
          if (unaccounted(other, tree) === undefined) expect([other, shapeOf(parse(other))]).toEqual([other, shape])
        }
    }
  })

  it.each([
    ["ls 2<(rm x)", "2<(rm x)"],
    ["ls a &\\\n& rm", "\\\n& rm"],
    [`cat <<E\n\${x:-'$(rm x)'}\nE`, `\${x:-'$(rm x)'}\n`],
    ["cat <<E\na\\\nE\nb\nE", "<<"],
    ["for f; do ls; done", "for f; do ls; done"],
    ["((1))", "((1))"],
    ["a=([1]=x)", "([1]=x)"]
  ])("finds in %j what it does not know", (text, piece) => {
    expect(left(text)).toBe(piece)
  })
})
