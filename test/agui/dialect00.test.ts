/**
 * The dialects against the real clients: `@ag-ui/client` 1.0.0 and 0.0.59.
 *
 * Every row of the table of differences is run through both over HTTP, and our 0.0
 * schemas accept the same values as those of 0.0.59: those we generate, and spoilt ones.
 */
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { HttpAgent } from "@ag-ui/client"
import { EventSchemas, EventType, HttpAgent as HttpAgent00, MessageSchema, RunAgentInputSchema } from "agui-client-059"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { casesOf } from "../../packages/fixtures/test/Sweep.ts"
import {
  type Dialect,
  type DifferenceId,
  dialectOf,
  dialects,
  differences,
  type Verdict
} from "../../packages/protocol/src/agui/Dialect.ts"
import {
  AguiEvent00,
  events00,
  Message00,
  messages00,
  RunAgentInput00
} from "../../packages/protocol/src/agui/Event00.ts"
import { mutate, mutation, samples } from "../../packages/protocol/test/agui/Mutation.ts"

type Json = Record<string, unknown>

const started = { type: "RUN_STARTED", threadId: "t", runId: "r" }
const finished = { type: "RUN_FINISHED", threadId: "t", runId: "r" }
const during = (...events: ReadonlyArray<Json>) => [started, ...events, finished]
const finishing = (fields: Json) => [started, { ...finished, ...fields }]
const snapshot = (message: Json) => during({ type: "MESSAGES_SNAPSHOT", messages: [{ id: "m", ...message }] })
const user = (part: Json) => snapshot({ role: "user", content: [part] })
const custom = { type: "CUSTOM", name: "n", value: 1 }

/** A stream for each row, and the text by which the application would see that the thing arrived. */
const examples: Record<DifferenceId, { readonly stream: ReadonlyArray<Json>; readonly arrives: string }> = {
  "event-unknown": { stream: during({ type: "LATER" }), arrives: '"LATER"' },
  "event-unknown-key": { stream: during({ ...custom, later: 1 }), arrives: '"later"' },
  "outcome-cancelled": { stream: finishing({ outcome: { type: "cancelled" } }), arrives: '"cancelled"' },
  "outcome-unknown": { stream: finishing({ outcome: { type: "later" } }), arrives: '"later"' },
  "outcome-pending-tool-calls": {
    stream: finishing({ outcome: { type: "success", pendingToolCallIds: ["c"] } }),
    arrives: '"pendingToolCallIds"'
  },
  "outcome-unknown-key": { stream: finishing({ outcome: { type: "success", later: 1 } }), arrives: '"later"' },
  "subagent-outcome-unknown-key": {
    stream: during(
      { type: "SUBAGENT_STARTED", subagentRunId: "s", name: "n" },
      { type: "SUBAGENT_FINISHED", subagentRunId: "s", outcome: { type: "success", later: 1 } }
    ),
    arrives: '"later"'
  },
  "tool-result-parts": {
    stream: during({
      type: "TOOL_CALL_RESULT",
      messageId: "m",
      toolCallId: "c",
      content: [{ type: "text", text: "x" }]
    }),
    arrives: '"content":[{"type":"text","text":"x"}]'
  },
  "tool-message-parts": {
    stream: snapshot({ role: "tool", toolCallId: "c", content: [{ type: "text", text: "x" }] }),
    arrives: '"content":[{"type":"text","text":"x"}]'
  },
  "part-file-source": {
    stream: user({ type: "image", source: { type: "file", value: "f" } }),
    arrives: '"source":{"type":"file","value":"f"}'
  },
  "text-part-metadata": { stream: user({ type: "text", text: "x", id: "i", metadata: 1 }), arrives: '"metadata":1' },
  "part-metadata-null": {
    stream: user({ type: "image", source: { type: "url", value: "u" }, metadata: null }),
    arrives: '"metadata":null'
  },
  "usage-cache-write": {
    stream: finishing({ usage: [{ inputTokens: 1, cacheWriteInputTokens: 1 }] }),
    arrives: '"cacheWriteInputTokens"'
  },
  "input-without-tools": {
    stream: [{ ...started, input: { threadId: "t", runId: "r", messages: [] } }, finished],
    arrives: '"input"'
  },
  "timestamp-fraction": { stream: during({ ...custom, timestamp: 1.5 }), arrives: '"timestamp":1.5' },
  "custom-without-value": { stream: during({ type: "CUSTOM", name: "n" }), arrives: '"CUSTOM"' },
  "raw-without-event": { stream: during({ type: "RAW" }), arrives: '"RAW"' },
  "snapshot-missing": { stream: during({ type: "STATE_SNAPSHOT" }), arrives: '"STATE_SNAPSHOT"' },
  "patch-path": {
    stream: during({ type: "STATE_DELTA", delta: [{ op: "add", path: "a", value: 1 }] }),
    arrives: '"path":"a"'
  },
  "patch-op": {
    stream: during({ type: "STATE_DELTA", delta: [{ op: "later", path: "/a" }] }),
    arrives: '"later"'
  },
  "reasoning-open-message": {
    stream: during({ type: "REASONING_MESSAGE_START", messageId: "q", role: "reasoning" }),
    arrives: '"RUN_FINISHED"'
  },
  "reasoning-open-span": { stream: during({ type: "REASONING_START", messageId: "q" }), arrives: '"RUN_FINISHED"' },
  "reasoning-without-start": {
    stream: during({ type: "REASONING_MESSAGE_CONTENT", messageId: "q", delta: "x" }),
    arrives: '"REASONING_MESSAGE_CONTENT"'
  },
  "reasoning-twice": {
    stream: during(
      { type: "REASONING_START", messageId: "q" },
      { type: "REASONING_START", messageId: "q" },
      { type: "REASONING_END", messageId: "q" }
    ),
    arrives: '"RUN_FINISHED"'
  },
  "raw-event-null": { stream: during({ ...custom, rawEvent: null }), arrives: '"rawEvent":null' },
  "result-null": { stream: finishing({ result: null }), arrives: '"result":null' }
}

