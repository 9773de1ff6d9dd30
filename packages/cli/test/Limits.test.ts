import { describe, expect, it } from "vitest"
import { defaultLimits, Held, limitsOf, sizeWords } from "../src/Limits.ts"

describe("limits", () => {
  it("are the defaults unless an option says otherwise", () => {
    expect(limitsOf({ values: {} })).toEqual(defaultLimits)
  })

  it.each([
    ["1", 1],
    ["512K", 512 * 1024],
    ["512k", 512 * 1024],
    ["64M", 64 * 1024 * 1024],
    ["2G", 2 * 1024 * 1024 * 1024],
    ["50MB", 50_000_000],
    ["50MiB", 50 * 1024 * 1024],
    ["1kb", 1000],
    ["2GB", 2_000_000_000]
  ])("read %s as %i bytes", (text, bytes) => {
    expect(limitsOf({ values: { "max-line": text, "max-size": text } })).toEqual({
      maxLineBytes: bytes,
      maxBytes: bytes
    })
  })

  it.each(["", "0", "-1", "1.5", "1e3", "64 MB", "64B", "64iB", "M", "1".repeat(13)])("do not take %j", (text) => {
    expect(() => limitsOf({ values: { "max-size": text } })).toThrow("--max-size takes a size in bytes")
  })

  it("have words", () => {
    expect([sizeWords(64 * 1024 * 1024), sizeWords(1000)]).toEqual(["64 MiB", "1000 bytes"])
  })

  it("are reached by all that is held together", () => {
    const held = new Held("x.tape", { maxBytes: 10 })
    held.add(6)
    held.add(4)
    expect(() => held.add(1)).toThrow("x.tape is more than is held in memory: over 10 bytes, unzipped.")
  })
})
