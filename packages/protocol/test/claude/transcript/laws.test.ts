/**
 * Laws of reading session files, on the files that real CLIs wrote: what is written twice is said once, a file that is
 * cut tells the beginning, what nobody knows changes nothing, and a key that says nothing may be anything.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { casesOf } from "../../../../fixtures/test/Sweep.ts"
import { sessionEvents, sessionOf, transcriptEssentials } from "../../../src/claude/transcript/index.ts"
import { readTranscriptFile, TranscriptReader } from "../../../src/claude/transcript/Reader.ts"
import { decodeTranscriptLine } from "../../../src/claude/transcript/TranscriptCodec.ts"
import { type TranscriptEntry, transcriptOf } from "../../../src/model/Transcript.ts"
import { isNeeded, needOf } from "../../../src/wire/Essentials.ts"
import type { JsonPath } from "../../../src/wire/internal/JsonPath.ts"
import { isRecord } from "../../../src/wire/Json.ts"
import { changes } from "../Tolerance.ts"
import { endsOf, unanchored } from "./Comparison.ts"
import { filesOf, kept, mainFile } from "./Kept.ts"

const utf8 = new TextEncoder()

interface Kept {
  readonly name: string
  /** The lines of the session's own file. */
  readonly lines: ReadonlyArray<string>
  /** The session with these bytes as its own file, and its sub-agents as they are. */
  readonly told: (bytes: Uint8Array) => Told
}

interface Told {
  readonly entries: ReadonlyArray<TranscriptEntry>
  readonly ends: ReadonlyArray<string>
}

const sessions: ReadonlyArray<Kept> = kept.map(({ name, scenario, version }) => {
  const files = filesOf(scenario, version)
  const agents = files.flatMap(({ bytes, path }) => {
    const id = /\/agent-(?<id>[^/]+)\.jsonl$/.exec(path)?.groups?.["id"]
    const beside = files.find((file) => file.path === path.replace(/\.jsonl$/, ".meta.json"))
    const meta: unknown = beside === undefined ? undefined : JSON.parse(new TextDecoder().decode(beside.bytes))
    return id === undefined ? [] : [{ id, file: readTranscriptFile(bytes), meta }]
  })
  return {
    name,
    lines: new TextDecoder().decode(mainFile(scenario, version)).trimEnd().split("\n"),
    told: (bytes) => {
      const session = sessionOf({ sessionId: "s", main: readTranscriptFile(bytes), agents })
      const events = sessionEvents(session).map(({ event }) => event)
      // Whether a point can be gone back to is said by keys that say nothing else.
      return { entries: transcriptOf(events).entries.map(unanchored), ends: endsOf(events) }
    }
  }
})

const bytesOf = (lines: ReadonlyArray<string>): Uint8Array => utf8.encode(lines.map((line) => `${line}\n`).join(""))

const anySession = fc.constantFrom(...sessions)

/** Files in which nobody went back, and in which lines are in their order: 2.1.37 writes them in any. */
const straight = sessions.filter(({ name }) => !/^re(?:sume_at|sume_interrupted|wind)|of 2\.1\.37$/.test(name))

describe("a session file", () => {
  it("tells the same when lines are written again", () => {
    fc.assert(
      fc.property(
        anySession,
        fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 30 }),
        ({ lines, told }, copies) => {
          const again = lines.map((line) => [line])
          // Each copy comes after its original, wherever that is.
          for (const [from, gap] of copies) {
            const line = from % lines.length
            again[line + (gap % (lines.length - line))]?.push(lines[line] ?? "")
          }
          expect(told(bytesOf(again.flat()))).toEqual(told(bytesOf(lines)))
        }
      ),
      { numRuns: casesOf(1000) }
    )
  })

  it("tells the same when all of it is written again, as compactions do", () => {
    for (const { lines, told } of sessions) {
      const half = lines.slice(0, Math.floor(lines.length / 2))
      const rest = lines.slice(half.length)
      expect(told(bytesOf([...half, ...half, ...rest, ...half]))).toEqual(told(bytesOf(lines)))
    }
  })

  it("tells the beginning when it is cut anywhere", () => {
    fc.assert(
      fc.property(fc.constantFrom(...straight), fc.double({ min: 0, max: 1, noNaN: true }), ({ lines, told }, part) => {
        const bytes = bytesOf(lines)
        const { entries } = told(bytes.subarray(0, Math.floor(part * bytes.length)))
        expect(entries).toEqual(told(bytes).entries.slice(0, entries.length))
      }),
      { numRuns: casesOf(2000) }
    )
  })

  it("that is cut never has a line that cannot be read", () => {
    for (const { lines } of sessions) {
      const bytes = bytesOf(lines.slice(0, 6))
      for (let end = 0; end <= bytes.length; end += 97) {
        const { isTorn, lines: count, unread } = readTranscriptFile(bytes.subarray(0, end))
        expect([unread, count + (isTorn ? 1 : 0)]).toEqual([
          0,
          new TextDecoder()
            .decode(bytes.subarray(0, end))
            .split("\n")
            .filter((line) => line !== "").length
        ])
      }
    }
  })

  it("tells the same in any chunking", () => {
    fc.assert(
      fc.property(anySession, fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }), ({ lines }, sizes) => {
        const bytes = bytesOf(lines)
        const reader = new TranscriptReader()
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          reader.push(bytes.subarray(at, at + size))
          at += size
        }
        expect(reader.end()).toEqual(readTranscriptFile(bytes))
      }),
      { numRuns: casesOf(300) }
    )
  })
})

