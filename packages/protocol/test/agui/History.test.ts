/** What the fold is by itself. That it is what the real client does, `test/agui/history.test.ts` shows. */
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { AguiEvent, events } from "../../src/agui/Event.ts"
import { applyEvent, emptyHistory, foldEvents, type History, messagesSnapshot } from "../../src/agui/History.ts"
import type { Message } from "../../src/agui/Message.ts"
import { samples } from "./Mutation.ts"

// The ids of generated events never meet: these make them.
const ids = ["a", "b", "c"]
const idKeys = ["messageId", "toolCallId", "parentMessageId", "entityId", "id"]
const meet = (value: unknown, pick: () => number): unknown => {
  if (Array.isArray(value)) return value.map((each) => meet(each, pick))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      idKeys.includes(key) && typeof each === "string" ? ids[pick() % ids.length] : meet(each, pick)
    ])
  )
}
const pool = Object.values(events).flatMap((schema) => samples(schema, 12))
const stream = fc
  .array(fc.tuple(fc.constantFrom(...pool), fc.array(fc.nat(2), { minLength: 1, maxLength: 8 })), { maxLength: 40 })
  .map((picked) =>
    picked.map(([event, picks]) => {
      let at = 0
      return meet(event, () => picks[at++ % picks.length] ?? 0) as AguiEvent
    })
  )

const freeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(freeze)
  }
  return value
}

describe("laws", () => {
  test("the generated streams are legal events", () => {
    fc.assert(
      fc.property(stream, (stream) => stream.every(Schema.is(AguiEvent))),
      { numRuns: 50 }
    )
  })

  test("one event at a time gives what the fold gives, from any point on", () => {
    fc.assert(
      fc.property(stream, fc.nat(40), (stream, cut) => {
        const whole = foldEvents(stream)
        expect(stream.reduce(applyEvent, emptyHistory)).toEqual(whole)
        expect(foldEvents(stream.slice(cut), foldEvents(stream.slice(0, cut)))).toEqual(whole)
      }),
      { numRuns: 1000 }
    )
  })

  test("neither histories nor events are changed, so a history can be gone on from twice", () => {
    fc.assert(
      fc.property(stream, stream, stream, (first, one, other) => {
        const start = freeze(foldEvents(freeze(first)))
        const before = structuredClone(start)
        const once = structuredClone(foldEvents(freeze(one), start))
        foldEvents(freeze(other), start)
        other.reduce(applyEvent, start)
        expect(start).toEqual(before)
        expect(foldEvents(one, start)).toEqual(once)
      }),
      { numRuns: 300 }
    )
  })

  test("an event that changes nothing gives the same value", () => {
    const history = foldEvents([{ type: "TEXT_MESSAGE_START", messageId: "a" }])
    for (const event of [
      { type: "TEXT_MESSAGE_CONTENT", messageId: "nobody", delta: "x" },
      { type: "TEXT_MESSAGE_END", messageId: "a" },
      { type: "TOOL_CALL_ARGS", toolCallId: "nobody", delta: "x" },
      { type: "STATE_DELTA", delta: [{ op: "remove", path: "/nothing" }] },
      { type: "ACTIVITY_DELTA", messageId: "a", activityType: "p", patch: [] },
      { type: "TEXT_MESSAGE_CHUNK", delta: "whose?" },
      { type: "CUSTOM", name: "n", value: null },
      { type: "RUN_FINISHED", threadId: "t", runId: "r" }
    ] satisfies ReadonlyArray<AguiEvent>)
      expect(applyEvent(history, event)).toBe(history)
  })

  test("a snapshot of a history, folded, is that history, and a legal event", () => {
    fc.assert(
      fc.property(stream, (stream) => {
        const history = foldEvents(stream)
        const snapshot = messagesSnapshot(history)
        expect(foldEvents([snapshot]).messages).toEqual(history.messages)
      }),
      { numRuns: 300 }
    )
  })

  test("200,000 deltas of one message, and of as many calls as messages, are no more than that many steps", () => {
    // Were a step to cost the length so far, this would not come to an end.
    const count = 200_000
    const deltas = function* (): Generator<AguiEvent> {
      yield { type: "TEXT_MESSAGE_START", messageId: "a" }
      for (let index = 0; index < count; index++) yield { type: "TEXT_MESSAGE_CONTENT", messageId: "a", delta: "word " }
      for (let index = 0; index < 10_000; index++) {
        yield { type: "TOOL_CALL_START", toolCallId: `c${index}`, toolCallName: "f", parentMessageId: `m${index}` }
        for (let piece = 0; piece < 10; piece++) yield { type: "TOOL_CALL_ARGS", toolCallId: `c${index}`, delta: "x" }
        yield { type: "TOOL_CALL_RESULT", toolCallId: `c${index}`, messageId: `r${index}`, content: "" }
      }
    }
    const { messages } = foldEvents(deltas())
    expect(messages).toHaveLength(20_001)
    expect(messages[0]).toMatchObject({ content: "word ".repeat(count) })
  })
})

