/**
 * Files that mean harm, by name: each is made on the spot, in the size that is asked for. `unit` is how large: a
 * megabyte of it in the tests, a hundred in `npm run hostile`.
 */
import { execFileSync } from "node:child_process"
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

/** One file that means harm. */
export interface HostileInput {
  readonly name: string
  /** Makes it in a folder, and gives its path. */
  readonly make: (folder: string, unit: number) => string
}

const header = JSON.stringify({
  tape: 1,
  agentwire: "0.0.0",
  runtime: { name: "claude-code", version: "2.1.325" },
  transport: "stdio",
  argv: [],
  startedAt: "2026-01-01T00:00:00Z",
  redacted: []
})

const frame = (payload: unknown): string => `${JSON.stringify([0, "agent", "stdout", payload])}\n`

/** Writes pieces one after the other, `times` each, without ever holding the file. */
const pieces = (path: string, ...parts: ReadonlyArray<readonly [part: string | Uint8Array, times: number]>): string => {
  const file = openSync(path, "w")
  for (const [part, times] of parts) {
    const bytes = Buffer.from(part)
    // Many small pieces at once: a call for each would take longer than the command that reads them.
    const atOnce = Math.max(1, Math.min(times, Math.floor((1 << 22) / Math.max(1, bytes.length))))
    const block = Buffer.alloc(bytes.length * atOnce, bytes)
    let left = times
    for (; left >= atOnce; left -= atOnce) writeSync(file, block)
    writeSync(file, block, 0, bytes.length * left)
  }
  closeSync(file)
  return path
}

const input = (name: string, make: (path: string, unit: number) => unknown): HostileInput => ({
  name,
  make: (folder, unit) => {
    const path = join(folder, name)
    make(path, unit)
    return path
  }
})

/** A file of a text, a unit of which is written. */
const filled = (name: string, part: string | Uint8Array, start = "", end = "") =>
  input(name, (path, unit) => pieces(path, [start, 1], [part, Math.ceil(unit / Buffer.from(part).length)], [end, 1]))

