import { describe, expect, it } from "vitest"
import { readArguments } from "../../../src/policy/program/FileArguments.ts"
import { gitTable } from "../../../src/policy/program/GitTable.ts"
import { readShellText } from "../../../src/policy/shell/ShellText.ts"

const filesOf = (text: string): ReadonlyArray<string> => {
  const { files } = readArguments("git", readShellText(text).commands[0]?.words ?? [])
  return files.map(({ access, folder, isFromRoot, unexpected, word }) => {
    const sign = access === "read" ? "<" : unexpected === undefined ? ">" : "!"
    return `${folder === undefined ? "" : `${folder.value}:`}${sign}${word.value ?? "?"}${isFromRoot === true ? "^" : ""}`
  })
}

/** Everything in the repository. */
const all = "<.^"

describe("git", () => {
  it.each([
    ["git show HEAD:a", ["<a^"]],
    ["git show :a", ["<a^"]],
    ["git show :0:a", ["<a^"]],
    ["git show HEAD:a HEAD~1:b", ["<a^", "<b^"]],
    ["git -C d show HEAD:a", ["d:<a^"]],
    ["git show", [all]],
    ["git show HEAD", ["<HEAD^", all]],
    ["git show :/text", ["<?^"]],
    ["git show --stat", []],
    ["git show -s HEAD", []],
    ["git show --stat -p", [all]],
    ["git diff", [all]],
    ["git diff -- a b", ["<a", "<b"]],
    ["git diff HEAD -- a", ["<HEAD^", "<a"]],
    ["git diff 4b825dc -- a", ["<4b825dc^", "<a", all]],
    ["git diff -- ':(glob)**'", ["<?"]],
    ["git diff --no-index a b", ["<a", "<b"]],
    ["git diff --name-only", []],
    ["git log a", []],
    ["git log -p -- a", ["<a"]],
    ["git log -L1,2:a", ["<a"]],
    ["git log -Oa", ["<a"]],
    ["git log --output=a", ["!a"]],
    ["git log --output a -- b", ["!a"]],
    ["git grep x -- a", ["<a"]],
    ["git grep x", [all]],
    ["git grep -e x -- a", ["<a"]],
    ["git blame a", ["<a"]],
    ["git cat-file -p HEAD:a", ["<a^"]],
    ["git cat-file -t HEAD", []],
    ["git status", []],
    ["git status -v", [all]],
    ["git add a", ["<a"]],
    ["git commit -F a", ["<a"]],
    ["git checkout -- a", [">a"]],
    ["git archive -o a HEAD:b", ["<b^", ">a"]],
    ["git branch x", []]
  ])("opens by %j", (text, files) => {
    expect(filesOf(text)).toEqual(files)
  })

  it("has only lines of options that can be read", () => {
    for (const [name, row] of Object.entries(gitTable))
      for (const token of row.options.split(/\s+/).filter((each) => each !== ""))
        expect(token, name).toMatch(/^(-[^-=?!]+|--[\w.-]+)((==|[=?!])([a-z]+(\+[a-z]+)*)?)?$/)
  })
})
