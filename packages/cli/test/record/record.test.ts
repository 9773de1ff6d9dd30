import { chmodSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../run.ts"
import { type Bench, bytesOf, ended, makeBench, readTape, start } from "./agentwire.ts"

let bench: Bench
beforeAll(async () => {
  bench = await makeBench()
})
afterAll(() => bench.remove())

const agentwire = (...args: ReadonlyArray<string>) => [process.execPath, bench.script, ...args]

const echo = `process.stdin.on("data", (chunk) => { process.stdout.write(chunk); process.stderr.write(chunk) })`

describe("agentwire record", () => {
  it.each([
    [["--", "claude"], "record needs -o FILE."],
    [["-o", "x"], "record needs a command to run"],
    [["-o", "x", "--ws", "many", "--to", "ws://127.0.0.1:1"], '--ws takes a whole number from 0 to 65535, not "many".'],
    [["-o", "x", "--ws", "0"], "--ws needs --to URL"],
    [["-o", "x", "--ws", "0", "--to", "http://127.0.0.1:1"], "--to takes an address like ws://"],
    [["-o", "x", "--to", "ws://127.0.0.1:1", "--", "claude"], "--to goes with --ws."],
    [["-o", "x", "--redact", "(", "--", "claude"], '--redact takes a regular expression, and "(" is not one'],
    [["-o", "x", "--shim", "y", "--", "no-such-claude"], "Cannot record no-such-claude: there is no such program."]
  ])("says in one paragraph why it cannot do %j", async (args, words) => {
    const { code, err, out } = await run(["record", ...args])
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(words)
    expect(err.trim()).not.toContain("\n")
  })

  it("keeps secrets off the tape, and only off the tape", async () => {
    const program = bench.program("echo.mjs", echo)
    const secrets = {
      MY_API_TOKEN: "correct-horse-battery",
      PLAIN_NAME: "staple of the day",
      HOME: "/home/adalovelace"
    }
    const pattern = "ticket-4711"
    const argument = "--token=correct-horse-battery"
    const child = start(
      agentwire(
        ...["record", "-o", bench.path("secret.tape"), "--redact-env", "PLAIN_NAME", "--redact", "ticket-\\d+"],
        ...["--", process.execPath, program, argument]
      ),
      { PATH: process.env["PATH"], ...secrets }
    )
    const message = { text: `${Object.values(secrets).join(" ")} ${pattern} sk-ant-api03-${"a1B2".repeat(20)}` }
    const line = `${JSON.stringify(message)}\n`
    child.stdin.end(line)
    const { stderr, stdout } = await ended(child)
    expect([stdout.toString(), stderr.toString()]).toEqual([line, line])
    const file = readFileSync(bench.path("secret.tape"), "utf8")
    for (const secret of [...Object.values(secrets), pattern, "sk-ant-api03"]) expect(file).not.toContain(secret)
    const tape = readTape(bench.path("secret.tape"))
    expect(tape.header.redacted.length).toBeGreaterThan(3)
    const [stdin, out, err] = (["stdin", "stdout", "stderr"] as const).map((name) => bytesOf(tape, name).toString())
    expect(stdin).toBe(out)
    expect(stdin).toBe(err)
    expect(Object.keys(JSON.parse(stdin ?? ""))).toEqual(["text"])
    expect(tape.end).toBeDefined()
  })

  it("keeps everything when told to", async () => {
    const program = bench.program("echo.mjs", echo)
    const tape = bench.path("open.tape.gz")
    const child = start(agentwire("record", "-o", tape, "--no-redact", "--", process.execPath, program), {
      ...process.env,
      MY_API_TOKEN: "correct-horse-battery"
    })
    child.stdin.end("correct-horse-battery\n")
    await ended(child)
    expect(gunzipSync(readFileSync(tape)).toString()).toContain("correct-horse-battery")
  })

  it("reads only its own options: what comes after -- is the program's", async () => {
    const program = bench.program("argv.mjs", "console.log(JSON.stringify(process.argv.slice(2)))")
    const args = ["-o", "other", "--help", "--no-redact", "--", "a b", "", "$HOME", "'"]
    const child = start(agentwire("record", "-o", bench.path("argv.tape"), "--", process.execPath, program, ...args))
    child.stdin.end()
    expect(JSON.parse((await ended(child)).stdout.toString())).toEqual(args)
    expect(readTape(bench.path("argv.tape")).header.argv).toEqual([program, ...args])
  })
})

describe("agentwire record --shim", () => {
  it("writes a claude that records every run into a tape of its own", async () => {
    const claude = bench.program(
      "claude",
      `#!${process.execPath}\nprocess.stdin.pipe(process.stdout); console.error(process.argv.slice(2)); process.exitCode = 3`
    )
    chmodSync(claude, 0o755)
    const [shims, tapes] = [bench.path("it's shims"), bench.path("the tapes")]
    const writing = start(agentwire("record", "--shim", shims, "-o", tapes, "--no-redact", "--", claude, "--first"))
    const { code, stdout } = await ended(writing)
    expect({ code, out: stdout.toString() }).toEqual({ code: 0, out: `${join(shims, "claude")}\n` })
    for (const word of ["one", "two"]) {
      const child = start([join(shims, "claude"), "--flag", word])
      child.stdin.end(`${word}\n`)
      const ran = await ended(child)
      expect(ran).toMatchObject({ code: 3, signal: null })
      expect(ran.stdout.toString()).toBe(`${word}\n`)
      expect(ran.stderr.toString()).toContain(`'--first', '--flag', '${word}'`)
    }
    const read = readdirSync(tapes)
      .toSorted()
      .map((name) => readTape(join(tapes, name)))
    expect(read.map(({ header }) => header.argv)).toEqual([
      ["--first", "--flag", "one"],
      ["--first", "--flag", "two"]
    ])
    expect(read.map((tape) => bytesOf(tape, "stdout").toString())).toEqual(["one\n", "two\n"])
  })

  it("finds the claude on the PATH, and not itself", async () => {
    const real = bench.path("bin")
    await ended(start(["mkdir", "-p", real, bench.path("first")]))
    for (const folder of ["bin", "first"]) {
      chmodSync(bench.program(join(folder, "claude"), `#!/bin/sh\necho ${folder}\n`), 0o755)
    }
    const writing = start(
      agentwire("record", "--shim", bench.path("first"), "-o", bench.path("found"), "--no-redact", "--", "claude"),
      { ...process.env, PATH: `${bench.path("first")}:${real}:${process.env["PATH"]}` }
    )
    expect((await ended(writing)).code).toBe(0)
    const child = start([bench.path("first/claude")])
    child.stdin.end()
    expect((await ended(child)).stdout.toString()).toBe("bin\n")
  })
})
