/** `@agentwire/protocol/wire`: lines of NDJSON, server-sent events and JSON values, without Effect. */
import {
  defaultMaxLineBytes,
  Framer,
  isRecord,
  JsonScan,
  jsonPieces,
  maxDepth,
  maxValues,
  nestsDeeper,
  parseJson,
  readJson,
  readSse,
  SseEventTooLong,
  SseReader
} from "@agentwire/protocol/wire"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

// Bytes in any chunks become lines. A line that is too long is said to be, and the next one is read.
const framer = new Framer({ maxLineBytes: defaultMaxLineBytes })
console.log(framer.push(bytes('{"a":1}\n{"b"')).length, framer.push(bytes(":2}\n")).length, framer.end().length) // 1 1 0

// A value from a text that may be anything.
const value = parseJson('{"deep":[[1]]}')
console.log(isRecord(value), nestsDeeper(value, 2), parseJson("no JSON")) // true true undefined

// The same, with the reason where there is none. A few megabytes can nest too deep, or hold too many values.
const read = readJson("[".repeat(maxDepth + 1) + "]".repeat(maxDepth + 1))
console.log(read.isRead ? read.value : read.code, maxValues) // TOO_DEEP 2000000

// A look through JSON as it comes, without parsing it: where the outer list and what is in it begin and end.
const scan = new JsonScan()
const piece = "[1,[2,[3]],4"
const marks: Array<number> = []
for (let at = scan.seek(piece, 0, 1); at < piece.length; at = scan.seek(piece, at + 1, 1)) marks.push(at)
console.log(marks, scan.values, scan.deepest, scan.depth) // [ 0, 2, 3, 9, 10 ] 6 3 1

// JSON in pieces, each of which is written in a moment, however long a text in it is. Others may have their turn in between.
console.log([...jsonPieces({ long: "abcdef" }, 3)].join(" | ")) // { | "lon | g" | : | "abc | def" | }

// Server-sent events from bytes as they come …
const reader = new SseReader()
console.log(reader.push(bytes("id: 7\ndata: hello\n\n"))) // [ { id: '7', event: 'message', data: 'hello' } ]

// … or from the body of a response.
const body = new Blob(["data: hi\n\n"])
for await (const { data } of readSse(body.stream())) console.log(data) // hi

// An event that is longer than the limit ends the reading.
try {
  for await (const { data } of readSse(body.stream(), { maxLength: 1 })) console.log(data)
} catch (error) {
  if (error instanceof SseEventTooLong) console.log(error.code) // SSE_EVENT_TOO_LONG
}
