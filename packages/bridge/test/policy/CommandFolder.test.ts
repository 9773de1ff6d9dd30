import { describe, expect, it } from "vitest"
import { foldersOf } from "../../src/policy/CommandFolder.ts"
import { readShellText } from "../../src/policy/shell/ShellText.ts"

const last = (text: string) => foldersOf("/w", text, readShellText(text).commands).at(-1)

describe("foldersOf", () => {
  it.each([
    ["ls", ["/w"]],
    ["ls; (ls); ls | cat", ["/w"]],
    ["cd a; ls", ["/w/a", "/w"]],
    ["cd a && ls", ["/w/a", "/w"]],
    ["cd /a && ls | cat", ["/a", "/w"]],
    ["cd a; cd b; ls", ["/w/a/b", "/w/b", "/w/a", "/w"]],
    ["pushd a; ls", ["/w/a", "/w"]],
    ["cd a; for f in *; do ls; done", ["/w/a", "/w"]]
  ])("follows %j", (text, folders) => {
    expect(last(text)).toEqual(folders)
  })

  it.each([
    ...[
      "(cd a; ls)",
      "cd a & ls",
      "cd a | ls",
      "cd a || ls",
      "if cd a; then ls; fi",
      "while cd a; do ls; done",
      "{ cd a; }; ls"
    ],
    ...[
      "cd -; ls",
      "cd -P a; ls",
      "cd $x; ls",
      "cd a b; ls",
      "popd; ls",
      "command cd a; ls",
      "bash -c 'cd a; ls'",
      "eval 'cd a'; ls"
    ],
    ...["f() { cd a; }; f; ls", "ls $(cd a; ls)", "chdir a; ls", "! cd a; ls", "cd a; cd b; cd c; cd d; ls"]
  ])("does not claim to follow %j", (text) => {
    expect(last(text)).toBeUndefined()
  })
})
