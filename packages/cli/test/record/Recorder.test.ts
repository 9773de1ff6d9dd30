import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { Tape } from "@agentwire/protocol"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { firstOf } from "../../../fixtures/test/Sweep.ts"
import { recordProcess } from "../../src/record/Recorder.ts"
import { Taper } from "../../src/record/Taper.ts"
import { type Bench, bytesOf, type Ended, ended, makeBench, type Piped, readTape, start, until } from "./agentwire.ts"

let bench: Bench
beforeAll(async () => {
  bench = await makeBench()
})
afterAll(() => bench.remove())

let tapes = 0

interface Recorded {
  readonly child: Piped
  readonly tape: string
}

/** Records a small program. */
const record = (
  source: string,
  options: ReadonlyArray<string> = ["--no-redact"],
  env?: NodeJS.ProcessEnv
): Recorded => {
  const number = ++tapes
  const tape = bench.path(`${number}.tape`)
  const program = bench.program(`${number}.mjs`, source)
  const command = [process.execPath, bench.script, "record", "-o", tape, ...options, "--", process.execPath, program]
  return { child: start(command, env), tape }
}

const run = async (source: string, input: string | Uint8Array = ""): Promise<Ended & { readonly tape: string }> => {
  const { child, tape } = record(source)
  child.stdin.end(input)
  return { ...(await ended(child)), tape }
}

