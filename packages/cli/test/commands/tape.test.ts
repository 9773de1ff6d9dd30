import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { findTape, loadTape, readTapeFile, writeTapeFile } from "@agentwire/fixtures"
import type { Tape } from "@agentwire/protocol"
import { afterAll, describe, expect, it } from "vitest"
import { chosenTapes } from "../../../fixtures/test/Sweep.ts"
import { coloured } from "../../src/Paint.ts"
import { run } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-tape-"))
afterAll(() => rmSync(folder, { recursive: true }))

const recorded = findTape({ version: "2.1.325", scenario: "tool_approved" })
const real = recorded?.file ?? ""

const header: Tape.TapeHeader = {
  tape: 1,
  agentwire: "0.0.0",
  runtime: { name: "claude-code", version: "2.1.37" },
  transport: "stdio",
  argv: ["--print"],
  startedAt: "2026-01-01T00:00:00Z",
  redacted: []
}
const out = (data: string): Tape.Frame => ({ _tag: "Data", wait: 500, from: "agent", channel: "stdout", data })
const save = (name: string, frames: ReadonlyArray<Tape.Frame>, more: Partial<Tape.TapeHeader> = {}): string => {
  const path = join(folder, name)
  writeTapeFile(path, { header: { ...header, ...more }, frames })
  return path
}
const key = "sk-ant-api03-AbCdEfGhIjKlMnOp0123456789"