const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`

/** Gzip of many times the same: members one after the other, as the recorder writes them. */
const bomb = (name: string, start: string, part: string | Uint8Array) =>
  input(name, (path, unit) => {
    const bytes = Buffer.from(part)
    const block = Buffer.alloc(Math.ceil(unit / bytes.length) * bytes.length, bytes)
    pieces(path, [gzipSync(start), start === "" ? 0 : 1], [gzipSync(block), 20])
  })

/** All of them. */
export const hostileInputs: ReadonlyArray<HostileInput> = [
  filled("newlines", "\n"),
  filled("newlines-on-a-tape", "\n", `${header}\n`),
  filled("brackets", "[\n"),
  bomb("bomb-of-zeros.gz", "", Uint8Array.of(0)),
  bomb("bomb-of-newlines.gz", "", "\n"),
  bomb("bomb-of-frames.tape.gz", `${header}\n`, frame("")),
  bomb("bomb-of-long-line.tape.gz", `${header}\n[0,"agent","stdout","`, "x"),
  input("one-line", (path, unit) => {
    // A hole in a file: as long as it likes, and it takes no room.
    const file = openSync(path, "w")
    ftruncateSync(file, 100 * unit)
    closeSync(file)
  }),
  filled(
    "long-header.tape",
    "x",
    header.replace('"argv":[]', '"argv":["').slice(0, header.indexOf('"argv":[') + 9),
    `"],"startedAt":"","redacted":[]}\n`
  ),
  filled("tiny-frames.tape", frame(""), `${header}\n`),
  filled("tiny-messages.tape", frame('{"type":"keep_alive"}\n'), `${header}\n`),
  filled("not-base64.tape", frame({ base64: "!!!" }), `${header}\n`),
  filled("broken-frames.tape", '[0,"agent","stdout"]\n[{}]\n{"end":1}\n', `${header}\n`),
  filled("headers.tape", `${header}\n`),
  input("deep.ndjson", (path, unit) => pieces(path, [`{"type":"assistant","message":${deep(unit / 2)}}\n`, 1])),
  input("deep-open.ndjson", (path, unit) => pieces(path, ["[", unit], ["\n", 1])),
  input("deep-header.tape", (path, unit) => pieces(path, [`${header.slice(0, -1)},"more":${deep(unit / 2)}}\n`, 1])),
  input("deep-payload.tape", (path, unit) =>
    pieces(path, [`${header}\n`, 1], [frame(`{"type":"assistant","message":${deep(unit / 2)}}\n`), 1])
  ),
  input("deep-event.ndjson", (path, unit) =>
    pieces(path, [`{"type":"CUSTOM","name":"x","value":${deep(unit / 2)}}\n`, 1])
  ),
  input("values.ndjson", (path, unit) =>
    pieces(path, ['{"type":"assistant","message":[{}', 1], [",{}", Math.floor(unit / 3)], ["]}\n", 1])
  ),
  input("values.tape", (path, unit) => {
    const payload = `{"type":"assistant","message":[{}${",{}".repeat(30_000)}]}\n`
    pieces(path, [`${header}\n`, 1], [frame(payload), Math.ceil(unit / payload.length)])
  }),
  filled("tiny-lines.ndjson", "{}\n"),
  filled("unknown.ndjson", '{"type":"x","subtype":"y"}\n'),
  input("long-names.ndjson", (path, unit) => {
    for (let at = 0, file = openSync(path, "w"); at <= 64; at++) {
      if (at === 64) closeSync(file)
      else writeSync(file, `{"type":"${String(at).padEnd(unit / 64, "x")}"}\n`)
    }
  }),
  input("drift.ndjson", (path, unit) => {
    const file = openSync(path, "w")
    for (let at = 0; at * 100 < unit; at++)
      writeSync(file, `{"type":"keep_alive","k${at}":"${String(at).padEnd(60, "x")}"}\n`)
    closeSync(file)
  }),
  input("open-calls.ndjson", (path, unit) => {
    const file = openSync(path, "w")
    for (let at = 0; at * 600 < unit; at++)
      writeSync(
        file,
        `${JSON.stringify({
          type: "assistant",
          message: {
            id: `m${at}`,
            type: "message",
            role: "assistant",
            model: "m",
            content: [{ type: "tool_use", id: `t${at}`, name: "Bash", input: { command: "x".repeat(300) } }],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: 1, output_tokens: 1 }
          },
          parent_tool_use_id: null,
          session_id: "s",
          uuid: `u${at}`
        })}\n`
      )
    closeSync(file)
  }),
  input("open-events.ndjson", (path, unit) => {
    const file = openSync(path, "w")
    writeSync(file, '{"type":"RUN_STARTED","threadId":"t","runId":"r"}\n')
    for (let at = 0; at * 70 < unit; at++)
      writeSync(file, `{"type":"TEXT_MESSAGE_START","messageId":"m${at}","role":"assistant"}\n`)
    closeSync(file)
  }),
  input("compactions.jsonl", (path, unit) => {
    const file = openSync(path, "w")
    for (let at = 0; at * 150 < unit; at++)
      writeSync(
        file,
        `${JSON.stringify({ type: "system", subtype: "compact_boundary", uuid: `u${at}`, parentUuid: null, logicalParentUuid: `u${(at * 7) % (at + 1)}` })}\n`
      )
    closeSync(file)
  }),
  input("backwards.jsonl", (path, unit) => {
    const file = openSync(path, "w")
    for (let at = Math.ceil(unit / 110); at > 0; at--)
      writeSync(
        file,
        `${JSON.stringify({ type: "user", uuid: `u${at}`, parentUuid: `u${at - 1}`, message: { role: "user", content: "x" } })}\n`
      )
    closeSync(file)
  }),
  input("circle.jsonl", (path, unit) => {
    const file = openSync(path, "w")
    const count = Math.ceil(unit / 110)
    for (let at = 0; at < count; at++)
      writeSync(
        file,
        `${JSON.stringify({ type: "user", uuid: `u${at}`, parentUuid: `u${(at + 1) % count}`, message: { role: "user", content: "x" } })}\n`
      )
    closeSync(file)
  }),
  input("branches.jsonl", (path, unit) => {
    const file = openSync(path, "w")
    for (let at = 0; at * 110 < unit; at++)
      writeSync(
        file,
        `${JSON.stringify({ type: "user", uuid: `u${at}`, parentUuid: at === 0 ? null : "u0", message: { role: "user", content: "x" } })}\n`
      )
    closeSync(file)
  }),
  filled("events.sse", "data: {}\n\n"),
  filled("open-array.json", '{"type":"CUSTOM","name":"x","value":1},\n', "[\n"),
  filled("not-utf8", Uint8Array.of(0xff, 0xfe, 10)),
  filled("nul", "\0\n"),
  filled("nul-on-a-tape", "\0", `${header}\n`),
  input("gzip-of-gzip.gz", (path, unit) => writeFileSync(path, gzipSync(gzipSync(Buffer.alloc(unit))))),
  input("cut.tape.gz", (path, unit) => {
    const whole = gzipSync(`${header}\n${frame("x".repeat(100)).repeat(Math.ceil(unit / 140))}`)
    writeFileSync(path, whole.subarray(0, whole.length - 20))
  }),
  input("garbage-after.tape.gz", (path, unit) =>
    pieces(path, [gzipSync(`${header}\n${frame("x")}`), 1], ["garbage", Math.ceil(unit / 7)])
  ),
  input("garbage-after.tape", (path, unit) =>
    pieces(path, [`${header}\n{"end":0,"sha256":""}\n`, 1], ["garbage\n", Math.ceil(unit / 8)])
  ),
  input("members.tape.gz", (path, unit) =>
    pieces(path, [gzipSync(`${header}\n`), 1], [gzipSync(frame("")), Math.ceil(unit / 60)])
  ),
  input("broken.gz", (path) =>
    writeFileSync(path, Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(99, 7)]))
  ),
  input("folder", (path) => mkdirSync(path)),
  input("pipe", (path) => execFileSync("mkfifo", [path])),
  { name: "/dev/zero", make: () => "/dev/zero" }
]
