/**
 * Streams of events, legal and spoilt, for two judges that should agree. Ids come from small pools, so that items meet.
 */
import * as fc from "fast-check"
import { mutate, mutation } from "../../packages/protocol/test/agui/Mutation.ts"

/** An event as JSON. */
export type Json = Readonly<Record<string, unknown>>

const id = fc.constantFrom("a", "b", "c")
const subagent = fc.constantFrom("s", "t")
const tag = fc.option(subagent, { nil: undefined, freq: 3 })
const delta = fc.constantFrom("", "x", "{}", "é")
const deltas = fc.array(delta, { maxLength: 3 })

/** Drops what is undefined, as JSON does. */
const event = (fields: Json): Json => JSON.parse(JSON.stringify(fields)) as Json

const text = fc
  .record({ id, tag, deltas, role: fc.constantFrom(undefined, "assistant", "user") })
  .map((it) => [
    event({ type: "TEXT_MESSAGE_START", messageId: it.id, role: it.role, subagentRunId: it.tag }),
    ...it.deltas.map((piece) => event({ type: "TEXT_MESSAGE_CONTENT", messageId: it.id, delta: piece })),
    event({ type: "TEXT_MESSAGE_END", messageId: it.id, subagentRunId: it.tag })
  ])

const call = fc
  .record({ id, tag, deltas, parent: fc.option(id, { nil: undefined }), answer: fc.boolean() })
  .map((it) => [
    event({
      type: "TOOL_CALL_START",
      toolCallId: it.id,
      toolCallName: "n",
      parentMessageId: it.parent,
      subagentRunId: it.tag
    }),
    ...it.deltas.map((piece) =>
      event({ type: "TOOL_CALL_ARGS", toolCallId: it.id, delta: piece, subagentRunId: it.tag })
    ),
    event({ type: "TOOL_CALL_END", toolCallId: it.id }),
    ...(it.answer
      ? [event({ type: "TOOL_CALL_RESULT", messageId: `r${it.id}`, toolCallId: it.id, content: "x", role: "tool" })]
      : [])
  ])

const reasoning = fc
  .record({ id, span: id, tag, deltas })
  .map((it) => [
    event({ type: "REASONING_START", messageId: it.span, subagentRunId: it.tag }),
    event({ type: "REASONING_MESSAGE_START", messageId: it.id, role: "reasoning", subagentRunId: it.tag }),
    ...it.deltas.map((piece) => event({ type: "REASONING_MESSAGE_CONTENT", messageId: it.id, delta: piece })),
    event({ type: "REASONING_MESSAGE_END", messageId: it.id }),
    event({ type: "REASONING_END", messageId: it.span })
  ])

const sealed = fc
  .record({ entityId: id, subagentRunId: tag, subtype: fc.constantFrom("message", "tool-call") })
  .map((it) => [event({ type: "REASONING_ENCRYPTED_VALUE", encryptedValue: "v", ...it })])

const step = fc
  .record({ stepName: id, subagentRunId: tag })
  .map((it) => [event({ type: "STEP_STARTED", ...it }), event({ type: "STEP_FINISHED", ...it })])

const delegation = fc
  .record({ id: subagent, parent: fc.option(subagent, { nil: undefined, freq: 5 }) })
  .map((it) => [
    event({ type: "SUBAGENT_STARTED", subagentRunId: it.id, name: "n", parentSubagentRunId: it.parent }),
    event({ type: "TEXT_MESSAGE_START", messageId: `of ${it.id}`, subagentRunId: it.id }),
    event({ type: "TEXT_MESSAGE_END", messageId: `of ${it.id}` }),
    event({ type: "SUBAGENT_FINISHED", subagentRunId: it.id, outcome: { type: "success" } })
  ])

