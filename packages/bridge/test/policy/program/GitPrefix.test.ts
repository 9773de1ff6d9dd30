/** What may stand before a command of git without changing it. */
import { describe, expect, it } from "vitest"
import { withoutGitPrefix } from "../../../src/policy/program/GitPrefix.ts"
import { plainWord } from "../../../src/policy/shell/ShellWord.ts"

const cwd = "/home/ada/project"
const stripped = (text: string) =>
  withoutGitPrefix(text.split(" ").map(plainWord), cwd)
    ?.map(({ value }) => value)
    .join(" ")

describe("what stands before a command of git", () => {
  it.each([
    ["git --no-pager log -1", "git log -1"],
    ["git -P --no-optional-locks status", "git status"],
    ["git -C . status", "git status"],
    [`git -C ${cwd}/ --no-pager log`, "git log"],
    ["/usr/bin/git -C ./ log", "/usr/bin/git log"]
  ])("changes nothing: %s", (text, plain) => {
    expect(stripped(text)).toBe(plain)
  })

  it.each([
    "git -C vendor status",
    "git -C .. status",
    "git -C /etc status",
    "git -C ./vendor status",
    "git -c core.pager=x log",
    "git --paginate log",
    "git --git-dir=. log",
    "git log --no-pager",
    "hg --no-pager log"
  ])("may change something: %s", (text) => {
    expect(stripped(text)).toBeUndefined()
  })

  it("is kept from the first word on that is not known", () => {
    const unknown = { text: "$x", value: undefined, many: false }
    expect(withoutGitPrefix([plainWord("git"), unknown, plainWord("log")], cwd)).toBeUndefined()
    expect(withoutGitPrefix([plainWord("git"), plainWord("-C"), unknown, plainWord("log")], cwd)).toBeUndefined()
    expect(stripped("git --no-pager -C vendor log")).toBe("git -C vendor log")
  })
})
