/** Streams of events for the tests of `agentwire conform`, and the ways to record one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll } from "vitest"
import { type Ran, run } from "../run.ts"

/** An event. */
export type Event = Readonly<Record<string, unknown>>

const ids = { threadId: "t", runId: "r" }

/** A run with these events in it. */
export const runOf = (...events: ReadonlyArray<Event>): ReadonlyArray<Event> => [
  { type: "RUN_STARTED", ...ids, protocolVersion: "1.0" },
  ...events,
  { type: "RUN_FINISHED", ...ids, outcome: { type: "success" } }
]

/** A text message. */
export const textOf = (messageId: string, delta: string): ReadonlyArray<Event> => [
  { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId, delta },
  { type: "TEXT_MESSAGE_END", messageId }
]

/** Breaks no rule. */
export const good = runOf(...textOf("m", "Hello"))

/** Content of a message that was never started: every client rejects it, at event 1. */
export const broken = runOf({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Hello" })

/** A patch that cannot be applied: clients go on without it. Event 2. */
export const doubtful = runOf(
  { type: "STATE_SNAPSHOT", snapshot: {} },
  { type: "STATE_DELTA", delta: [{ op: "remove", path: "/nothing" }] }
)

/** One event a line. */
export const ndjson = (events: ReadonlyArray<Event>): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("")

/** As a server sends them. */
export const sse = (events: ReadonlyArray<Event>): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")

/** As `curl -i` shows a response. */
export const response = (events: ReadonlyArray<Event>): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n\r\n${sse(events)}`

/** The ways to record a stream that tell where its lines are, with the line of the event at an index. */
export const recordings: ReadonlyArray<
  readonly [name: string, (events: ReadonlyArray<Event>) => string | Uint8Array, (index: number) => number | undefined]
> = [
  ["NDJSON", ndjson, (index) => index + 1],
  ["NDJSON with blank lines", (events) => `\n${ndjson(events).replaceAll("\n", "\r\n\r\n")}`, (index) => 2 * index + 2],
  ["SSE", sse, (index) => 2 * index + 1],
  ["SSE with comments", (events) => `: hello\n\n${sse(events)}`, (index) => 2 * index + 3],
  ["an HTTP response", response, (index) => 2 * index + 5],
  [
    "an HTTP response after another",
    (events) => `HTTP/1.1 100 Continue\r\n\r\n${response(events)}`,
    (index) => 2 * index + 7
  ],
  ["a JSON array", (events) => JSON.stringify(events), () => undefined],
  ["a JSON array over many lines", (events) => JSON.stringify(events, undefined, 2), () => undefined],
  ["gzipped NDJSON", (events) => gzipSync(ndjson(events)), (index) => index + 1],
  ["gzipped SSE", (events) => gzipSync(sse(events)), (index) => 2 * index + 1]
]

/** A folder that is gone after the tests, and what is written into it. */
export const folder = (): {
  readonly path: (name: string) => string
  readonly file: (name: string, content: string | Uint8Array) => string
} => {
  const root = mkdtempSync(join(tmpdir(), "agentwire-conform-"))
  afterAll(() => rmSync(root, { recursive: true }))
  const path = (name: string): string => join(root, name)
  return {
    path,
    file: (name, content) => {
      writeFileSync(path(name), content)
      return path(name)
    }
  }
}

/** A line of the JSON report. */
export type Row = Readonly<Record<string, unknown>>

/** A report of `--json`. */
export interface Report extends Ran {
  readonly rows: ReadonlyArray<Row>
  readonly findings: ReadonlyArray<Row>
  /** The last line. */
  readonly last: Row
}

/** Runs `agentwire conform --json`. */
export const report = async (args: ReadonlyArray<string>, stdin: string | Uint8Array = ""): Promise<Report> => {
  const ran = await run(["conform", "--json", ...args], stdin)
  const rows = ran.out
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Row => JSON.parse(line))
  return { ...ran, rows, findings: rows.filter((row) => "rule" in row), last: rows.at(-1) ?? {} }
}