describe("lines that nobody knows", () => {
  const uuidsIn = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    lines.flatMap((line) => {
      const { uuid } = JSON.parse(line)
      return typeof uuid === "string" ? [uuid] : []
    })

  /** A line of a type of the future, which may hang on any line of the file. */
  const unknownLine = (uuids: ReadonlyArray<string>) =>
    fc.oneof(
      fc.record({ type: fc.constant("of-the-future"), sessionId: fc.string() }),
      fc.record({
        type: fc.constantFrom("of-the-future", "system", "attachment"),
        subtype: fc.constant("of-the-future"),
        attachment: fc.record({ type: fc.constant("of-the-future") }),
        uuid: fc.uuid(),
        parentUuid: fc.option(fc.oneof(fc.constantFrom(...uuids), fc.uuid())),
        isSidechain: fc.boolean(),
        timestamp: fc.constant("2027-01-01T00:00:00.000Z")
      }),
      fc.constantFrom("not JSON", "[1]", "", "7", '{"type":7}')
    )

  it("change nothing, wherever they are", () => {
    fc.assert(
      fc.property(
        anySession.chain((session) =>
          fc.tuple(
            fc.constant(session),
            fc.array(fc.tuple(fc.nat(session.lines.length), unknownLine(uuidsIn(session.lines))), {
              minLength: 1,
              maxLength: 8
            })
          )
        ),
        ([{ lines, told }, more]) => {
          const mixed = [...lines]
          for (const [at, line] of more) mixed.splice(at, 0, typeof line === "string" ? line : JSON.stringify(line))
          expect(told(bytesOf(mixed))).toEqual(told(bytesOf(lines)))
        }
      ),
      { numRuns: casesOf(1000) }
    )
  })

  it("may be links of the chain", () => {
    for (const { lines, told } of sessions) {
      const odd = lines.map((line) =>
        /"type":"attachment"/.test(line) &&
        !/"type":"(?:queued_command|structured_output|max_turns_reached|hook_)/.test(line)
          ? line.replace('"type":"attachment"', '"type":"of-the-future"')
          : line
      )
      expect(told(bytesOf(odd))).toEqual(told(bytesOf(lines)))
    }
  })
})

describe("a key that says nothing", () => {
  const tags = new Set(["type", "subtype", "attachment", "attachment.type"])

  interface Place {
    readonly session: Kept
    readonly line: number
    readonly path: JsonPath
  }

  const places: ReadonlyArray<Place> = sessions.flatMap((session) =>
    session.lines.flatMap((text, line): ReadonlyArray<Place> => {
      const decoded = decodeTranscriptLine(text)
      if (decoded._tag !== "Known") return []
      const need = needOf(transcriptEssentials[decoded.name] ?? ["uuid", "parentUuid?", "isSidechain?", "teamName?"])
      return keysOf(JSON.parse(text))
        .filter((path) => !tags.has(path.join(".")) && !isNeeded(need, path))
        .map((path) => ({ session, line, path }))
    })
  )

  it("may be missing, null or of another type", () => {
    expect(places.length).toBeGreaterThan(10_000)
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.constantFrom(...Object.values(changes)),
        ({ line, path, session }, change) => {
          const lines = [...session.lines]
          const value: unknown = JSON.parse(lines[line] ?? "")
          let holder: unknown = value
          for (const step of path.slice(0, -1)) holder = (holder as Record<string, unknown>)[step as string]
          const last = path.at(-1) as string
          if ("to" in change) (holder as Record<string, unknown>)[last] = change.to
          else if (Array.isArray(holder)) holder.splice(Number(last), 1)
          else delete (holder as Record<string, unknown>)[last]
          lines[line] = JSON.stringify(value)
          expect(session.told(bytesOf(lines))).toEqual(session.told(bytesOf(session.lines)))
        }
      ),
      { numRuns: casesOf(6000) }
    )
  })
})

const keysOf = (value: unknown, path: JsonPath = []): ReadonlyArray<JsonPath> => {
  const entries: ReadonlyArray<readonly [string | number, unknown]> = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : isRecord(value)
      ? Object.entries(value)
      : []
  return entries.flatMap(([step, inner]) => [[...path, step], ...keysOf(inner, [...path, step])])
}
