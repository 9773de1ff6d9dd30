/** Tapes from disk: within limits, and none that is not in the folder. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as Tape from "@agentwire/protocol/tape"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { readTapes } from "../../../src/runtime/replay/TapeFolder.ts"

const root = mkdtempSync(join(tmpdir(), "agentwire-tapes-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const text = (payload: string): string =>
  Tape.encodeTape({
    header: {
      tape: 1,
      agentwire: "0.0.0",
      runtime: { name: "claude-code" },
      transport: "stdio",
      argv: [],
      startedAt: "2026-01-01T00:00:00Z",
      redacted: []
    },
    frames: [{ _tag: "Data", wait: 0, from: "agent", channel: "stdout", data: payload }]
  })

let count = 0
const folder = (files: Readonly<Record<string, string | Uint8Array>>): string => {
  const path = join(root, String(count++))
  mkdirSync(path)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

const names = async (path: string, limits?: Tape.TapeLimits): Promise<ReadonlyArray<string>> =>
  (await Effect.runPromise(readTapes(path, limits))).map(({ name }) => name)

const failure = (path: string, limits?: Tape.TapeLimits) => Effect.runPromise(Effect.flip(readTapes(path, limits)))

describe("a folder of tapes", () => {
  it("gives its own files, plain or gzipped, in the order of their numbers", async () => {
    const path = folder({ "10.tape": text("a"), "9.tape.gz": gzipSync(text("b")), "notes.txt": "no tape" })
    symlinkSync(join(path, "9.tape.gz"), join(path, "11.tape.gz"))
    expect(await names(path)).toEqual(["9", "10", "11"])
  })

  it("gives nothing that a link leads to outside, and no pipe", async () => {
    const outside = folder({ "secret.tape": text("secret") })
    const path = folder({ "1.tape": text("a") })
    symlinkSync(join(outside, "secret.tape"), join(path, "2.tape"))
    symlinkSync(join(path, "none"), join(path, "3.tape"))
    symlinkSync("/dev/zero", join(path, "4.tape"))
    mkdirSync(join(path, "5.tape"))
    execFileSync("mkfifo", [join(path, "6.tape")])
    expect(await names(path)).toEqual(["1"])
  })

  it("is held only as far as it may be, all tapes together", async () => {
    const path = folder({ "1.tape": text("x".repeat(6000)), "2.tape": text("x".repeat(6000)) })
    expect(await names(path, { maxBytes: 20_000 })).toEqual(["1", "2"])
    expect(await failure(path, { maxBytes: 10_000 })).toMatchObject({ code: "TAPE_TOO_LARGE" })
  })
})

describe("a tape", () => {
  it("that unzips to more than may be held is not unzipped further", async () => {
    const path = folder({ "1.tape.gz": gzipSync(text("x".repeat(10_000_000))) })
    expect(await failure(join(path, "1.tape.gz"), { maxBytes: 1_000_000 })).toMatchObject({ code: "TAPE_TOO_LARGE" })
  })

  it("that is a device, or none, is refused", async () => {
    expect(await failure("/dev/zero")).toMatchObject({
      code: "NO_TAPE",
      message: expect.stringContaining("not a file")
    })
    const path = folder({ "1.tape": "\n".repeat(1000) })
    expect(await failure(path)).toMatchObject({
      code: "NO_TAPE",
      message: expect.stringContaining("the line is empty")
    })
  })

  it("that was cut, gzipped or not, is read up to the cut", async () => {
    const zipped = gzipSync(text("x".repeat(100)))
    const path = folder({ "1.tape.gz": zipped.subarray(0, zipped.length - 8), "2.tape": text("x").slice(0, -3) })
    expect(await names(path)).toEqual(["1", "2"])
  })
})