let body = ""
const requests: Array<Json> = []
const server = http.createServer((request, response) => {
  let text = ""
  request.on("data", (chunk) => {
    text += chunk
  })
  request.on("end", () => {
    requests.push(JSON.parse(text))
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end(body)
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  for (const method of ["warn", "error", "debug"] as const) vi.spyOn(console, method).mockImplementation(() => {})
})
afterAll(async () => {
  vi.restoreAllMocks()
  await new Promise((resolve) => server.close(resolve))
})

const run: Record<Dialect, (url: string, see: (event: unknown) => void) => Promise<unknown>> = {
  "1.0": (url, see) => new HttpAgent({ url }).runAgent({}, { onEvent: ({ event }) => see(event) }),
  "0.0": (url, see) => new HttpAgent00({ url }).runAgent({}, { onEvent: ({ event }) => see(event) })
}

/** What the real client of a dialect does with a stream. */
const verdict = async (dialect: Dialect, stream: ReadonlyArray<Json>, arrives: string): Promise<Verdict> => {
  body = stream.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")
  const seen: Array<unknown> = []
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  try {
    await run[dialect](url, (event) => seen.push(structuredClone(event)))
  } catch {
    return "rejected"
  }
  return JSON.stringify(seen).includes(arrives) ? "accepted" : "stripped"
}

const both: ReadonlyArray<Dialect> = ["1.0", "0.0"]

describe.each(both)("client of %s", (dialect) => {
  test.each(Object.entries(differences))("%s", async (id, difference) => {
    const { stream, arrives } = examples[id as DifferenceId]
    expect(await verdict(dialect, stream, arrives)).toBe(difference[dialect])
  })

  test("accepts a plain run, and its request says which dialect it is", async () => {
    expect(await verdict(dialect, [started, finished], '"RUN_FINISHED"')).toBe("accepted")
    const input = requests.at(-1) ?? {}
    expect(dialectOf(input)).toBe(dialect)
    expect(Schema.is(dialects[dialect].RunAgentInput)(input)).toBe(true)
  })

  // THINKING_* are in no list of 1.0, and its client still takes them: as REASONING_*.
  test("takes the old reasoning events", async () => {
    const thinking = during(
      { type: "THINKING_START" },
      { type: "THINKING_TEXT_MESSAGE_START" },
      { type: "THINKING_TEXT_MESSAGE_CONTENT", delta: "x" },
      { type: "THINKING_TEXT_MESSAGE_END" },
      { type: "THINKING_END" }
    )
    const arrives = dialect === "1.0" ? '"REASONING_MESSAGE_CONTENT"' : '"THINKING_TEXT_MESSAGE_CONTENT"'
    expect(await verdict(dialect, thinking, arrives)).toBe("accepted")
  })
})

test("the event types of 0.0 are those of its client", () => {
  expect([...dialects["0.0"].eventTypes].sort()).toEqual(Object.values(EventType).sort())
})

/**
 * Where 0.0.59 accepts more than we do. Counts above 2^53: it asks for an integer of any
 * size, we ask for one that JSON numbers carry.
 */
const excepted = (value: unknown): boolean =>
  JSON.stringify(value).match(/"(input|output|total|reasoning|cachedInput)Tokens":9007199254740992\b/) !== null

const subjects = [
  { name: "event", ours: AguiEvent00, theirs: EventSchemas, members: Object.values(events00), runs: 12_000 },
  { name: "message", ours: Message00, theirs: MessageSchema, members: Object.values(messages00), runs: 5_000 },
  { name: "input", ours: RunAgentInput00, theirs: RunAgentInputSchema, members: [RunAgentInput00], runs: 5_000 }
]

describe.each(subjects)("0.0 $name", ({ ours, theirs, members, runs: many }) => {
  const runs = casesOf(many)
  const accepts = Schema.is(ours)
  const pool = members.flatMap((member: Schema.Codec<unknown>) => samples(member, members.length === 1 ? 200 : 40))

  test("what we generate, 0.0.59 accepts", () => {
    for (const value of pool) {
      expect(accepts(value), JSON.stringify(value)).toBe(true)
      expect(theirs.safeParse(value).success, JSON.stringify(value)).toBe(true)
    }
  })

  test("spoilt values are accepted by both or by neither", () => {
    const seen = { accepted: 0, rejected: 0 }
    fc.assert(
      fc.property(fc.constantFrom(...pool), fc.array(mutation, { minLength: 1, maxLength: 3 }), (value, mutations) => {
        const spoilt = mutations.reduce(mutate, value)
        fc.pre(!excepted(spoilt))
        const verdict = accepts(spoilt)
        seen[verdict ? "accepted" : "rejected"]++
        expect({ spoilt, accepted: verdict }).toEqual({ spoilt, accepted: theirs.safeParse(spoilt).success })
      }),
      { numRuns: runs, seed: 1 }
    )
    expect(seen.accepted).toBeGreaterThan(runs / 10)
    expect(seen.rejected).toBeGreaterThan(runs / 10)
  })
})
