import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { matchItems, matchOf } from "../../src/policy/Match.ts"
import { readShellText, type ShellCommand } from "../../src/policy/ShellText.ts"
import { makeStubs, runInBash } from "./RealBash.ts"
import { mutated, programs, spellings, syntax, wrapped } from "./Wrappings.ts"

const found = (text: string): ReadonlyArray<string> =>
  readShellText(text).commands.map(({ words }) => words.map(({ text: word, value }) => value ?? word).join(" "))

describe("readShellText", () => {
  it.each([
    ["a; b && c || d | e & f", ["a", "b", "c", "d", "e", "f"]],
    ["find . -exec rm {} \\; -ok mv {} x +", ["find . -exec rm {} ; -ok mv {} x +", "rm {}", "mv {} x +"]],
    ["find . -name x -delete", ["find . -name x -delete", "rm …"]],
    ["ls | xargs -0 -n 1 rm -f", ["ls", "xargs -0 -n 1 rm -f", "rm -f …"]],
    [
      "env -u A x=1 nice -n 5 timeout -s KILL 3 rm x",
      [
        "env -u A x=1 nice -n 5 timeout -s KILL 3 rm x",
        "nice -n 5 timeout -s KILL 3 rm x",
        "timeout -s KILL 3 rm x",
        "rm x"
      ]
    ],
    ["sudo -u me -- rm x", ["sudo -u me -- rm x", "rm x"]],
    ["bash -euo pipefail -c 'rm x' name", ["bash -euo pipefail -c rm x name", "rm x"]],
    ["eval 'rm' x", ["eval rm x", "rm x"]],
    ["ssh host 'cd x; rm y'", ["ssh host cd x; rm y", "cd x", "rm y"]],
    ["bash scripts/x.sh -c rm", ["bash scripts/x.sh -c rm", "scripts/x.sh -c rm"]]
  ])("finds in %j every command", (text, commands) => {
    expect(found(text)).toEqual(commands)
  })

  it.each([
    [
      "ls > out 2>> err < in",
      [
        ["write", "out"],
        ["write", "err"],
        ["read", "in"]
      ]
    ],
    ["{ ls; } &> out", [["write", "out"]]],
    [
      "ls <> both",
      [
        ["read", "both"],
        ["write", "both"]
      ]
    ],
    ["ls >| out 2>&1 3>&- > /dev/null", [["write", "out"]]],
    ["find . -fprint out", [["write", "out"]]],
    ["> out", [["write", "out"]]]
  ])("finds in %j the files that are opened", (text, files) => {
    expect(readShellText(text).files.map(({ access, path }) => [access, path])).toEqual(files)
  })

  it.each([
    // What cannot be parsed.
    ...["ls )", "ls '", "ls $(", "ls <<E\nx", "if ls", "ls ;; ls", "x=(a $(ls))b", "ls a<(ls)b"],
    // What is not known before it runs.
    ...["$a x", "r$b x", "{ls,x}", "/bin/l?", "`ls`", 'bash -c "$x"', "eval $x", "xargs -I{} sh -c {}", "ls | bash"],
    ...["bash < x", "bash <<E\n$x\nE", "find $x", "find . -exec sh -c 'ls {}' \\;", "ls > $x", "ls >&x", "env $x ls"],
    // What changes the meaning of names.
    ...[
      "ls() { :; }",
      "PATH=. ls",
      "LD_PRELOAD=x ls",
      "FOO=1; ls",
      "export PATH=.",
      "env GIT_SSH=x ls",
      "path=(.); ls"
    ],
    ...[
      "alias ls=x; ls",
      "hash -p x ls",
      "enable -f x ls",
      "source x",
      ". x",
      "trap ls EXIT",
      "for PATH in .; do ls; done"
    ],
    ...[
      "read PATH",
      "printf -v PATH x",
      "declare -n a=PATH",
      "unset PATH",
      `\${PATH:=x}`,
      "ls {PATH}> x",
      "shopt -s x"
    ],
    // Where bash evaluates what it is given.
    ...[
      "echo $((x))",
      `echo \${a[x]}`,
      `echo \${a:x}`,
      "(( x ))",
      "a[x]=1",
      "[[ x -eq 1 ]]",
      "[[ -v x ]]",
      `echo \${x@P}`
    ],
    ...["test -v x", "[ -v x ]", "let x", "declare -i x=y", `echo \${!x}`, "mapfile -C ls", "echo $[x]"],
    // Options that are not understood, or run a program.
    ...[
      "sudo -i",
      "sudo --x ls",
      "env -S 'ls x'",
      "timeout --x 1 ls",
      "xargs -J % ls",
      "bash +e -c ls",
      "bash --rcfile x"
    ],
    ...["git -c a=b status", "git --exec-path=x status", "rg --pre x y", "tar --to-comm=x -xf y", "tar -xIx -f y"],
    ...[
      "fd -x ls",
      "rsync -avze ls a b",
      "rg $x",
      "ssh -o ProxyCommand=x h ls",
      "su -c ls",
      "parallel ls",
      "watch -x ls"
    ],
    // What other shells read differently.
    ...[
      "sh -c 'ls &> x'",
      "sh -c '[[ a || ls ]]'",
      "sh -c \"ls \\$'\\\\'; ls '\"",
      "sh -c 'ls <(ls)'",
      "zsh -c 'ls <<< x'"
    ],
    ...[
      "echo @(a|b)",
      "ls\r\nls",
      "ls \u0007",
      "a".repeat(70_000),
      "=ls x",
      "- ls x",
      "bash /dev/stdin <<< ls",
      "sh /proc/self/fd/0"
    ]
  ])("is not sure about %j", (text) => {
    expect(readShellText(text).doubts).not.toEqual([])
  })

  it.each([
    ...["ls", "ls -la 'a b' \"$x\" $y *.ts {a,b} ~ ~/x", "x=1; ls $x", 'for f in *; do ls "$f"; done', "ls 2>&1 | ls"],
    ...[
      "if [ -f x ]; then ls; else ls; fi",
      "while read -r line; do ls; done",
      "[[ $x == y && -f z ]]",
      "echo $((1 + 2))"
    ],
    ...[
      "cat <<'E'\n$(x) `y`\nE",
      "cat <<E\n$x $(ls)\nE",
      "echo 'a `b` $(c)'",
      "LC_ALL=C ls",
      "NODE_ENV=test ls",
      "time ls"
    ],
    ...[
      `echo "\${x:-y}" \${#x} \${x%y} \${x//a/b} \${a[@]} \${a[1]} \${x:1:2}`,
      "git switch -c x",
      'find . -name "$x"',
      "! ls"
    ],
    ...[
      "set -euo pipefail",
      "bash -lc 'ls; ls'",
      "sh -c 'ls | ls'",
      "cd x && ls",
      "case $x in a|b) ls;; *) ls;; esac",
      "# ls"
    ],
    ...["ls # it's fine", "ls \\\n  -la", "export FORCE_COLOR=1", "IFS= read -r x", "command -v ls", "ls > >(ls)"]
  ])("is sure about %j", (text) => {
    expect(readShellText(text).doubts).toEqual([])
  })

  it("says that files are elsewhere after cd", () => {
    expect(readShellText("cd x; ls > y").doubts).toEqual(["the folder may be another one for y"])
    expect(readShellText("cd x; ./run.sh").doubts).toEqual(["the folder may be another one for ./run.sh"])
    expect(readShellText("cd x; /bin/ls > /y").doubts).toEqual([])
  })

  it("never fails, whatever the text", () => {
    const text = wrapped(fc.constant("rm x"), { ...syntax, ...programs })
    fc.assert(
      fc.property(fc.oneof(mutated(text), fc.string({ unit: "binary" }), fc.string()), (script) => {
        readShellText(script)
      }),
      { numRuns: 1500 }
    )
    for (const deep of ["(", "$(", "`", "{ ", '"$(', "<(", "if ", "$[", "{a,", "case x in ", "cat <<E <<"])
      for (const times of [150, 400, 20_000]) readShellText(deep.repeat(times))
  })
})

