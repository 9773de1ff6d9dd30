/**
 * Our SSE reader against the clients' own: what they cannot read is an error, and where they can, the events are the
 * same.
 */
import { parseSSEStream } from "@ag-ui/client"
import { parseSSEStream as parseSSEStream00 } from "agui-client-059"
import * as fc from "fast-check"
import { Subject } from "rxjs"
import { expect, test } from "vitest"
import { casesOf } from "../../packages/fixtures/test/Sweep.ts"
import { makeSseChecker } from "../../packages/protocol/src/conform/SseChecker.ts"

type Parse = (source: Subject<unknown>) => Subject<unknown>

/** What a client reads of a body: its events, and whether it failed. */
const read = (parse: Parse, chunks: ReadonlyArray<Uint8Array>) => {
  const source = new Subject<unknown>()
  const events: Array<unknown> = []
  let failed = false
  parse(source).subscribe({
    next: (event) => events.push(event),
    error: () => {
      failed = true
    }
  })
  for (const data of chunks) source.next({ type: "data", data })
  source.complete()
  return { events, failed }
}

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('data: {"type":"RAW"}\n\n', "data:1\n\n", 'data: {\ndata: "a": "é😀"}\n\n') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(": x\n\n", "id: 1\n", "event: y\ndata: 2\n\n", "\n", "\n\n\n", "data:  3\n\n")
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("data: [DONE]\n\n", "data: 4\n", "data: {bad\n\n", "data:\n\n", "\r", "\r\n", "data")
  }
)

test.each([
  ["1.0.0", parseSSEStream as unknown as Parse],
  ["0.0.59", parseSSEStream00 as unknown as Parse]
])("client %s reads what we read, and what it cannot read is an error", (_name, parse) => {
  const numRuns = casesOf(3000)
  const seen = { read: 0, failed: 0 }
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.integer({ min: 1, max: 40 }), (list, size) => {
      const bytes = new TextEncoder().encode(list.join(""))
      const chunks: Array<Uint8Array> = []
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
      const theirs = read(parse, chunks)
      const reader = makeSseChecker()
      const items = [...chunks.flatMap((chunk) => [...reader.push(chunk)]), ...reader.end()]
      const errors = items.flatMap((item) =>
        item._tag === "Finding" && item.finding.level === "error" ? [item.finding] : []
      )
      seen[theirs.failed ? "failed" : "read"]++
      if (theirs.failed) expect(errors).not.toEqual([])
      if (errors.length === 0)
        expect(items.flatMap((item) => (item._tag === "Event" ? [item.event] : []))).toEqual(theirs.events)
    }),
    { numRuns, seed: 1 }
  )
  expect(seen.read).toBeGreaterThan(numRuns / 20)
  expect(seen.failed).toBeGreaterThan(numRuns / 20)
})