describe("a recorded program", () => {
  it("reads and writes the same bytes, and they are on the tape", async () => {
    const { code, stderr, stdout, tape } = await run(
      `process.stdin.pipe(process.stdout); process.stdin.on("end", () => console.error("bye"))`,
      '{"type":"user"}\nno end'
    )
    expect({ code, out: stdout.toString(), err: stderr.toString() }).toEqual({
      code: 0,
      out: '{"type":"user"}\nno end',
      err: "bye\n"
    })
    const { end, frames, header } = readTape(tape)
    expect(header).toMatchObject({ tape: 1, transport: "stdio", redacted: [], argv: [expect.stringContaining(".mjs")] })
    const said = frames.map((frame) =>
      frame._tag === "Data" ? `${frame.channel} ${JSON.stringify(frame.data)}` : frame._tag
    )
    expect(said.toSorted()).toEqual(
      [
        'stdin "{\\"type\\":\\"user\\"}\\n"',
        'stdin "no end"',
        "Close",
        'stdout "{\\"type\\":\\"user\\"}\\n"',
        'stdout "no end"',
        "Close",
        'stderr "bye\\n"',
        "Close",
        "Exit"
      ].toSorted()
    )
    expect(frames.at(-1)).toMatchObject({ _tag: "Exit", code: 0, signal: null })
    const bytes = readFileSync(tape)
    const before = bytes.subarray(0, bytes.lastIndexOf(10, -2) + 1)
    expect(end).toEqual({ end: frames.length, sha256: createHash("sha256").update(before).digest("hex") })
  })

  it.each(firstOf(2, [3, 255, 0, 1, 143]))("ends with its own code %i", async (code) => {
    const { tape, ...end } = await run(`process.exit(${code})`)
    expect({ code: end.code, signal: end.signal }).toEqual({ code, signal: null })
    expect(readTape(tape).frames.at(-1)).toMatchObject({ _tag: "Exit", code })
  })

  it.each(firstOf(2, ["SIGTERM", "SIGKILL", "SIGABRT"] as const))("dies by its own signal %s", async (signal) => {
    const { tape, ...end } = await run(`process.kill(process.pid, "${signal}"); setTimeout(() => {}, 10_000)`)
    expect({ code: end.code, signal: end.signal }).toEqual({ code: null, signal })
    expect(readTape(tape).end).toBeDefined()
    expect(readTape(tape).frames.at(-1)).toMatchObject({ _tag: "Exit", code: null, signal })
  })

  it.each(firstOf(2, ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const))(
    "gets %s from its host",
    async (signal) => {
      const { child, tape } = record(`
      process.on("${signal}", () => { console.log("got it"); process.exit(7) })
      console.log("ready"); setInterval(() => {}, 1000)`)
      const result = ended(child)
      await until(child.stdout, "ready")
      child.kill(signal)
      const { code, stdout } = await result
      expect({ code, out: stdout.toString() }).toEqual({ code: 7, out: "ready\ngot it\n" })
      expect(readTape(tape).frames).toContainEqual(
        expect.objectContaining({ _tag: "Marker", text: `signal ${signal}` })
      )
    }
  )

  it("may ignore SIGTERM, and then goes on", async () => {
    const { child, tape } = record(`
      process.on("SIGTERM", () => console.log("no"))
      console.log("ready"); process.stdin.on("end", () => process.exit(4)).resume()`)
    const result = ended(child)
    await until(child.stdout, "ready")
    child.kill("SIGTERM")
    await until(child.stdout, "no")
    child.stdin.end()
    expect((await result).code).toBe(4)
    expect(readTape(tape).end).toBeDefined()
  })

  it("has each byte passed on at once, newline or not", async () => {
    const { child } = record(`process.stdin.on("data", (chunk) => process.stdout.write("<" + chunk + ">"))`)
    const result = ended(child)
    for (const letter of "abc") {
      const heard = until(child.stdout, `<${letter}>`)
      child.stdin.write(letter)
      await heard
    }
    child.stdin.end()
    await result
  })

  it("sees the end of its stdin while it goes on talking", async () => {
    const { stdout, tape } = await run(`
      process.stdin.on("end", () => { let n = 0; const t = setInterval(() => { console.log(++n); if (n === 3) clearInterval(t) }, 20) }).resume()`)
    expect(stdout.toString()).toBe("1\n2\n3\n")
    const { frames } = readTape(tape)
    const closed = frames.findIndex((frame) => frame._tag === "Close" && frame.channel === "stdin")
    expect(closed).toBeLessThan(frames.findIndex((frame) => frame._tag === "Data"))
  })

  it("may close its stdout early, which its host sees at once", async () => {
    const { child, tape } = record(`
      import { closeSync } from "node:fs"
      process.stdout.write("last words", () => closeSync(1))
      process.stdin.on("end", () => process.exit(5)).resume()`)
    const code = new Promise((resolve) => child.once("exit", resolve))
    let said = ""
    for await (const chunk of child.stdout) said += String(chunk)
    expect({ said, exit: child.exitCode }).toEqual({ said: "last words", exit: null })
    child.stdin.end()
    expect(await code).toBe(5)
    expect(bytesOf(readTape(tape), "stdout").toString()).toBe("last words")
  })

  it("feels it when its host reads no more", async () => {
    const { child, tape } = record(`
      process.stdout.on("error", (error) => { console.error(error.code); process.exit(9) })
      setInterval(() => process.stdout.write("tick\\n"), 5)`)
    const code = new Promise((resolve) => child.once("exit", resolve))
    const why = until(child.stderr, "EPIPE")
    await until(child.stdout, "tick")
    child.stdout.destroy()
    await why
    expect(await code).toBe(9)
    expect(readTape(tape).end).toBeDefined()
  })

  it("may read nothing and end, whatever its host still writes", async () => {
    const { child } = record("process.exit(6)")
    child.stdin.write(Buffer.alloc(5_000_000, "x"))
    expect((await ended(child)).code).toBe(6)
  })

  it("is slowed by a host that does not read, and loses nothing", async () => {
    const { child, tape } = record(`
      let n = 0
      const more = () => { while (n < 400) if (!process.stdout.write(String(n++).padEnd(50_000, ".") + "\\n")) return process.stdout.once("drain", more); console.error("all written") }
      more()`)
    child.stdout.pause()
    const written = until(child.stderr, "all written")
    const early = await Promise.race([
      written.then(() => "written"),
      new Promise((resolve) => setTimeout(resolve, 700, "held"))
    ])
    expect(early).toBe("held")
    const result = ended(child)
    child.stdout.resume()
    const { stdout } = await result
    expect(stdout.length).toBe(400 * 50_001)
    expect(bytesOf(readTape(tape), "stdout").equals(stdout)).toBe(true)
  })

  it.each(["stdout", "stderr"] as const)("loses nothing of its %s to a host that reads late", async (name) => {
    const { child, tape } = record(`process.${name}.write(Buffer.alloc(300_003, "x"), () => process.exit(2))`)
    child[name === "stdout" ? "stderr" : "stdout"].resume()
    child[name].pause()
    const exit = new Promise((resolve) => child.once("exit", resolve))
    const early = await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, 1000, "held"))])
    expect(early).toBe("held")
    let length = 0
    child[name].on("data", (chunk: Buffer) => {
      length += chunk.length
    })
    const closed = new Promise((resolve) => child.once("close", resolve))
    child[name].resume()
    expect([await closed, length]).toEqual([2, 300_003])
    expect(bytesOf(readTape(tape), name).length).toBe(300_003)
  })

  it("may write a line of 20 MB", async () => {
    const { stdout, tape } = await run(`process.stdout.write(JSON.stringify({ long: "é".repeat(10_000_000) }) + "\\n")`)
    expect(stdout.length).toBe(20_000_012)
    const read = readTape(tape)
    expect(bytesOf(read, "stdout").equals(stdout)).toBe(true)
    expect(read.frames.filter(({ _tag }) => _tag === "Data")).toHaveLength(1)
  })

  it("may write what is not UTF-8", async () => {
    const { stdout, tape } = await run(`process.stdout.write(Buffer.from([0x61, 0xff, 0xfe, 10, 0x62, 10, 0xc3]))`)
    expect([...stdout]).toEqual([0x61, 0xff, 0xfe, 10, 0x62, 10, 0xc3])
    const read = readTape(tape)
    expect(bytesOf(read, "stdout").equals(stdout)).toBe(true)
    expect(read.frames.flatMap((frame) => (frame._tag === "Data" ? [frame.data] : []))).toEqual([
      { base64: "Yf/+Cg==" },
      "b\n",
      { base64: "ww==" }
    ])
  })

  it("is not waited for when it leaves a process behind that holds its stdout", async () => {
    const { child, tape } = record(`
      import { spawn } from "node:child_process"
      const left = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { stdio: ["ignore", "inherit", "inherit"], detached: true })
      left.unref(); console.log(left.pid); process.exit(3)`)
    const { code, stdout } = await ended(child)
    process.kill(Number(stdout.toString()), "SIGKILL")
    expect(code).toBe(3)
    expect(readTape(tape).end).toBeDefined()
  })

  it("that does not exist is said to, with a shell's number", async () => {
    const tape = bench.path("none.tape")
    const child = start([process.execPath, bench.script, "record", "-o", tape, "--no-redact", "--", "no-such-claude"])
    child.stdin.end()
    const { code, stderr, stdout } = await ended(child)
    expect({ code, out: stdout.toString(), err: stderr.toString() }).toEqual({
      code: 127,
      out: "",
      err: "agentwire: Cannot start no-such-claude: there is no such program.\n"
    })
  })
})