/** Whether one of the commands is this call, as far as its words are known. */
const isListed = (call: ReadonlyArray<string>, commands: ReadonlyArray<ShellCommand>): boolean =>
  commands.some(({ words }) => {
    const steps = words.map(({ many, value }) =>
      many ? ("many" as const) : (item: string) => matchOf(value === undefined || value === item)
    )
    return matchItems(steps, call, { isMany: () => false, mayBeSkipped: () => false }) === "yes"
  })

describe("everything that the real bash runs", () => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-policy-"))
  beforeAll(() => makeStubs(folder))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const args = ["", " x", ' "a b"', " 'q'", " $x y", " *", " {a,b}", " -n \\\n z", " a#b"]
  const call = fc
    .tuple(fc.constantFrom(...spellings), fc.constantFrom("beta", "gamma"), fc.constantFrom(...args))
    .map(([spell, name, words]) => spell(name) + words)
  const scripts = wrapped(call, { ...syntax, ...programs })

  /** Runs the scripts that are understood, and counts the calls. */
  const compare = async (texts: fc.Arbitrary<string>, numRuns: number): Promise<number> => {
    let calls = 0
    await fc.assert(
      fc.asyncProperty(texts, async (script) => {
        const { commands, doubts } = readShellText(script)
        if (doubts.length > 0) return
        const ran = await runInBash(folder, script)
        calls += ran.length
        expect(ran.filter((each) => !isListed(each, commands))).toEqual([])
      }),
      // The same texts at each run: what only another million would find must not fail the build of somebody else.
      { numRuns, seed: 20 }
    )
    return calls
  }

  it("is listed, or there is a doubt", async () => {
    expect(await compare(scripts, 150)).toBeGreaterThan(60)
  })

  it("is listed, or there is a doubt, in texts that were damaged", async () => {
    expect(await compare(mutated(scripts), 300)).toBeGreaterThan(20)
  })
})
