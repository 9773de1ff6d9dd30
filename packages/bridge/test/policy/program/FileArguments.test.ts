import { describe, expect, it } from "vitest"
import { readArguments } from "../../../src/policy/program/FileArguments.ts"
import { programTable } from "../../../src/policy/program/ProgramTable.ts"
import { readShellText } from "../../../src/policy/shell/ShellText.ts"

/** The files of a command: `<` is read, `>` written, `!` written although the program only reads, `/` all below. */
const filesOf = (text: string): ReadonlyArray<string> => {
  const words = readShellText(text).commands[0]?.words ?? []
  const { files } = readArguments(words[0]?.value ?? "", words)
  return files.map(({ access, isSearch, unexpected, word }) => {
    const sign = access === "read" ? "<" : unexpected === undefined ? ">" : "!"
    return `${sign}${word.value ?? word.text}${isSearch === true ? "/" : ""}`
  })
}

const doubtsOf = (text: string): ReadonlyArray<string> => readShellText(text).doubts

describe("readArguments", () => {
  it.each([
    ["cat a -n b", ["<a", "<b"]],
    ["cat -- -n", ["<-n"]],
    ["cat - a", ["<a"]],
    ["cat <(ls) a", ["<a"]],
    ["head -n 5 a", ["<a"]],
    ["grep x a b", ["<a", "<b"]],
    ["grep -e x a", ["<a"]],
    ["grep -fp a", ["<a", "<p"]],
    ["grep -r x", ["<./"]],
    ["grep -rn x a", ["<a/"]],
    ["rg x a", ["<a/"]],
    ["rg --files a", ["<a/"]],
    ["sort -o b a", ["<a", "!b"]],
    ["sort -uob a", ["<a", "!b"]],
    ["sort --outp=b a", ["<a", "!b"]],
    ["sed -n p a", ["<a"]],
    ["sed -i p a", ["<a", "!a"]],
    ["sed -e p a", ["<a"]],
    ["awk -F: '{print $1}' a", ["<a"]],
    ["uniq a b", ["<a", "!b"]],
    ["split a b", ["<a", ">b"]],
    ["cp a b", ["<a", ">b", ">b/a"]],
    ["cp -t d x/a b", ["<x/a", "<b", ">d", ">d/a", ">d/b"]],
    ["cp -r a b", ["<a/", ">b/", ">b/a"]],
    ["mv a b", ["<a", ">a", ">b", ">b/a"]],
    ["tee -a a", [">a"]],
    ["dd if=a of=b bs=1", ["<a", ">b"]],
    ["chmod +x a", [">a"]],
    ["rm -rf a", [">a/"]],
    ["tar cf a b", ["<b/", ">a", "<a"]],
    ["tar -xf a", [">./", "<a"]],
    ["tar tf a", ["<a"]],
    ["curl -d @a -o b http://x", ["<a", "!b"]],
    ["curl file:///a", ["</a"]],
    ["curl -F x=@a http://x", ["<a"]],
    ["jq . a", ["<a"]],
    ["jq --slurpfile n a . b", ["<b", "<a"]],
    ["gzip a", ["<a", ">a"]],
    ["gzip -c a", ["<a"]],
    ["wget -qO a http://x", ["<http://x", ">./", ">a"]],
    ["xargs -a a echo", ["<a"]],
    ["find . -files0-from a", ["<a"]],
    ["ls a", []],
    ["echo a", []],
    ["apply_patch '*** Begin Patch\n*** Delete File: a\n*** End Patch'", [">a"]]
  ])("finds the files of %j", (text, files) => {
    expect(filesOf(text)).toEqual(files)
  })

  it.each([
    ...[
      "tar cIf x y",
      "tar -cIx",
      "tar --use-comp x -cf y",
      "tar cf host:x y",
      "tar cF x",
      "git grep -O x",
      "git grep -iOless x"
    ],
    ...[
      "git grep --open x",
      "git -c x=y log",
      "git -C . -c x=y log",
      "git --exec-path=. log",
      "git log --format=%G?",
      "git fetch ext::ls"
    ],
    ...[
      "rg --pre x y",
      "rg --pr=x y",
      "sort --compress-prog=x",
      "split --filter=x a",
      "zip -T x a",
      "man -Px y",
      "rsync -e x a b"
    ],
    ...[
      "fd -x ls",
      "less +!ls a",
      "sed -f a b",
      "awk -f a b",
      "sed 'w x' a",
      "git submodule foreach ls",
      "git bisect run ls"
    ],
    ...[
      "curl -K a",
      "wget -e x y",
      "sort $x",
      "tar $x",
      "git log $x",
      "git $x",
      "cat --unheard-of a",
      "git log --unheard-of"
    ]
  ])("does not claim to understand %j", (text) => {
    expect(doubtsOf(text)).not.toEqual([])
  })

  it.each([
    ...[
      "cat $x",
      "grep $x a",
      "ls $x",
      "sort -- $x",
      "sort a*",
      "tar cf a b",
      "tar -czf a b",
      "tar xzf a",
      "git -C . log"
    ],
    ...[
      "git log --oneline -5",
      "git log -p --stat -M",
      "git config --get x",
      "git submodule status",
      "grep -in --color=auto x a"
    ],
    ...[
      "ls -la --color",
      "cp --unheard-of a b",
      "sed -n '1,5p' a",
      "head -c5 a",
      "tail -5 a",
      "curl -fsSL http://x",
      "rg -n -g '*.ts' x"
    ]
  ])("understands %j", (text) => {
    expect(doubtsOf(text)).toEqual([])
  })

  it("has only lines of options that can be read", () => {
    for (const [name, row] of Object.entries(programTable))
      for (const token of row.options.split(/\s+/).filter((each) => each !== ""))
        expect(token, name).toMatch(/^(-[^-=?!]+|--[\w.-]+)((==|[=?!])([a-z]+(\+[a-z]+)*)?)?$/)
  })
})
