/** The scripts of `agentwire completions`, and a real bash that is asked what it would complete. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { commands } from "../../src/commands/index.ts"
import { topics } from "../../src/help/Topics.ts"
import { run } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-completions-"))
const script = join(folder, "agentwire.bash")
beforeAll(async () => writeFileSync(script, (await run(["completions", "bash"])).out))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Calls what bash calls at Tab, with the words as bash cuts them. */
const ask = `
source "$1" && shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
function=$(complete -p agentwire | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$function"
printf '%s\\n' "\${COMPREPLY[@]}"
`

/** What a bash without any settings completes behind these words; nothing: the names of files. */
const complete = (...words: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync("bash", ["--norc", "--noprofile", "-c", ask, "bash", script, "agentwire", ...words], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "" }
  })
    .split("\n")
    .filter((line) => line !== "")

const optionsOf = async (name: string): Promise<ReadonlyArray<string>> =>
  Object.entries((await commands[name]?.load())?.options ?? {})
    .filter(([, { hidden }]) => hidden !== true)
    .map(([option]) => `--${option}`)

describe("bash completes", () => {
  it("commands", () => {
    expect(complete("se")).toEqual(["serve"])
    expect(complete("")).toEqual([...Object.keys(commands), "--help", "--version"])
    expect(complete("--v")).toEqual(["--version"])
  })

  it.each(Object.keys(commands))("the options of %s", async (name) => {
    const options = [...(await optionsOf(name)), "--help", "--debug"]
    expect(complete(name, "--")).toEqual(options)
    expect(complete(name, "somewhere", "--")).toEqual(options)
  })

  it.each([
    [
      ["doctor", "--transport", ""],
      ["auto", "stdio", "ws"]
    ],
    [["doctor", "--transport", "s"], ["stdio"]],
    [
      ["serve", "--approvals", ""],
      ["deny", "interrupt", "event"]
    ],
    [
      ["serve", "--speed", ""],
      ["real", "instant"]
    ],
    [["conform", "--transport", "copilotkit-r"], ["copilotkit-rest"]],
    [
      ["doctor", "--transport", "="],
      ["auto", "stdio", "ws"]
    ],
    [["doctor", "--transport", "=", "w"], ["ws"]],
    [
      ["tape", "cat", "--from", ""],
      ["agent", "host"]
    ]
  ])("the values of an option that has a list of them: %j", (words, values) => {
    expect(complete(...words)).toEqual(values)
  })

  it.each([
    [
      ["completions", ""],
      ["bash", "zsh", "fish"]
    ],
    [["completions", "z"], ["zsh"]],
    [
      ["tape", ""],
      ["info", "cat", "verify", "diff", "redact"]
    ],
    [
      ["policy", ""],
      ["check", "test"]
    ],
    [["help", "t"], [...Object.keys(commands), ...Object.keys(topics)].filter((name) => name.startsWith("t"))]
  ])("the argument of a command that has a list of them: %j", (words, values) => {
    expect(complete(...words)).toEqual(values)
  })

  it.each([
    [["decode", ""]],
    [["doctor", "--cli", ""]],
    [["doctor", "--cli", "--"]],
    [["record", "-o", ""]],
    [["completions", "bash", ""]],
    [["tape", "info", ""]],
    [["policy", "check", ""]],
    [["serve", "--", "--"]],
    [["nonsense", "--"]]
  ])("nothing but files behind %j", (words) => {
    expect(complete(...words)).toEqual([])
  })
})

describe("agentwire completions", () => {
  it("is right for the shell's own parser", () => {
    execFileSync("bash", ["-n", script])
  })

  it.each(["bash", "zsh", "fish"])("has every command and every option for %s", async (shell) => {
    const { code, err, out } = await run(["completions", shell])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    for (const name of Object.keys(commands)) {
      expect(out).toContain(name)
      for (const option of await optionsOf(name))
        expect(out).toContain(shell === "fish" ? `-l ${option.slice(2)} ` : option)
    }
  })

  it.each(["zsh", "fish"])("closes every quote for %s", async (shell) => {
    const { out } = await run(["completions", shell])
    const code = out.replace(/^#.*$/gm, "")
    // zsh: '\'' ends, escapes and begins again; fish: \' within. Without them, quotes come in pairs on each line.
    const rest = code.replaceAll("'\\''", "").replaceAll("\\'", "")
    expect(rest.split("\n").filter((line) => (line.split("'").length - 1) % 2 === 1)).toEqual([])
  })

  it.each([[[]], [["tcsh"]], [["toString"]], [["bash", "zsh"]]])("refuses %j", async (args) => {
    const { code, err } = await run(["completions", ...args])
    expect(code).toBe(2)
    expect(err).toContain("completions takes one of bash, zsh, fish.")
  })
})
