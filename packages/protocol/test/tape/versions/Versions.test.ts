/**
 * Tapes of every version that there was, as they were written then, and what loading them gave then. Neither file is ever
 * written again: a tape that loads differently is a bug in what reads it, or a new version.
 */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The tapes and the hashes of their files: what is kept stays what it is. */
const kept: Readonly<Record<string, readonly [tape: string, loaded: string]>> = {
  // A recording over stdio: a secret that was replaced, stderr, bytes that are not UTF-8, a line without its end.
  "v1-stdio": [
    "9267c008866e035421adc7d566b5acbefd36eb31b3ec293f1570627ba9b71d8c",
    "80475bfe04855a65860e5abb583ccac5c1e289825dd3aab526ff3d2c8c185ccf"
  ],
  // A WebSocket of a real CLI, 2.1.37, that was cut: open, marker, close with a code.
  "v1-ws": [
    "a9f1aa063b01ce4f766e169b9ac486c8460eceea5348774fca4db5f2d1aa440a",
    "9fc86e4c7a9110258683475ec71138b8b184427dd1fa78152c1c4fdbe551dc86"
  ],
  // The first one, as a recorder leaves it that is killed in the middle of a line.
  "v1-torn": [
    "0bc4bf19cea37a06ac8113d5ff00fb719997fdee5ca1315e0fe54254141313d4",
    "4945ddff81714c53906bafbc6bc36ab4635afd0a80777fc3030b3386501215e9"
  ]
}

const hashOf = (what: string | Uint8Array): string => createHash("sha256").update(what).digest("hex")

const tapeIn = (name: string): Uint8Array => readFileSync(fileOf(`${name}.tape`))
const loadedIn = (name: string): unknown => JSON.parse(readFileSync(fileOf(`${name}.json`), "utf8"))

describe.each(Object.entries(kept))("%s", (name, [tape, loaded]) => {
  it("is the file that was kept", () => {
    expect([hashOf(tapeIn(name)), hashOf(JSON.stringify(loadedIn(name)))]).toEqual([tape, loaded])
  })

  it("loads as it always did", () => {
    const parsed = Tape.parseTape(tapeIn(name))
    expect({ ...parsed.tape, wrong: parsed.wrong }).toEqual(loadedIn(name))
  })

  it("is, written again, a tape of today with the same frames", () => {
    const { tape } = Tape.parseTape(tapeIn(name))
    if (tape === undefined) throw new Error("no tape")
    const again = Tape.parseTape(new TextEncoder().encode(Tape.encodeTape(tape)))
    expect(again.tape).toEqual({ header: { ...tape.header, tape: Tape.tapeVersion }, frames: tape.frames })
  })
})

describe("the versions", () => {
  it("are counted from 1, each with the way to the next, up to the one that is written", () => {
    expect(Tape.tapeVersions.map(({ version }) => version)).toEqual(
      Array.from({ length: Tape.tapeVersion }, (_, at) => at + 1)
    )
    const ways = Tape.tapeVersions.map(({ upgrade }) => upgrade !== undefined)
    expect(ways).toEqual(Tape.tapeVersions.map(({ version }) => version < Tape.tapeVersion))
  })

  it("have tapes that are kept, each of them", () => {
    const names = readdirSync(fileOf(".")).filter((file) => file.endsWith(".tape"))
    expect(names.sort()).toEqual(
      Object.keys(kept)
        .map((name) => `${name}.tape`)
        .sort()
    )
    for (const { version } of Tape.tapeVersions)
      expect(names.some((name) => name.startsWith(`v${version}-`))).toBe(true)
  })
})

describe("a tape of another version", () => {
  /** Formats that never were: frames were objects in the first, and said `out` for stdout in the second. */
  const versions: ReadonlyArray<Tape.TapeVersion> = [
    {
      version: -1,
      news: "objects",
      upgrade: (line) =>
        typeof line === "object" && line !== null && "from" in line
          ? [0, line.from, "out", (line as unknown as { readonly text: string }).text]
          : { ...(line as object), tape: 0 }
    },
    {
      version: 0,
      news: "lists",
      upgrade: (line) =>
        Array.isArray(line) ? line.map((each) => (each === "out" ? "stdout" : each)) : { ...(line as object), tape: 1 }
    },
    { version: 1, news: "stdout" }
  ]
  const header = {
    agentwire: "0.0.0",
    runtime: { name: "claude-code" },
    transport: "stdio",
    argv: [],
    startedAt: "2026-01-01T00:00:00Z",
    redacted: []
  }
  const read = (lines: ReadonlyArray<unknown>, table?: ReadonlyArray<Tape.TapeVersion>) => {
    const reader = Tape.tapeReader({}, table)
    return [...reader.push(new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join("")))]
  }
  const today = [
    { _tag: "Header", line: 1, header: { ...header, tape: 1 } },
    { _tag: "Frame", line: 2, frame: { _tag: "Data", wait: 0, from: "agent", channel: "stdout", data: "hi\n" } }
  ]

  it("is made one of today's, step by step", () => {
    expect(
      read(
        [
          { tape: -1, ...header },
          { from: "agent", text: "hi\n" }
        ],
        versions
      )
    ).toEqual(today)
    expect(read([{ tape: 0, ...header }, [0, "agent", "out", "hi\n"]], versions)).toEqual(today)
    expect(read([{ tape: 1, ...header }, [0, "agent", "stdout", "hi\n"]], versions)).toEqual(today)
  })

  it("is not upgraded where it is of today", () => {
    expect(read([{ tape: 1, ...header }, [0, "agent", "out", "hi\n"]], versions)[1]).toMatchObject({ _tag: "Wrong" })
  })

  it("of the future says so, and what to do", () => {
    const [first] = read([{ tape: Tape.tapeVersion + 6, ...header, runtime: "of another kind" }])
    expect(first).toEqual({
      _tag: "Wrong",
      line: 1,
      code: "TAPE_TOO_NEW",
      message: `is a tape of format version ${Tape.tapeVersion + 6}, and this agentwire reads up to version ${Tape.tapeVersion}: update agentwire to read it`
    })
  })

  it.each([0, -1, 0.5])("that there never was, such as %d, says so", (tape) => {
    expect(read([{ tape, ...header }])).toEqual([
      { _tag: "Wrong", line: 1, code: "TAPE_VERSION_UNKNOWN", message: expect.stringContaining(`version ${tape}, and`) }
    ])
  })

  it("is no tape at all, and its frames are not read as if it were one of today's", () => {
    const text = [{ tape: 99, ...header }, [0, "agent", "stdout", "hi\n"]]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join("")
    const { tape, wrong } = Tape.parseTape(new TextEncoder().encode(text))
    expect(tape).toBeUndefined()
    expect(wrong[0]).toMatchObject({ line: 1, code: "TAPE_TOO_NEW" })
  })
})
