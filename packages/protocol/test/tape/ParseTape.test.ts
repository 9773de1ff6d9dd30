/** Tapes from bytes: what is held stays within its limit, and what is wrong is listed as far as anybody reads it. */
import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"

const utf8 = new TextEncoder()

const header: Tape.TapeHeader = {
  tape: 1,
  agentwire: "0.0.0",
  runtime: { name: "claude-code" },
  transport: "stdio",
  argv: [],
  startedAt: "2026-01-01T00:00:00Z",
  redacted: []
}

const data = (text: string | { readonly base64: string }): Tape.Frame => ({
  _tag: "Data",
  wait: 0,
  from: "agent",
  channel: "stdout",
  data: text
})

const file = (frames: ReadonlyArray<Tape.Frame>, rest = ""): Uint8Array =>
  utf8.encode(Tape.encodeTape({ header, frames }) + rest)

const tooLarge = (bytes: Uint8Array, maxBytes: number): boolean => {
  try {
    Tape.parseTape(bytes, { maxBytes })
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(Tape.TapeTooLarge)
    return true
  }
}

describe("a tape that is held", () => {
  it.each<readonly [string, ReadonlyArray<Tape.Frame>, number]>([
    ["its bytes", [data("x".repeat(5000))], 5000],
    ["256 bytes for each frame", Array.from({ length: 4000 }, () => data("")), 4000 * 256],
    ["64 bytes for each value", [data(`[${"{},".repeat(4000)}0]\n`)], 8000 * 64],
    ["values of a line that is cut", [data(`{"a":"`), data(`",${"{},".repeat(4000)}`)], 8000 * 64]
  ])("counts as %s", (_, frames, least) => {
    expect(tooLarge(file(frames), least - 1)).toBe(true)
    expect(tooLarge(file(frames), 2 * least)).toBe(false)
  })

  it("does not count what a text says", () => {
    expect(tooLarge(file([data(`"${"{},[],".repeat(4000)}"\n`)]), 50_000)).toBe(false)
  })

  it("lists the first lines that are wrong, and counts all", () => {
    const { tape, wrong, wrongCount } = Tape.parseTape(file([data("x")], "\n".repeat(50_000)))
    expect(tape?.frames).toHaveLength(1)
    expect([wrong.length, wrongCount]).toEqual([1000, 50_000])
    expect(wrong[0]).toEqual({ line: 3, message: "the line is empty" })
  })

  it("is given up at its first line when that is no header", () => {
    const builder = new Tape.TapeBuilder()
    builder.push(utf8.encode("x"))
    expect(builder.isHopeless).toBe(false)
    builder.push(utf8.encode("\n"))
    expect(builder.isHopeless).toBe(true)
  })
})

describe("a line of a tape", () => {
  it.each(["!!!!", "a", "AAAAA", "A=AA", "AA==AA=="])("with a payload that is not base64, %s, is wrong", (base64) => {
    expect(Tape.parseTape(file([data({ base64 })])).wrong).toEqual([
      { line: 2, message: "$[3].base64: expected base64" }
    ])
  })

  it.each(["", "/w==", "AAEC"])("with a payload that is base64, %s, can be decoded", (base64) => {
    const [frame] = Tape.parseTape(file([data({ base64 })])).tape?.frames ?? []
    expect(frame?._tag === "Data" && Buffer.from(Tape.bytesOf(frame.data))).toEqual(Buffer.from(base64, "base64"))
  })

  it("out of its place is wrong", () => {
    const end = Tape.encodeEnd(1, "hash")
    const bytes = file([data("x")], Tape.encodeHeader(header) + end + end + Tape.encodeFrame(data("y")))
    expect(Tape.parseTape(bytes).wrong).toEqual([
      { line: 3, message: "this header does not belong here" },
      { line: 5, message: "this end does not belong here" },
      { line: 6, message: "this frame does not belong here" }
    ])
  })

  it("that nests too deep is wrong", () => {
    const deep = `${Tape.encodeHeader(header).slice(0, -2)},"more":${"[".repeat(1e5)}${"]".repeat(1e5)}}\n`
    expect(Tape.parseTape(utf8.encode(deep))).toMatchObject({
      tape: undefined,
      wrong: [{ line: 1, message: "the line nests deeper than 2000 levels" }]
    })
  })
})
