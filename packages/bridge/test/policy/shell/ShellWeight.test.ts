import { describe, expect, it } from "vitest"
import { readShellText } from "../../../src/policy/shell/ShellText.ts"
import { marksOf, maxLength, maxMarks } from "../../../src/policy/shell/ShellWeight.ts"

const pieces = [
  ..."$( ` (( $(( ( [ <( ' \" \"$( $' \\ # a; a| a&& $x $(a) `a` {a, {a,b} {1..2} * [a] x=( x[1]= $[ { } ) é ;; <<< f() ?(".split(
    " "
  ),
  ...[
    `\${x}`,
    "if a;then ",
    "case x in ",
    "for a in b;do ",
    "a ",
    "a>b ",
    "\n",
    "\\\n",
    "<<E ",
    "<<'E'\n",
    "cat <<E\nE\n",
    "coproc ",
    "! ",
    "time "
  ],
  ...[
    "eval ",
    "bash -c ",
    "env ",
    "find . -exec ",
    "xargs ",
    `\${x:-`,
    `"\${`,
    "[[ ( ",
    "((1+",
    "a \\\n",
    "# a\n",
    "[[ a == "
  ]
]

/** The time of the fastest of three readings. */
const timeOf = (text: string): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const start = performance.now()
      readShellText(text)
      return performance.now() - start
    })
  )

describe("a reading", () => {
  it("costs little, whatever is repeated, and whatever follows it", () => {
    const fill = (piece: string, length: number): string =>
      piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
    // As many commands as a text may have. A machine that is busy is so for this one, too.
    const most = timeOf(fill("a;", maxMarks * 2))
    for (const piece of pieces)
      for (const [count, length] of [
        [maxLength, maxLength],
        [9, maxLength],
        [36, 16_384],
        [146, 4096]
      ] as const) {
        const text = fill(piece, Math.min(length, count * piece.length))
        const time = timeOf(text + fill("a ", length - text.length))
        expect([piece, count, time < most * 15 + 20]).toEqual([piece, count, true])
      }
  })

  it("adds up the texts within texts", () => {
    const text = `eval ${"a ".repeat(maxMarks / 2 - 10)}`
    expect(readShellText(text).doubts).toEqual([])
    expect(readShellText(`eval ${text}`).doubts).toEqual(["too long, or too deep"])
  })

  it("does not mind what a quoted here-document holds", () => {
    const text = `cat <<'E' > x.ts\n${"const a = [{ b: `$(c)` }]\n".repeat(2000)}E\nls`
    expect(marksOf(text)).toBeUndefined()
    expect(readShellText(text)).toMatchObject({ commands: [{}, {}], files: [{ path: "x.ts" }], doubts: [] })
  })
})