describe("agentwire tape", () => {
  it("info tells what a recording of the real CLI is of", async () => {
    const { code, out: text } = await run(["tape", "info", real])
    expect(code).toBe(0)
    expect(text).toContain("claude-code 2.1.325 over stdio")
    expect(text).toMatch(/1 {2}agent control_request\/can_use_tool/)
    expect(text).not.toContain("(unknown)")
    const about = JSON.parse((await run(["tape", "info", "--json", real])).out)
    expect(about).toMatchObject({ scenario: "tool_approved", complete: true, hash: "right", wrong: 0 })
  })

  it("cat shows a line a frame; with --json the lines of a side as they were", async () => {
    const { frames } = loadTape(recorded ?? { version: "", scenario: "" })
    const { out: text } = await run(["tape", "cat", real])
    expect(text.trimEnd().split("\n")).toHaveLength(frames.length)
    const host = frames.flatMap((frame) =>
      frame._tag === "Data" && frame.from === "host" && typeof frame.data === "string" ? [frame.data] : []
    )
    expect((await run(["tape", "cat", "--json", "--from", "host", real])).out).toBe(host.join(""))
    expect(await run(["tape", "cat", "--from", "nobody", real])).toMatchObject({ code: 2 })
  })

  it("diff paints what is gone and what is new, where the console is painted", async () => {
    const [left, right] = [save("left.tape", [out("a\n")]), save("right.tape", [out("b\n")])]
    const { out: painted } = await run(["tape", "diff", left, right], "", coloured)
    const { out: plain } = await run(["tape", "diff", left, right])
    expect(painted).toContain(coloured.bad(`--- ${left}`))
    expect(painted).toContain(coloured.good(`+++ ${right}`))
    expect(plain).not.toContain("\u001b")
    expect(stripVTControlCharacters(painted)).toBe(plain)
  })

  it("verify finds nothing on a good tape", async () => {
    expect(await run(["tape", "verify", real])).toMatchObject({ code: 0, err: "" })
  })

  it("verify finds nothing on tapes of the library, and takes them all at once", async () => {
    const { code, err, out } = await run(["tape", "verify", ...chosenTapes.map(({ file }) => file)])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(
      out
        .trim()
        .split("\n")
        .filter((line) => line.endsWith("no known secret")).length
    ).toBe(chosenTapes.length)
  })

  it("verify goes on after a file that cannot be read", async () => {
    const { code, err, out } = await run(["tape", "verify", "no-such.tape", real])
    expect({ code, err }).toEqual({ code: 2, err: "Cannot read no-such.tape: there is no such file.\n" })
    expect(out).toContain("no known secret")
  })

  it("verify finds a cut, a change, a wrong line and a secret, also one that is cut over deltas", async () => {
    const good = readFileSync(save("good.tape", [out("{}\n"), out("{}\n")]), "utf8")
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const delta = (text: string) =>
      out(
        `${JSON.stringify({ type: "stream_event", event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } } })}\n`
      )
    const faulty: ReadonlyArray<readonly [string, RegExp]> = [
      [write("cut.tape", good.slice(0, -20)), /cut/],
      [write("changed.tape", good.replace("--print", "--prinz")), /hash/],
      [write("wrong.tape", good.replace("\n[", "\nnonsense\n[")), /line 2/],
      [save("secret.tape", [out(`{"a":"${key}"}\n`)]), /frame 1, .*api-key/],
      [save("argument.tape", [], { argv: [key] }), /header, .*api-key/],
      [save("delta.tape", [delta("sk-ant-api03-AbCd"), delta("EfGhIjKl0123 ")]), /frame 1, .*api-key/]
    ]
    for (const [file, fault] of faulty) {
      const { code, out: text } = await run(["tape", "verify", file])
      expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(fault) })
      expect(text).not.toContain("AbCd")
    }
  })

  it("diff says the same of a tape and itself, and where two differ", async () => {
    expect(await run(["tape", "diff", real, real])).toMatchObject({ code: 0 })
    const [a, b] = [
      save("a.tape", [out('{"type":"x","text":"one"}\n')]),
      save("b.tape.gz", [out('{"type":"x","text":"two"}\n')])
    ]
    const { code, out: text } = await run(["tape", "diff", a, b])
    expect(code).toBe(1)
    expect(text).toContain('frame 1 and frame 1: agent stdout x\n  $.text\n    - "one"\n    + "two"')
  })

  it("redact takes secrets out, and verify then finds none", async () => {
    const file = save("key.tape", [out(`{"type":"user","text":"${key} REDACTED_api-key_1 zebra"}\n`)])
    const target = join(folder, "clean.tape.gz")
    const { code, out: text } = await run(["tape", "redact", file, "-o", target, "--redact", "zeb.a"])
    expect({ code, text }).toEqual({ code: 0, text: `${target}: replaced 1 api-key, 1 pattern\n` })
    const { hash, tape } = await readTapeFile(target)
    expect(hash).toBe("right")
    expect(tape?.header.redacted).toContain("api-key")
    // A placeholder that was there already keeps its meaning.
    expect(tape?.frames).toEqual([
      out('{"type":"user","text":"REDACTED_api-key_2 REDACTED_api-key_1 REDACTED_pattern_1"}\n')
    ])
    expect(await run(["tape", "verify", target])).toMatchObject({ code: 0 })
    expect(await run(["tape", "redact", file])).toMatchObject({ code: 0 })
    expect(readFileSync(file, "utf8")).not.toContain(key)
    expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([])
  })

  it("verify finds exactly what redact replaces, and nothing afterwards", async () => {
    const argv = ["--api-key", "q7RgxUYnknSzEc95", "-p", "hi"]
    const lines = ["password: hunter2\n", '{"env":{"DB_PASSWORD":"letmein"},"n":"zebra"}\n', "nothing here\n"]
    const file = save("verify.tape", lines.map(out), { argv })
    const target = join(folder, "verified.tape")
    const before = await run(["tape", "verify", "--json", "--explain", "--redact", "zeb.a", file])
    const replaced = await run(["tape", "redact", "--json", "--explain", "--redact", "zeb.a", file, "-o", target])
    const { explained, faults, lookedFor } = JSON.parse(before.out)
    expect({ code: before.code, count: faults.length }).toEqual({ code: 1, count: 4 })
    expect(JSON.parse(replaced.out).explained).toEqual(explained)
    expect(lookedFor).toMatchObject({ patterns: ["zeb.a"], kinds: expect.arrayContaining(["password", "pattern"]) })
    expect(await run(["tape", "verify", "--redact", "zeb.a", target])).toMatchObject({ code: 0 })
    for (const secret of ["q7Rgx", "hunter2", "letmein", "zebra"])
      expect(readFileSync(target, "utf8")).not.toContain(secret)
  })

  it("redact --explain says why, and never what", async () => {
    const file = save("why.tape", [out(`{"message":{"text":"see ${key}"}}\n`)])
    const { out: text } = await run(["tape", "redact", "--explain", file])
    expect(text).toContain(
      "frame 1, agent stdout message.text: REDACTED_api-key_1 has the form of an Anthropic key (rule: Anthropic key)"
    )
    expect(text).not.toContain("AbCd")
  })

  it("says in a sentence what it cannot do", async () => {
    const ndjson = join(folder, "x.ndjson")
    writeFileSync(ndjson, '{"type":"keep_alive"}\n')
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [["tape"], /needs one of info, cat/],
      [["tape", "eat", real], /cannot eat/],
      [["tape", "diff", real], /takes A and B/],
      [["tape", "info", "-o", "x", real], /has no option --output/],
      [["tape", "info", join(folder, "none")], /there is no such file/],
      [["tape", "info", ndjson], /is not a tape/],
      [["tape", "redact", "--redact", "(", real], /regular expression/],
      [["tape", "redact", real, "-o", join(folder, "no/where")], /Cannot write/]
    ]
    for (const [args, message] of cases) {
      const { code, err } = await run(args)
      expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) })
      expect(err).not.toMatch(/\n\s+at /)
    }
  })

  it("of the future is told by its version, by every command that reads tapes", async () => {
    const file = join(folder, "future.tape")
    writeFileSync(file, `${JSON.stringify({ ...header, tape: 7 })}\n[0,"agent","stdout","{}\\n"]\n`)
    const commands = [
      ...["info", "cat", "verify", "redact"].map((name) => ["tape", name, file]),
      ...[
        ["tape", "diff", real, file],
        ["decode", file],
        ["translate", file],
        ["replay", file]
      ],
      ["conform", "--source", file, file],
      ["serve", "--replay", file, "--port", "0"]
    ]
    for (const args of commands) {
      const { code, err } = await run(args)
      expect({ args, code, err }).toEqual({
        args,
        code: 2,
        err: expect.stringContaining(`${file} is a tape of format version 7`)
      })
      expect(err).toContain("update agentwire")
    }
  })
})
