/** Command lines that cannot be: each ends with 2 and one paragraph that says what is wrong, and no stack trace. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findTape } from "@agentwire/fixtures"
import { afterAll, describe, expect, it } from "vitest"
import type { Command } from "../src/Command.ts"
import { wordsOf } from "../src/Completions.ts"
import { commands } from "../src/commands/index.ts"
import { fileFailure, writeFailure } from "../src/Failure.ts"
import { run } from "./run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-usage-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const missing = join(folder, "missing")
const text = join(folder, "text")
writeFileSync(text, "neither a tape nor JSON\n")
/** Below a file there is no folder. */
const below = join(text, "below")
const tape = findTape({ version: "2.1.325", scenario: "plain_text" })?.file ?? ""

const all: ReadonlyArray<Command> = await Promise.all(Object.values(commands).map(({ load }) => load()))

const noFile = "there is no such file"
const isFolder = "it is a folder, not a file"
const noFolder = "part of the path is not a folder"

const refused = async (args: ReadonlyArray<string>): Promise<string> => {
  const { code, err } = await run(args)
  expect({ args, code }).toEqual({ args, code: 2 })
  expect(err).not.toMatch(/^ +at |did not expect|undefined|\[object/m)
  expect(err.trim()).not.toContain("\n")
  return err
}

describe("a command line that cannot be", () => {
  it.each([
    [["serv"], "Did you mean serve?"],
    [["--vesion"], "Did you mean --version?"],
    [["help", "serv"], "Did you mean serve?"],
    [["help", "securty"], "Did you mean security?"],
    [["tape", "inf", tape], "Did you mean info?"],
    [["policy", "chek", text], "Did you mean check?"],
    [["history", "shw", text], "Did you mean show?"],
    [["decode", text, "--jsno"], "decode has no option --jsno. Did you mean --json? Try `agentwire decode --help`."],
    [["serve", "--aprovals", "deny"], "Did you mean --approvals?"],
    [["drift", "--cli", "2.1.325", "plain_txt"], "Did you mean plain_text?"]
  ])("suggests what was meant: %j", async (args, words) => {
    expect(await refused(args)).toContain(words)
  })

  it.each([
    [["decode", missing], noFile],
    [["decode", folder], isFolder],
    [["decode", below], noFolder],
    [["replay", missing], noFile],
    [["replay", folder], isFolder],
    [["replay", text], "is not a tape"],
    [["replay", tape, "--shim", below], noFolder],
    [["tape", "info", missing], noFile],
    [["tape", "info", folder], isFolder],
    [["tape", "info", text], "is not a tape"],
    [["tape", "cat", missing], noFile],
    [["tape", "verify", folder], isFolder],
    [["tape", "diff", tape, missing], noFile],
    [["tape", "redact", missing], noFile],
    [["tape", "redact", tape, "-o", folder], isFolder],
    [["tape", "redact", tape, "-o", join(missing, "out.tape")], "its folder does not exist"],
    [["history", "show", missing], noFile],
    [["history", "show", folder], isFolder],
    [["history", "export", below], noFolder],
    [["history", "export", text, "-o", folder], isFolder],
    [["history", "export", text, "-o", join(missing, "out.md")], "its folder does not exist"],
    [["history", "list", "--projects", missing], "Name another with --projects, or set CLAUDE_CONFIG_DIR."],
    [["history", "show", "abc", "--projects", folder], "`agentwire history list` shows which there are"],
    [["history", "list", "abc"], "to see one there is history show"],
    [["history", "show"], "takes one SESSION"],
    [["history", "list", "--format", "json"], "history list has no option --format."],
    [["translate", missing], noFile],
    [["translate", folder], isFolder],
    [["translate", tape, "--out-dir", below], noFolder],
    [["serve", "--replay", missing], "Cannot read"],
    [["serve", "--replay", text], "is not a tape"],
    [["serve", "--replay", folder], "There is no tape"],
    [["serve", "--demo", "--port", "0", "--policy", missing], "Cannot read the policy"],
    [["serve", "--demo", "--port", "0", "--policy", folder], "Cannot read the policy"],
    [["serve", "--demo", "--cwd", missing], "does not exist"],
    [["serve", "--demo", "--cwd", text], "is not a folder"],
    [["serve", "--demo", "--port", "0", "--data", text], text],
    [["serve", "--cli", missing, "--no-data"], missing],
    [["policy", "check", missing], "Cannot read the policy"],
    [["policy", "test", folder, "--command", "ls"], "Cannot read the policy"],
    [["model", "--scenario", missing], noFile],
    [["model", "--scenario", folder], isFolder],
    [["conform", missing], noFile],
    [["conform", folder], isFolder],
    [["conform", tape, "--source", missing], noFile],
    [["conform", tape, "--input", folder], isFolder],
    [["conform", tape, "--input", text], "is not JSON"],
    [["conform", tape, "--expected-failures", missing], noFile],
    [["conform", "http://127.0.0.1:1", "--prompts", missing], noFile],
    [["conform", tape, "--html", folder], isFolder],
    [["conform", tape, "--junit", join(text, "x", "report.xml")], noFolder],
    [["conform", "--merge", folder], isFolder],
    [["conform", "--merge", text], "is not of a report"],
    [["conform", "--cli", missing], "There is no file"],
    [["conform", "--cli", text], "may not be executed"],
    [["drift", "--cli", missing], "There is no file"],
    [["drift", "--cli", folder], "is not a file"]
  ])("names the file, and what is wrong with it: %j", async (args, words) => {
    expect(await refused(args)).toContain(words)
  })

  it.each([
    [["history", "show", text, "--limit", "0"], "from 1"],
    [["decode", text, "--max-findings", "0"], "--max-findings takes a whole number from 1"],
    [["decode", text, "--max-line", "1e3"], "--max-line takes a size in bytes"],
    [["record", "-o", missing, "--ws", "65536", "--to", "ws://h"], "--ws takes a whole number from 0 to 65535"],
    [["replay", tape, "--speed", "0"], "--speed takes real, instant or a number above 0"],
    [["replay", tape, "--idle-limit", "long"], "--idle-limit takes a number of milliseconds"],
    [["serve", "--port", "http"], "--port takes a whole number from 0 to 65535"],
    [["runtime", "--drain", "soon"], "--drain takes a whole number from 0"],
    [["gateway", "--port", "http"], "--port takes a whole number from 0 to 65535"],
    [["serve", "--max-sessions", "0"], "--max-sessions takes a whole number from 1 to 10000"],
    [["serve", "--max-turns", "1.5"], "--max-turns takes a whole number from 1"],
    [["serve", "--demo", "--speed=-1"], "--speed takes real, instant or a number above 0"],
    [["model", "--scenario", text, "--port", ""], "--port takes a whole number from 0 to 65535"],
    [["conform", "http://127.0.0.1:1", "--timeout", "0"], "--timeout takes a number of seconds"],
    [["doctor", "--timeout", "soon"], "--timeout takes a number of seconds"]
  ])("says which numbers it takes: %j", async (args, words) => {
    expect(await refused(args)).toContain(words)
  })

  it.each(
    all.flatMap(({ name, options }) =>
      Object.entries(options)
        .filter(([, { type }]) => type === "string")
        .map(([option, { value }]) => [name, option, value ?? ""] as const)
    )
  )("%s --%s needs its value", async (name, option, value) => {
    const err = await refused([name, `--${option}`])
    expect(err).toContain(`--${option} needs a value: ${value}.`)
    expect(await refused([name, `--${option}`, "--help"])).toContain(`--${option}=-…`)
  })

  it.each(
    all.flatMap((command) =>
      wordsOf(command).options.flatMap(({ name, value }) =>
        value._tag === "Choice" ? [[command.name, name, value.choices] as const] : []
      )
    )
  )("%s --%s takes one of %j", async (name, option, choices) => {
    const before: Readonly<Record<string, ReadonlyArray<string>>> = {
      conform: { transport: ["http://127.0.0.1:1"], runtime: ["--cli", "codex"] }[option] ?? [tape],
      serve: option === "speed" ? ["--demo"] : [],
      runtime: option === "speed" ? ["--demo"] : [],
      gateway: [],
      "app-server": option === "speed" ? ["--demo"] : [],
      tape: ["cat", tape],
      history: ["export", text],
      doctor: [],
      drift: ["--cli", "2.1.325"]
    }
    const err = await refused([name, ...(before[name] ?? [tape]), `--${option}`, "frobnicate"])
    for (const choice of choices) expect(err).toContain(choice)
    expect(err).toContain('not "frobnicate".')
  })

  it.each(all.map(({ name }) => [name]))("%s knows its options and no others", async (name) => {
    expect(await refused([name, "--frobnicate"])).toContain(`${name} has no option --frobnicate.`)
    expect(await refused([name, "--help=yes"])).toContain("--help takes no value.")
  })

  it("leaves nothing behind", () => {
    expect(existsSync(missing)).toBe(false)
  })
})

describe("a file that cannot be used", () => {
  it.each([
    ["EACCES", "Cannot read f: you are not allowed to.", "Cannot write f: you are not allowed to."],
    ["ENOENT", "Cannot read f: there is no such file.", "Cannot write f: its folder does not exist."],
    ["ENOSPC", "Cannot read f: the disk is full.", "Cannot write f: the disk is full."],
    ["EODD", "Cannot read f: odd.", "Cannot write f: odd."]
  ])("is told in words: %s", (code, reading, writing) => {
    const error = Object.assign(new Error("odd"), { code })
    expect(fileFailure("f", error).message).toBe(reading)
    expect(writeFailure("f", error).message).toBe(writing)
  })
})
