import { parse } from "unbash"
import { describe, expect, it } from "vitest"
import { isPlainWord } from "../../../src/policy/shell/ShellQuoting.ts"

/** Whether the one argument of `a` is plain. */
const isPlain = (text: string): boolean => {
  const source = `a ${text}`
  const command = parse(source).commands[0]?.command
  if (command?.type !== "Command") throw new Error("no command")
  const [word] = command.suffix
  if (word?.type !== "Word") throw new Error("no word")
  return isPlainWord(source, word, "bare")
}

describe("isPlainWord", () => {
  it.each([
    ...[
      "a",
      "'a $(b)'",
      '"a $b $(c) 5$"',
      "$'a\\n\\x41'",
      "\\$a",
      "a$",
      "$x",
      "$1",
      "$(a b)",
      "`a b`",
      "<(a)",
      "{a,b}",
      "a*[b]?"
    ],
    ...[
      `\${x}`,
      `\${x:-a b}`,
      `"\${x:-$(a)}"`,
      `\${x:-"a"}`,
      `\${x//\\//-}`,
      `\${#x}`,
      `\${a[1]}`,
      `\${x:1:2}`,
      "$((1+(2)))"
    ]
  ])("knows %j", (text) => {
    expect(isPlain(text)).toBe(true)
  })

  it.each([
    ...[
      "2<(a)",
      '$"a"',
      "$'\\u41'",
      "$'\\xff'",
      "$[1]",
      "$((x))",
      "$((1) | (2))",
      "`a \\`b\\``",
      "{,$}[a]",
      "{a,$(b)}"
    ],
    ...[
      `"\${x:-'$(a)'}"`,
      `"\${x:-$'$(a)'}"`,
      `"\${x:-"a"}"`,
      `\${x:-<(a)}`,
      `\${x@P}`,
      `\${!x}`,
      `\${a[x]}`,
      `\${x:y}`,
      "@(a)",
      "a\\\nb"
    ]
  ])("does not know %j", (text) => {
    expect(isPlain(text)).toBe(false)
  })
})