describe("a tape that cannot be written", () => {
  const talk = `
    process.stdin.on("data", (chunk) => process.stdout.write(chunk))
    process.stdin.on("end", () => { console.error("done"); process.exitCode = 8 })`

  const input = `${"x".repeat(10_000)}\n`.repeat(300)

  const talkInto = async (tape: string, prefix: ReadonlyArray<string> = []): Promise<Ended> => {
    const program = bench.program("talk.mjs", talk)
    const child = start([
      ...[...prefix, process.execPath, bench.script, "record", "-o", tape, "--no-redact"],
      ...["--", process.execPath, program]
    ])
    child.stdin.end(input)
    return ended(child)
  }

  const expectWhole = ({ code, stderr, stdout }: Ended, tape: string, reason: string) => {
    expect({ code, whole: stdout.toString() === input }).toEqual({ code: 8, whole: true })
    const lines = stderr
      .toString()
      .split("\n")
      .filter((line) => line !== "")
    expect(lines.toSorted()).toEqual([
      `agentwire: The tape ${tape} is cut here: ${reason}. The session continues without it.`,
      "done"
    ])
  }

  it("because the disk is full costs the session nothing", async () => {
    expectWhole(await talkInto("/dev/full"), "/dev/full", "the disk is full")
  })

  it("because nobody reads the pipe it is costs the session nothing", async () => {
    const tape = bench.path("fifo")
    execFileSync("mkfifo", [tape])
    expectWhole(await talkInto(tape), tape, "it is a pipe that nobody reads")
  })

  it("because its folder cannot be made costs the session nothing", async () => {
    const tape = join(bench.program("plain", ""), "a.tape")
    expectWhole(await talkInto(tape), tape, "part of the path is not a folder")
  })

  it("any further is valid up to there", async () => {
    const tape = bench.path("limited.tape")
    const limited = ["sh", "-c", 'ulimit -f 1000 && exec "$@"', "sh"]
    expectWhole(await talkInto(tape, limited), tape, "the file may not grow any further")
    const read = readTape(tape)
    const taped = bytesOf(read, "stdin").toString()
    expect(taped.length).toBeGreaterThan(100_000)
    expect(input.startsWith(taped)).toBe(true)
    expect(read.end).toBeUndefined()
  })
})

