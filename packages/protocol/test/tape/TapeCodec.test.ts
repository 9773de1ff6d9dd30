/** Laws of the tape format. */
import { Tape } from "@agentwire/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const utf8 = new TextEncoder()
const header: fc.Arbitrary<Tape.TapeHeader> = fc.record(
  {
    tape: fc.constant(1 as const),
    agentwire: fc.string(),
    runtime: fc.record(
      { name: fc.constantFrom("claude-code", "codex"), version: fc.string() },
      { requiredKeys: ["name"] }
    ),
    transport: fc.constantFrom("stdio" as const, "ws" as const),
    argv: fc.array(fc.string({ unit: "binary" })),
    startedAt: fc.string(),
    redacted: fc.array(fc.string()),
    scenario: fc.string()
  },
  { requiredKeys: ["tape", "agentwire", "runtime", "transport", "argv", "startedAt", "redacted"] }
)
const wait = fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0)
const from = fc.constantFrom("host" as const, "agent" as const)
const channel = fc.constantFrom("stdin" as const, "stdout" as const, "stderr" as const, "ws" as const)
const text = fc.string({ unit: "binary", maxLength: 20 })
const frame: fc.Arbitrary<Tape.Frame> = fc.oneof(
  fc.record({ _tag: fc.constant("Data" as const), wait, from, channel, data: fc.uint8Array().map(Tape.payloadOf) }),
  fc.record(
    { _tag: fc.constant("Close" as const), wait, from, channel, ws: fc.record({ code: fc.nat(), reason: text }) },
    { requiredKeys: ["_tag", "wait", "from", "channel"] }
  ),
  fc.record({
    _tag: fc.constant("Open" as const),
    wait,
    url: text,
    headers: fc.dictionary(fc.string({ minLength: 1 }), text, { noNullPrototype: true })
  }),
  fc.record({ _tag: fc.constant("Exit" as const), wait, code: fc.option(fc.nat()), signal: fc.option(fc.string()) }),
  fc.record({ _tag: fc.constant("Marker" as const), wait, text })
)
const tape = fc.record({ header, frames: fc.array(frame, { maxLength: 6 }) })

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe("a tape", () => {
  it("is what it was after writing and reading", () => {
    fc.assert(
      fc.property(tape, (one) => {
        const file = Tape.encodeTape(one) + Tape.encodeEnd(one.frames.length, "hash")
        const { tape: read, wrong } = Tape.parseTape(utf8.encode(file))
        expect(wrong).toEqual([])
        expect(plain(read)).toEqual(plain({ ...one, end: { end: one.frames.length, sha256: "hash" } }))
      })
    )
  })

  it("gives back the bytes of a channel, whatever they are and however they came", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        const frames = chunks.map(
          (chunk): Tape.Frame => ({
            _tag: "Data",
            wait: 0,
            from: "agent",
            channel: "stdout",
            data: Tape.payloadOf(chunk)
          })
        )
        const { tape: read } = Tape.parseTape(
          utf8.encode(
            Tape.encodeTape({ header: fc.sample(header, { numRuns: 1, seed: 1 })[0] as Tape.TapeHeader, frames })
          )
        )
        const bytes = read?.frames.flatMap((one) => (one._tag === "Data" ? [...Tape.bytesOf(one.data)] : []))
        expect(bytes).toEqual(chunks.flatMap((chunk) => [...chunk]))
      })
    )
  })

  it("cut at any byte is a prefix of its frames, and nothing is wrong with it", () => {
    fc.assert(
      fc.property(tape, (one) => {
        const bytes = utf8.encode(Tape.encodeTape(one) + Tape.encodeEnd(one.frames.length, "hash"))
        let most = 0
        for (let length = 0; length <= bytes.length; length++) {
          const { tape: read, wrong } = Tape.parseTape(bytes.subarray(0, length))
          expect(wrong).toEqual([])
          const frames = read?.frames ?? []
          expect(frames.length).toBeGreaterThanOrEqual(most)
          most = frames.length
          expect(plain(frames)).toEqual(plain(one.frames.slice(0, frames.length)))
        }
        expect(most).toBe(one.frames.length)
      }),
      { numRuns: 20 }
    )
  })

  it("reads the same in any chunking", () => {
    fc.assert(
      fc.property(tape, fc.integer({ min: 1, max: 50 }), (one, size) => {
        const bytes = utf8.encode(Tape.encodeTape(one))
        const whole = Tape.tapeReader()
        const reader = Tape.tapeReader()
        const items: Array<Tape.TapeItem> = []
        for (let at = 0; at < bytes.length; at += size) items.push(...reader.push(bytes.subarray(at, at + size)))
        expect([...items, ...reader.end()]).toEqual([...whole.push(bytes), ...whole.end()])
      })
    )
  })

  it("of garbage is no tape, and throws nothing", () => {
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((value) => utf8.encode(`${value}\n`))
    )
    fc.assert(
      fc.property(fc.array(garbage), (parts) => {
        const { tape: read } = Tape.parseTape(Uint8Array.from(parts.flatMap((part) => [...part])))
        expect(read).toBeUndefined()
      })
    )
  })

  it("lists what is wrong with its line and keeps what is right", () => {
    const [one] = fc.sample(header, { numRuns: 1, seed: 2 })
    const good = '[1,"agent","stdout","{}\\n"]\n'
    const file = `${JSON.stringify(one)}\n${good}[1,"nobody","stdout",""]\n{"tape":2}\nnonsense\n${good}`
    const { tape: read, wrong } = Tape.parseTape(utf8.encode(file))
    expect(read?.frames).toHaveLength(2)
    expect(wrong.map(({ line }) => line)).toEqual([3, 4, 5])
  })

  it.each(["!", "AA", "AAA", "A===", "AAAA=", "AA AA", "AA\n=="])("has a wrong line where bytes are %j", (base64) => {
    const [one] = fc.sample(header, { numRuns: 1, seed: 2 })
    const frame = (data: string) => `[1,"agent","stdout",${JSON.stringify({ base64: data })}]\n`
    const { tape: read, wrong } = Tape.parseTape(
      utf8.encode(`${JSON.stringify(one)}\n${frame(base64)}${frame("/w==")}${frame("")}`)
    )
    expect(wrong).toMatchObject([{ line: 2, message: expect.stringContaining("base64") }])
    expect(Tape.tapeLines(read?.frames ?? [])).toHaveLength(1)
  })
})

describe("tapeLines", () => {
  it("joins the lines of each side over frames, without stderr", () => {
    const data = (from: Tape.Speaker, channel: Tape.Channel, text: string): Tape.Frame => ({
      _tag: "Data",
      wait: 0,
      from,
      channel,
      data: text
    })
    const lines = Tape.tapeLines([
      data("agent", "stdout", '{"a"'),
      data("host", "stdin", "x\ny\n"),
      data("agent", "stderr", "oops\n"),
      data("agent", "stdout", ":1}\nrest")
    ])
    expect(lines.map(({ from, line }) => [from, line.text])).toEqual([
      ["host", "x"],
      ["host", "y"],
      ["agent", '{"a":1}'],
      ["agent", "rest"]
    ])
  })
})
