/** What commands do, and that what cannot be told is a command. */
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { shellActions, unwrapShell } from "../../src/actions/ShellActions.ts"
import { quoteShellWord } from "../../src/actions/ShellWords.ts"

describe("shellActions", () => {
  test.each([
    ["cat a | grep b", [{ type: "read", path: "a" }]],
    [
      "cat 'a file' b",
      [
        { type: "read", path: "a file" },
        { type: "read", path: "b" }
      ]
    ],
    ["head -n 20 a", [{ type: "read", path: "a" }]],
    ["head -20 a", [{ type: "read", path: "a" }]],
    ["tail -n20 -- -a", [{ type: "read", path: "-a" }]],
    ["sed -n '1,200p' src/a.ts", [{ type: "read", path: "src/a.ts" }]],
    ["sed -i 's/a/b/g' c", [{ type: "edit", path: "c" }]],
    ["/bin/cat a 2>/dev/null | wc -l", [{ type: "read", path: "a" }]],
    ["wc -l < a", [{ type: "read", path: "a" }]],
    [
      "cat a > b",
      [
        { type: "read", path: "a" },
        { type: "write", path: "b" }
      ]
    ],
    ["echo x >> b", [{ type: "edit", path: "b" }]],
    ["grep -rn x src", [{ type: "search", pattern: "x", path: "src" }]],
    ["grep -r x", [{ type: "search", pattern: "x" }]],
    ["grep -e x -A 3 a", [{ type: "search", pattern: "x", path: "a" }]],
    ["rg -g '*.ts' 'a b'", [{ type: "search", pattern: "a b" }]],
    ["rg --files src", [{ type: "list", path: "src" }]],
    ["git grep x", [{ type: "search", pattern: "x" }]],
    ["ls -la src | head", [{ type: "list", path: "src" }]],
    ["ls", [{ type: "list" }]],
    ["find . -name '*.ts' -not -path './a/*'", [{ type: "list", path: ".", pattern: "*.ts" }]],
    [
      "cd src && cat a && cat /b",
      [
        { type: "read", path: "src/a" },
        { type: "read", path: "/b" }
      ]
    ],
    ["cd src; ls", [{ type: "list", path: "src" }]],
    ["bash -lc 'cat a | grep b'", [{ type: "read", path: "a" }]],
    [`/bin/bash -lc "cd src && rg 'x'"`, [{ type: "search", pattern: "x", path: "src" }]]
  ])("%j", (text, actions) => {
    expect(shellActions(text)).toEqual(actions)
  })

  test.each([
    "npm test",
    "cat a && npm test",
    "cat $FILE",
    "cat *.ts",
    "find . -delete",
    "find . -exec rm {} +",
    "sort -o a b",
    "uniq a b",
    "rg --pre x y",
    "sed 's/a/b/w c' d",
    "sed -i '1e rm' c",
    "echo hi",
    "cat a | tee b",
    "./cat a",
    "cat a > $B",
    "fd x -x rm",
    "cd $A && cat b"
  ])("%j is a command", (command) => {
    expect(shellActions(command)).toEqual([{ type: "command", command }])
  })

  it("tells a command without the shell that it was given to", () => {
    expect(shellActions("/bin/bash -lc 'npm test'")).toEqual([{ type: "command", command: "npm test" }])
  })

  it("does not throw, and always tells something", () => {
    const words = fc.constantFrom(
      ..."cat grep rg find sed cd git bash -lc -n -e -- - | && > < ' \" $ a b".split(" "),
      " "
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((parts) => parts.join(" "))
        ),
        (text) => {
          expect(shellActions(text).length).toBeGreaterThan(0)
        }
      )
    )
  })
})

describe("unwrapShell", () => {
  it("gives back whatever text a shell is told to run", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const wrapped = `bash -lc ${quoteShellWord(text)}`
        expect(unwrapShell(wrapped)).toBe(unwrapShell(text))
      })
    )
  })
})