describe("examples", () => {
  const messagesAfter = (stream: ReadonlyArray<AguiEvent>, messages: ReadonlyArray<Message> = []) =>
    foldEvents(stream, { messages, state: {} }).messages

  test("text that comes after its message's tool call joins that message", () => {
    expect(
      messagesAfter([
        { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "f", parentMessageId: "m" },
        { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "{}" },
        { type: "TOOL_CALL_END", toolCallId: "c" },
        { type: "TEXT_MESSAGE_START", messageId: "m" },
        { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "hi" },
        { type: "TEXT_MESSAGE_END", messageId: "m", metadata: { tokens: 1 } }
      ])
    ).toEqual([
      {
        id: "m",
        role: "assistant",
        content: "hi",
        metadata: { tokens: 1 },
        toolCalls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }]
      }
    ])
  })

  test("a late result goes where its call is, after the results that are there", () => {
    const call = (id: string) =>
      ({ type: "TOOL_CALL_START", toolCallId: id, toolCallName: "f", parentMessageId: "m" }) as const
    const result = (id: string) =>
      ({ type: "TOOL_CALL_RESULT", toolCallId: id, messageId: `r-${id}`, content: "" }) as const
    const stream = [
      call("1"),
      call("2"),
      { type: "TEXT_MESSAGE_START", messageId: "later" } as const,
      result("2"),
      result("1")
    ]
    expect(messagesAfter(stream).map(({ id }) => id)).toEqual(["m", "r-2", "r-1", "later"])
  })

  test("chunks are the messages they are short for, each speaker's apart", () => {
    const chunks = messagesAfter([
      { type: "TEXT_MESSAGE_CHUNK", messageId: "a", delta: "1" },
      { type: "TEXT_MESSAGE_CHUNK", messageId: "b", delta: "x", subagentRunId: "s" },
      { type: "TEXT_MESSAGE_CHUNK", delta: "2" },
      { type: "TEXT_MESSAGE_CHUNK", delta: "y", subagentRunId: "s" },
      { type: "TOOL_CALL_CHUNK", toolCallId: "c", toolCallName: "f", parentMessageId: "a", delta: "{" },
      { type: "TOOL_CALL_CHUNK", delta: "}" }
    ])
    expect(chunks).toEqual([
      {
        id: "a",
        role: "assistant",
        content: "12",
        toolCalls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }]
      },
      { id: "b", role: "assistant", content: "xy", subagentRunId: "s" }
    ])
  })

  test("a call whose message became an activity is gone, and may begin again", () => {
    const start: AguiEvent = { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "f", parentMessageId: "m" }
    const stream: ReadonlyArray<AguiEvent> = [
      start,
      { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "lost" },
      { type: "ACTIVITY_SNAPSHOT", messageId: "m", activityType: "plan", content: {} },
      start,
      { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "kept" }
    ]
    expect(messagesAfter(stream)).toMatchObject([
      { id: "m", role: "activity" },
      { id: "c", toolCalls: [{ id: "c", function: { arguments: "kept" } }] }
    ])
  })

  test("a snapshot keeps the reasoning and the activities it does not know of", () => {
    const local: ReadonlyArray<Message> = [
      { id: "r", role: "reasoning", content: "hm" },
      { id: "old", role: "assistant", content: "gone" },
      { id: "p", role: "activity", activityType: "plan", content: {} }
    ]
    const snapshot: AguiEvent = {
      type: "MESSAGES_SNAPSHOT",
      messages: [{ id: "new", role: "assistant", content: "!" }]
    }
    expect(messagesAfter([snapshot], local).map(({ id }) => id)).toEqual(["r", "p", "new"])
  })

  test("a patch that does not apply leaves the state, and the content of an activity but not its metadata", () => {
    const broken = [
      { op: "replace", path: "/a", value: 2 },
      { op: "remove", path: "/missing" }
    ] as const
    const start: History = {
      messages: [{ id: "p", role: "activity", activityType: "plan", content: { a: 1 } }],
      state: { a: 1 }
    }
    const end = foldEvents(
      [
        { type: "STATE_DELTA", delta: broken },
        { type: "ACTIVITY_DELTA", messageId: "p", activityType: "plan", patch: broken, metadata: { seen: true } }
      ],
      start
    )
    expect(end.state).toBe(start.state)
    expect(end.messages).toEqual([{ ...start.messages[0], metadata: { seen: true } }])
  })

  test("the echoed input adds the messages that are not there, and not its state", () => {
    const input = { threadId: "t", runId: "r", state: { other: 1 } }
    const user = (id: string, content: string): Message => ({ id, role: "user", content })
    const history = { messages: [user("1", "mine")], state: { own: 1 } }
    const started: AguiEvent = {
      type: "RUN_STARTED",
      threadId: "t",
      runId: "r",
      input: { ...input, messages: [user("1", "theirs"), user("2", "new")] }
    }
    expect(applyEvent(history, started)).toEqual({ messages: [user("1", "mine"), user("2", "new")], state: { own: 1 } })
  })
})