describe("a recorder that is killed", () => {
  it.each([
    ["as it was", ["--no-redact"]],
    ["redacted", []]
  ])(
    "leaves what it passed on on the tape, %s, and an agent whose stdin ends with its host's",
    async (name, options) => {
      const goodbye = bench.path(`goodbye ${name}`)
      const { child, tape } = record(
        `
      import { writeFileSync } from "node:fs"
      console.log('{"n":1}'); console.log('{"n":2}')
      process.stdin.on("data", (chunk) => process.stdout.write(chunk))
      process.stdin.on("end", () => { writeFileSync(${JSON.stringify(goodbye)}, ""); process.exit() })`,
        options
      )
      await until(child.stdout, '{"n":2}\n')
      const echo = until(child.stdout, '{"n":3}\n')
      child.stdin.write('{"n":3}\n')
      await echo
      // A line is passed on before it is taped; it is on the disk a moment later.
      await expect.poll(() => bytesOf(readTape(tape), "stdout").toString()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
      child.kill("SIGKILL")
      await new Promise((resolve) => child.once("exit", resolve))
      const { end, frames } = readTape(tape)
      expect({ end, frames: frames.length }).toEqual({ end: undefined, frames: 4 })
      await expect.poll(() => existsSync(goodbye)).toBe(true)
    }
  )

  // Node closes the stdin of a child that is gone; a host that does not goes on talking to the agent.
  it("leaves the session running", async () => {
    const [stdin, stdout, tape] = [bench.path("host in"), bench.path("host out"), bench.path("killed.tape")]
    execFileSync("mkfifo", [stdin])
    const host = openSync(stdin, constants.O_RDWR)
    const agent = bench.program("echo.mjs", "process.stdin.pipe(process.stdout)")
    const command = [process.execPath, bench.script, "record", "-o", tape, "--", process.execPath, agent]
    const child = start([
      "sh",
      "-c",
      'in="$1"; out="$2"; shift 2; exec "$@" < "$in" > "$out"',
      "sh",
      stdin,
      stdout,
      ...command
    ])
    const said = () => (existsSync(stdout) ? readFileSync(stdout, "utf8") : "")
    writeSync(host, "before\n")
    await expect.poll(said).toBe("before\n")
    await expect.poll(() => bytesOf(readTape(tape), "stdout").toString()).toBe("before\n")
    child.kill("SIGKILL")
    await new Promise((resolve) => child.once("exit", resolve))
    writeSync(host, "after\n")
    await expect.poll(said).toBe("before\nafter\n")
    closeSync(host)
  })
})

describe("whatever goes in, in whatever chunks", () => {
  const chunks = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      fc.constantFrom("\n", "{}\n", "é\n€").map((text) => Buffer.from(text)),
      fc.integer({ min: 1, max: 200_000 }).map((length) => Buffer.alloc(length, "long "))
    ),
    { maxLength: 20 }
  )

  it("comes out, and is on the tape in both directions", async () => {
    await fc.assert(
      fc.asyncProperty(chunks, async (parts) => {
        const lines: Array<string> = []
        const taper = new Taper({
          header: { agentwire: "0", runtime: { name: "claude-code" }, transport: "stdio", argv: [] },
          startedAt: performance.now(),
          redactor: { push: (frame) => [frame], end: () => [], header: (header) => header },
          sink: {
            header: (line) => lines.push(line),
            frame: (line) => lines.push(line),
            end: async () => ({ complete: true, stuck: false })
          }
        })
        const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
        const out: Array<Buffer> = []
        io.stdout.on("data", (chunk: Buffer) => out.push(chunk))
        const tap = (event: Parameters<Parameters<typeof recordProcess>[0]["tap"]>[0]) =>
          taper.note({ ...event, at: performance.now() })
        const end = recordProcess({ command: ["cat"], io, tap })
        for (const part of parts) io.stdin.write(part)
        io.stdin.end()
        expect(await end).toEqual({ code: 0, signal: null })
        const whole = Buffer.concat(parts)
        expect(Buffer.concat(out).equals(whole)).toBe(true)
        const { tape, wrong } = Tape.parseTape(Buffer.from(lines.join("")))
        if (tape === undefined) throw new Error("no tape")
        expect(wrong).toEqual([])
        for (const channel of ["stdin", "stdout"] as const) expect(bytesOf(tape, channel).equals(whole)).toBe(true)
        expect(tape.frames.at(-1)).toMatchObject({ _tag: "Exit", code: 0 })
      }),
      { numRuns: 40 }
    )
  })
})
