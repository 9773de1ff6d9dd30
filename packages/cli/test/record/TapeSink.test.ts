import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { constants, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { fileTarget, gzipTarget, TapeSink, type TapeSinkOptions, type TapeTarget } from "../../src/record/TapeSink.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-sink-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Made {
  readonly sink: TapeSink
  readonly said: Array<string>
}

const make = (open: () => Promise<TapeTarget>, options: Partial<TapeSinkOptions> = {}): Made => {
  const said: Array<string> = []
  const sink = new TapeSink({
    open,
    onStop: (reason) => said.push(reason),
    stopLine: (reason) => `stop ${reason}\n`,
    endLine: (frames, sha256) => `end ${frames} ${sha256}\n`,
    ...options
  })
  return { sink, said }
}

const write = async ({ sink }: Made, frames = 3) => {
  sink.header("header\n")
  for (let number = 1; number <= frames; number++) sink.frame(`frame ${number}\n`)
  return sink.end()
}

const wholeTape = (): string => {
  const text = "header\nframe 1\nframe 2\nframe 3\n"
  return `${text}end 3 ${createHash("sha256").update(text).digest("hex")}\n`
}

describe("TapeSink", () => {
  it("writes a tape into a folder that need not exist, readable by its owner only", async () => {
    const file = join(folder, "new", "a.tape")
    const made = make(fileTarget(file))
    const ending = write(made)
    made.sink.frame("too late\n")
    expect(await ending).toEqual({ complete: true, stuck: false })
    expect({ text: readFileSync(file, "utf8"), said: made.said }).toEqual({ text: wholeTape(), said: [] })
    expect(execFileSync("stat", ["-c", "%a", file], { encoding: "utf8" }).trim()).toBe("600")
  })

  it("writes gzip that can be read up to a cut between any two writes", async () => {
    const file = join(folder, "a.tape.gz")
    const made = make(gzipTarget(fileTarget(file)))
    expect((await write(made)).complete).toBe(true)
    expect(gunzipSync(readFileSync(file)).toString()).toBe(wholeTape())
  })

  it("says once that the disk is full", async () => {
    const made = make(fileTarget("/dev/full"))
    expect(await write(made, 1000)).toEqual({ complete: false, stuck: false })
    expect(made.said).toEqual(["the disk is full"])
  })

  it.each([
    ["a file where a folder should be", "file/a.tape", "part of the path is not a folder"],
    ["a folder", ".", "it is a folder"]
  ])("says once that it cannot write to %s", async (_, name, reason) => {
    writeFileSync(join(folder, "file"), "")
    const made = make(fileTarget(join(folder, name)))
    expect(await write(made)).toEqual({ complete: false, stuck: false })
    expect(made.said).toEqual([reason])
  })

  it("says once that it may not write there", async () => {
    const made = make(() => Promise.reject(Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" })))
    expect(await write(made)).toEqual({ complete: false, stuck: false })
    expect(made.said).toEqual(["you are not allowed to write there"])
  })

  it("does not wait for somebody to read a pipe", async () => {
    const file = join(folder, "unread")
    execFileSync("mkfifo", [file])
    const made = make(fileTarget(file))
    expect(await write(made)).toEqual({ complete: false, stuck: false })
    expect(made.said).toEqual(["it is a pipe that nobody reads"])
  })

  it("stops when a reader is too slow, with a marker after what it took, and ends in time", async () => {
    const file = join(folder, "slow")
    execFileSync("mkfifo", [file])
    const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    expect(reader).toBeGreaterThan(0)
    const made = make(fileTarget(file), { maxPendingBytes: 300_000, endWithinMs: 300 })
    expect(await write(made, 100_000)).toEqual({ complete: false, stuck: false })
    expect(made.said).toEqual(["the disk is too slow"])
  })

  it("holds no more than its limit, and marks where it stopped", async () => {
    const written: Array<string> = []
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: TapeTarget = {
      write: async (bytes) => {
        await gate
        written.push(Buffer.from(bytes).toString())
      },
      close: async () => {},
      abandon: () => {}
    }
    const made = make(async () => slow, { maxPendingBytes: 30 })
    made.sink.header("header\n")
    for (let number = 1; number <= 9; number++) made.sink.frame(`frame ${number}\n`)
    expect(made.said).toEqual(["the disk is too slow"])
    release()
    expect(await made.sink.end()).toEqual({ complete: false, stuck: false })
    expect(written.join("")).toBe("header\nframe 1\nframe 2\nstop the disk is too slow\n")
  })

  it("says that it is stuck when a write never comes back", async () => {
    const made = make(
      async () => ({ write: () => new Promise<void>(() => {}), close: async () => {}, abandon: () => {} }),
      { endWithinMs: 50 }
    )
    expect(await write(made)).toEqual({ complete: false, stuck: true })
    expect(made.said).toEqual(["the disk is too slow"])
  })
})
