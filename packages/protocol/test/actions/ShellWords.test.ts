/** Shell text is read as a shell would, or not at all. */
import { execFileSync } from "node:child_process"
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { quoteShellWord, readShell } from "../../src/actions/ShellWords.ts"

const wordsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> | undefined =>
  readShell(text)?.map(({ words }) => words.map(({ text }) => text))

/** A text that a shell can be given. */
const shellText = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""))

/** Texts with many signs that mean something to a shell. */
const signs = fc
  .array(fc.constantFrom(..."abc '\"\\$`|&;<>(){}[]*?~#!=\n\t-1".split(""), "&&", "||", "2>&1", "<<", "bash -lc "))
  .map((parts) => parts.join(""))

/** Texts that are mostly quotes. */
const quoting = fc
  .array(fc.constantFrom(..."abc   ''\"\"\\$#-".split(""), "'a b'", '"a $"', "\\\n", '"\\""'), { minLength: 1 })
  .map((parts) => parts.join(""))

describe("readShell", () => {
  it("does not throw, whatever the text is", () => {
    fc.assert(fc.property(fc.oneof(shellText, signs), (text) => void readShell(text)))
  })

  it("reads back every word that was quoted", () => {
    fc.assert(
      fc.property(fc.array(shellText), (words) => {
        expect(wordsOf(["echo", ...words.map(quoteShellWord)].join(" "))).toEqual([["echo", ...words]])
      })
    )
  })

  it("gives the words that bash gives a program", () => {
    let compared = 0
    fc.assert(
      fc.property(quoting, (text) => {
        const [command, ...more] = readShell(`printf '%s\\0' ${text}`) ?? []
        // What bash would put something else for, and more than one command, is not comparable.
        if (command === undefined || more.length > 0 || command.redirections.length > 0) return
        if (command.words.length < 3 || !command.words.every(({ literal }) => literal)) return
        const said = execFileSync("bash", ["--norc", "-c", `printf '%s\\0' ${text}`], {
          encoding: "utf8",
          env: {},
          stdio: ["ignore", "pipe", "pipe"]
        })
        compared++
        expect(said.split("\0").slice(0, -1)).toEqual(command.words.slice(2).map(({ text }) => text))
      }),
      { numRuns: 60 }
    )
    expect(compared).toBeGreaterThan(10)
  })

  test.each([
    ["a | b && c || d ; e & f", ["", "|", "&&", "||", ";", "&"]],
    ["a |\n b", ["", "|"]],
    ["a\n\nb # c; d\n", ["", ";"]]
  ] as const)("tells how the commands of %j are joined", (text, joints) => {
    expect(readShell(text)?.map(({ joint }) => joint)).toEqual(joints)
  })

  test.each([
    ["a < in > out 2>> log", ["< in", "> out", ">> log"]],
    ["a 2>&1 >/dev/null", ["> /dev/null"]],
    ["a &> both", ["> both"]],
    ["a >& both", ["> both"]]
  ] as const)("tells the files of %j", (text, files) => {
    const [command] = readShell(text) ?? []
    expect(command?.redirections.map(({ operator, target }) => `${operator} ${target.text}`)).toEqual(files)
  })

  test.each([
    "cat $(ls)",
    "cat `ls`",
    "cat <<EOF\nx\nEOF",
    "(cd a; ls)",
    "for f in a; do cat $f; done",
    "echo 'never closed",
    'echo "never closed',
    "a |",
    "| a",
    "a && ",
    "A=b c",
    "diff <(a) <(b)",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    "cat ${A:-b}",
    "echo $'a'",
    "f() { ls; }"
  ])("does not pretend to understand %j", (text) => {
    expect(readShell(text)).toBeUndefined()
  })

  test.each(["*.ts", "$HOME", "~/a", "a?", '"$A"', "{a,b}", "[ab]"])("says that %s is no word as it is", (word) => {
    expect(readShell(`cat ${word}`)?.[0]?.words[1]?.literal).toBe(false)
  })
})