const chunks = fc
  .array(
    fc.oneof(
      fc
        .record({
          messageId: fc.option(id, { nil: undefined }),
          role: fc.constantFrom(undefined, undefined, "assistant", "user"),
          name: fc.constantFrom(undefined, undefined, "n"),
          delta,
          subagentRunId: tag
        })
        .map((it) => event({ type: "TEXT_MESSAGE_CHUNK", ...it })),
      fc
        .record({
          toolCallId: fc.option(id, { nil: undefined }),
          toolCallName: fc.constantFrom(undefined, "n", "n", "n", "o"),
          parentMessageId: fc.option(id, { nil: undefined, freq: 4 }),
          delta,
          subagentRunId: tag
        })
        .map((it) => event({ type: "TOOL_CALL_CHUNK", ...it })),
      fc
        .record({ messageId: fc.option(id, { nil: undefined }), delta, subagentRunId: tag })
        .map((it) => event({ type: "REASONING_MESSAGE_CHUNK", ...it }))
    ),
    { minLength: 1, maxLength: 4 }
  )
  // The first of each kind names itself, else next to no sequence of chunks is legal.
  .map((list) =>
    list.map((chunk, i) => (i === 0 ? { messageId: "a", toolCallId: "a", toolCallName: "n", ...chunk } : chunk))
  )
  .map((list) => list.map(withoutForeignIds))

const withoutForeignIds = (chunk: Json): Json => {
  const { messageId, toolCallId, toolCallName, ...rest } = chunk
  return event(chunk["type"] === "TOOL_CALL_CHUNK" ? { ...rest, toolCallId, toolCallName } : { ...rest, messageId })
}

const thinking = fc.array(
  fc.constantFrom<Json>(
    { type: "THINKING_START" },
    { type: "THINKING_TEXT_MESSAGE_START" },
    { type: "THINKING_TEXT_MESSAGE_CONTENT", delta: "x" },
    { type: "THINKING_TEXT_MESSAGE_END" },
    { type: "THINKING_END" }
  ),
  { maxLength: 6 }
)

const part = fc.constantFrom<Json>(
  { type: "text", text: "x" },
  { type: "image", source: { type: "url", value: "u" } },
  { type: "image", source: { type: "url", value: "u" }, metadata: null },
  { type: "document", source: { type: "data", value: "u", mimeType: "text/plain" } },
  { type: "audio", source: { type: "file", value: "f" } },
  { type: "binary", mimeType: "image/png", data: "d" },
  { type: "binary", mimeType: "text", url: "u", filename: "f" },
  { type: "binary", mimeType: "video/mp4", id: "i" },
  { type: "later" }
)

const values = fc.oneof(
  fc.record({ id, tag, replace: fc.constantFrom(undefined, true, false) }).map((it) => [
    event({
      type: "ACTIVITY_SNAPSHOT",
      messageId: it.id,
      activityType: "k",
      content: {},
      replace: it.replace,
      subagentRunId: it.tag
    })
  ]),
  fc.record({ id, tag }).map((it) => [
    event({
      type: "ACTIVITY_DELTA",
      messageId: it.id,
      activityType: "k",
      patch: [{ op: "add", path: "/x", value: 1 }],
      subagentRunId: it.tag
    })
  ]),
  fc.constant([event({ type: "STATE_SNAPSHOT", snapshot: { n: 1 } })]),
  fc.constant([event({ type: "STATE_DELTA", delta: [{ op: "replace", path: "/n", value: 2 }] })]),
  tag.map((subagentRunId) => [event({ type: "CUSTOM", name: "n", value: null, subagentRunId })]),
  tag.map((subagentRunId) => [event({ type: "RAW", event: {}, subagentRunId })]),
  fc.record({ id, tag, call: id, parts: fc.array(part, { maxLength: 2 }) }).map((it) => [
    event({
      type: "MESSAGES_SNAPSHOT",
      messages: [
        { id: "u", role: "user", content: it.parts },
        {
          id: it.id,
          role: "assistant",
          content: "x",
          subagentRunId: it.tag,
          toolCalls: [{ id: it.call, type: "function", function: { name: "n", arguments: "{}" } }]
        },
        { id: "q", role: "reasoning", content: "x", subagentRunId: it.tag }
      ]
    })
  ])
)

