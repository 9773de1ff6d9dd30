import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { corpusTexts } from "../../../../../fuzz/policy/Corpus.ts"
import { matchItems, matchOf } from "../../../src/policy/Match.ts"
import { builtins, folderChangers, opaquePrograms } from "../../../src/policy/program/Programs.ts"
import { wrappers } from "../../../src/policy/program/Wrappers.ts"
import { readShellText, type ShellCommand } from "../../../src/policy/shell/ShellText.ts"
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

  it.each([...corpusTexts("doubtful"), "a".repeat(70_000)])("is not sure about %j", (text) => {
    expect(readShellText(text).doubts).not.toEqual([])
  })

  it.each(corpusTexts("ordinary"))("is sure about %j", (text) => {
    expect(readShellText(text).doubts).toEqual([])
  })

  it("knows every command of bash's own", () => {
    const own = execFileSync("/bin/bash", ["-c", "compgen -b"], { encoding: "utf8" }).trim().split("\n")
    const evaluateNothing =
      ": break continue dirs echo exit false help kill logout pwd return shift times true type ulimit umask"
    const tables = [...opaquePrograms, ...folderChangers, ...Object.keys(builtins), ...Object.keys(wrappers)]
    const known = [...tables, ...evaluateNothing.split(" ")]
    expect(own.filter((name) => !known.includes(name))).toEqual([])
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
