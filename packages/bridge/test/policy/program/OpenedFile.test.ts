import { describe, expect, it } from "vitest"
import {
  anyFile,
  below,
  everythingHere,
  type OpenedFile,
  optionDoubts,
  optionFiles,
  reading,
  writing,
  writingBy
} from "../../../src/policy/program/OpenedFile.ts"
import { optionsFrom, readOptions } from "../../../src/policy/program/ProgramOptions.ts"
import { readShellText } from "../../../src/policy/shell/ShellText.ts"
import { plainWord } from "../../../src/policy/shell/ShellWord.ts"

/** A program with an option of every kind. */
const options = optionsFrom("-abc -f=read -l=list -o=write -d=at --cookie=at -x=run --output=write")

const read = (text: string) => readOptions(options, readShellText(`frob ${text}`).commands[0]?.words.slice(1) ?? [])

/** `<` is read, `>` written, `!` written although the program only reads, with the option it is by. */
const shown = ({ access, unexpected, word }: OpenedFile): string =>
  `${access === "read" ? "<" : unexpected === undefined ? ">" : `!${unexpected.option} `}${word.value ?? word.text}`

describe("the files that options name", () => {
  const filesOf = (text: string, isWriter = false) => optionFiles(read(text).given, isWriter).map(shown)

  it.each([
    ["-a x", []],
    ["-f p", ["<p"]],
    ["-fp", ["<p"]],
    ["-l names", ["<names", "<…"]],
    ["-o out", ["!-o out"]],
    ["--output=out", ["!--output=out out"]],
    ["-d @p", ["<p"]],
    ["-d name=@p;type=x", ["<p"]],
    ["-d 'a<p,b'", ["<p"]],
    ["-d plain", []],
    ["--cookie jar", ["<jar"]],
    ["--cookie a=b", []],
    ["-d $x", ["<…"]]
  ])("of %j", (text, files) => {
    expect(filesOf(text)).toEqual(files)
  })

  it("are written as expected where the program writes", () => {
    expect(filesOf("-o out", true)).toEqual([">out"])
  })
})

describe("why options are not understood", () => {
  const doubtsOf = (text: string, isWriter = false) => optionDoubts("frob", options, read(text), isWriter)

  it("is a program that they run, one that is not listed, or one that may turn out to be any", () => {
    expect(doubtsOf("-a -o out p")).toEqual([])
    expect(doubtsOf("-x cmd")).toEqual(["frob may run another program: -x"])
    expect(doubtsOf("-z")).toEqual(["an option of frob that is not known here: -z"])
    expect(doubtsOf("$x")).toEqual(["frob may run another program, or write a file: $x"])
  })

  it("is less of a program that writes anyway", () => {
    expect(doubtsOf("-z", true)).toEqual([])
    const harmless = optionsFrom("-a -o=write")
    const unsure = readOptions(harmless, readShellText("frob $x").commands[0]?.words.slice(1) ?? [])
    expect(optionDoubts("frob", harmless, unsure, false)).toHaveLength(1)
    expect(optionDoubts("frob", harmless, unsure, true)).toEqual([])
  })
})

describe("a file", () => {
  it("is read, written, written unexpectedly, or all below it", () => {
    const [file, option] = [plainWord("a"), plainWord("-o")]
    expect([reading(file), writing(file)].map(({ access }) => access)).toEqual(["read", "write"])
    expect(writingBy(file, option)).toEqual({ access: "write", word: file, unexpected: { option: "-o" } })
    expect(writingBy(file, undefined).unexpected).toEqual({ option: undefined })
    expect(below(reading(file))).toEqual({ access: "read", word: file, isSearch: true })
  })

  it("may be any, or everything here", () => {
    expect([anyFile.value, anyFile.many, everythingHere.value]).toEqual([undefined, true, "."])
  })
})