const piece = fc.oneof(text, call, reasoning, sealed, step, delegation, chunks, values, thinking)

/** Takes the next event of one of several pieces, as the numbers say, until none is left. */
const interleave = (pieces: ReadonlyArray<ReadonlyArray<Json>>, order: ReadonlyArray<number>): ReadonlyArray<Json> => {
  const left = pieces.map((events) => [...events])
  const result: Array<Json> = []
  for (let i = 0; left.some((events) => events.length > 0); i++) {
    const open = left.filter((events) => events.length > 0)
    const next = open[(order[i % Math.max(order.length, 1)] ?? 0) % open.length]?.shift()
    if (next !== undefined) result.push(next)
  }
  return result
}

const ending = fc.constantFrom<Json | undefined>(
  undefined,
  { type: "RUN_ERROR", message: "x" },
  { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "success" } },
  {
    type: "RUN_FINISHED",
    threadId: "t",
    runId: "r",
    outcome: { type: "interrupt", interrupts: [{ id: "i", reason: "x" }] }
  },
  { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "cancelled" }, usage: [{ inputTokens: 1 }] },
  { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: null, result: null, rawEvent: null }
)

const started = fc.constantFrom<Json>(
  { type: "RUN_STARTED", threadId: "t", runId: "r" },
  { type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion: "1.0" },
  {
    type: "RUN_STARTED",
    threadId: "t",
    runId: "r",
    input: {
      threadId: "t",
      runId: "r",
      messages: [
        { id: "a", role: "assistant", content: "x", subagentRunId: "s" },
        { id: "c", role: "tool", toolCallId: "a", content: "x" }
      ],
      tools: [{ name: "n", description: "d", parameters: null }],
      context: [],
      forwardedProps: null,
      resume: [{ interruptId: "i", status: "resolved", payload: null }]
    }
  }
)

const run = fc
  .record({
    pieces: fc.array(piece, { maxLength: 4 }),
    order: fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
    ending,
    started
  })
  .map(({ ending, order, pieces, started }) => [
    started,
    ...interleave(pieces, order),
    ...(ending === undefined ? [{ type: "RUN_FINISHED", threadId: "t", runId: "r" }] : [ending])
  ])

const runs = fc.array(run, { minLength: 1, maxLength: 2 }).map((list) => list.flat())

type Edit = (events: ReadonlyArray<unknown>) => ReadonlyArray<unknown>

/** A way to spoil a stream: an event lost, doubled, moved, spoilt, new, or attributed to someone else. */
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.nat(40).map(
    (at): Edit =>
      (events) =>
        events.toSpliced(at % events.length, 1)
  ),
  fc.nat(40).map(
    (at): Edit =>
      (events) =>
        events.toSpliced(at % events.length, 0, events[at % events.length])
  ),
  fc.tuple(fc.nat(40), fc.nat(40)).map(
    ([from, to]): Edit =>
      (events) => {
        const event = events[from % events.length]
        return events.toSpliced(from % events.length, 1).toSpliced(to % events.length, 0, event)
      }
  ),
  fc.tuple(fc.nat(40), mutation).map(
    ([at, way]): Edit =>
      (events) =>
        events.with(at % events.length, mutate(events[at % events.length], way))
  ),
  fc.tuple(fc.nat(40), fc.option(subagent, { nil: undefined })).map(
    ([at, subagentRunId]): Edit =>
      (events) =>
        events.with(at % events.length, event({ ...(events[at % events.length] as Json), subagentRunId }))
  ),
  fc.tuple(fc.nat(40), piece).map(
    ([at, added]): Edit =>
      (events) =>
        events.toSpliced(at % events.length, 0, ...added)
  )
)

/** A stream, spoilt in up to three places. */
export const stream: fc.Arbitrary<ReadonlyArray<unknown>> = fc
  .tuple(runs, fc.array(edit, { maxLength: 3 }))
  .map(([events, edits]) =>
    edits.reduce<ReadonlyArray<unknown>>((list, change) => (list.length === 0 ? list : change(list)), events)
  )
