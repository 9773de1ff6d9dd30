import { describe, expect, it } from "vitest"
import { findActions } from "../../../src/policy/program/FindCommand.ts"
import { plainWord, unknownWord } from "../../../src/policy/shell/ShellWord.ts"

/** The words of a `find`; `?` is one that is not known, `??` may be many. */
const words = (text: string) =>
  text.split(" ").map((word) => (/^\?+$/.test(word) ? unknownWord(word, word === "??") : plainWord(word)))

const found = (text: string) => {
  const { commands, unknown, writes } = findActions(words(text))
  const names = commands.map((command) => command.map(({ text: word }) => word).join(" "))
  return { commands: names, writes: writes.map(({ text: file }) => file), unknown: unknown?.text }
}

describe("findActions", () => {
  it.each([
    ["find . -name -delete", []],
    ["find . -printf -name -delete", ["rm …"]],
    ["find . -fprintf out -exec -delete", ["rm …"]],
    ["find -L . src -newermt -delete -delete", ["rm …"]],
    ["find . ! ( -type f -o -empty ) -exec rm {} + -delete", ["rm {}", "rm …"]],
    ["find . -exec a + ; -execdir b {} ; -quit", ["a +", "b {}"]],
    ["find . -okdir a {} ;", ["a {}"]],
    ["find . -path ? -size +1k -user ? -print0", []]
  ])("reads %j as find does", (text, commands) => {
    expect(found(text)).toMatchObject({ commands, unknown: undefined })
  })

  it.each([
    ["find . -fprint a -fls b -fprint0 c", ["a", "b", "c"]],
    ["find . -fprintf a %p", ["a"]]
  ])("finds in %j the files it writes", (text, writes) => {
    expect(found(text)).toEqual({ commands: [], writes, unknown: undefined })
  })

  it.each([
    ["find ? -name x", "?"],
    ["find . -name ?? -print", "-name"],
    ["find . -nome x", "-nome"],
    ["find . -print src", "src"],
    ["find -D exec .", "-D"],
    ["find . -depth 1", "1"],
    // A word that is not known may be the end of the command.
    ["find . -exec a ? -delete ;", "-exec"],
    ["find . -exec a", "-exec"],
    ["find . -ok a {} + -delete ;", "-ok"]
  ])("is not sure about %j", (text, unknown) => {
    expect(found(text).unknown).toBe(unknown)
  })
})
