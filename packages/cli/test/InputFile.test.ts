import { execFileSync, spawn } from "node:child_process"
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { chunksOf, textOf } from "../src/InputFile.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-input-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const read = (path: string): Promise<string> => textOf(path, { maxBytes: 1 << 20 })

describe("a file", () => {
  it("is read whole, gzipped or not, in one member or in many", async () => {
    expect(await read(file("plain", "hello"))).toBe("hello")
    expect(await read(file("zipped", gzipSync("hello")))).toBe("hello")
    expect(await read(file("members", Buffer.concat([gzipSync("hel"), gzipSync("lo")])))).toBe("hello")
    expect(await read(file("empty", ""))).toBe("")
  })

  it("that grows has an end: where it ended when it was opened", async () => {
    const path = file("grows", "x".repeat(1000))
    let length = 0
    for await (const chunk of chunksOf(path)) {
      length += chunk.length
      appendFileSync(path, "more")
    }
    expect(length).toBe(1000)
  })

  it("that the system makes up is read though it says that it is empty", async () => {
    expect((await read("/proc/self/status")).length).toBeGreaterThan(0)
  })

  it.each([
    ["twice", gzipSync(gzipSync("hello")), "it is gzipped twice: unzip it once"],
    ["garbage", Buffer.concat([gzipSync("hello"), Buffer.from("garbage")]), "its gzip data are damaged near byte"],
    ["broken", Buffer.from([0x1f, 0x8b, 8, 0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]), "its gzip data are damaged near byte"]
  ])("that is gzip gone wrong is refused: %s", async (name, bytes, words) => {
    await expect(read(file(name, bytes))).rejects.toThrow(`Cannot read ${join(folder, name)}: ${words}`)
  })

  it.each([
    ["/dev/zero", "it is a device, not a file, and may never end"],
    [folder, "it is a folder, not a file"],
    [join(folder, "none"), "there is no such file"]
  ])("that is none is refused: %s", async (path, words) => {
    await expect(read(path)).rejects.toThrow(`Cannot read ${path}: ${words}.`)
  })

  it("that is larger than may be is not read further", async () => {
    await expect(textOf(file("large", gzipSync("x".repeat(5000))), { maxBytes: 1000 })).rejects.toThrow("1000 bytes")
  })
})

describe("a pipe", () => {
  const pipe = (name: string): string => {
    const path = join(folder, name)
    execFileSync("mkfifo", [path])
    return path
  }

  it("is read to its end, whether its writer comes before or after the reader", async () => {
    const path = pipe("fed")
    const reading = read(path)
    spawn("sh", ["-c", 'printf hello > "$0"', path])
    expect(await reading).toBe("hello")
  })

  it("that nobody writes to is given up", async () => {
    await expect(read(pipe("lonely"))).rejects.toThrow("it is a pipe that nobody writes to")
  })

  it("is standard input where it is called -", async () => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of chunksOf("-", Readable.from([gzipSync("hello")]))) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toBe("hello")
  })
})
