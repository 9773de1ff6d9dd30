/**
 * The fold of events into messages and state against the real clients.
 *
 * Whatever the events, also those no producer should send: after them our history is what `transformChunks` and
 * `defaultApplyEvents` of `@ag-ui/client` 1.0.0 have. Client 0.0.59 differs where the last tests say.
 */
import * as client10 from "@ag-ui/client"
import * as client059 from "agui-client-059"
import * as fc from "fast-check"
import { from, Subject } from "rxjs"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { casesOf } from "../../packages/fixtures/test/Sweep.ts"
import type { AguiEvent } from "../../packages/protocol/src/agui/Event.ts"
import { emptyHistory, foldEvents, type History, messagesSnapshot } from "../../packages/protocol/src/agui/History.ts"
import type { JsonPatchOperation } from "../../packages/protocol/src/agui/JsonPatch.ts"
import type { Message } from "../../packages/protocol/src/agui/Message.ts"

beforeAll(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {})
})
afterAll(() => {
  vi.restoreAllMocks()
})

type Stages = Pick<typeof client10, "defaultApplyEvents" | "transformChunks">
const clients = { "1.0.0": client10, "0.0.59": client059 as unknown as Stages }

interface Seen extends History {
  /** How many events the client took before one at which it ends the run. */
  readonly taken: number
}

/** What a client has after the events. */
const run = async (events: ReadonlyArray<AguiEvent>, history: History, client: keyof typeof clients): Promise<Seen> => {
  const { defaultApplyEvents, transformChunks } = clients[client]
  const source = new Subject<never>()
  const whole: Array<never> = []
  let failed = false
  source
    .pipe(transformChunks())
    .subscribe({ next: (event) => whole.push(event as never), error: () => (failed = true) })
  let taken = 0
  for (const event of events) {
    source.next(JSON.parse(JSON.stringify(event)) as never)
    if (failed) break
    taken++
  }
  let { messages, state } = history
  const input = { threadId: "t", runId: "r", messages: [], tools: [], context: [], state }
  const agent = { messages: structuredClone(messages), pendingInterrupts: [] }
  await new Promise<void>((resolve, reject) =>
    defaultApplyEvents(input as never, from(whole), agent as never, []).subscribe({
      next: (mutation) => {
        if (mutation.messages !== undefined) messages = mutation.messages as unknown as ReadonlyArray<Message>
        if (mutation.state !== undefined) state = mutation.state
      },
      complete: resolve,
      error: reject
    })
  )
  return { messages, state, taken }
}

// Few ids, so that events meet: the same for messages, calls and subagents, which have a name space each.
const id = fc.constantFrom("a", "b", "c", "d")
const maybe = <A>(key: string, value: fc.Arbitrary<A>) =>
  fc.option(value, { nil: undefined, freq: 2 }).map((it) => (it === undefined ? {} : { [key]: it }))
const metadata = fc.dictionary(fc.constantFrom("x", "y"), fc.constantFrom<unknown>(1, null, { z: 1 }), { maxKeys: 2 })
const owner = maybe("subagentRunId", fc.constantFrom("a", "s"))
const text = fc.constantFrom("", "one", "two")
const parts = fc.constantFrom([{ type: "text", text: "part" }], [])
const content = fc.oneof(text, parts)
const leaf = fc.constantFrom<unknown>(1, "x", null, {}, [], { a: [1, 2] }, [1, { b: 2 }], ["x", "y", "z"])
const state = fc.record({ a: leaf, b: leaf }, { requiredKeys: [] })
const pointer = fc.constantFrom(
  "/a",
  "/b",
  "/c",
  "/a/0",
  "/a/1",
  "/a/2",
  "/a/9",
  "/a/-",
  "/a/a/0",
  "/a/1/b",
  "/b/a",
  "/~0~1"
)
// What the RFC forbids and the client does anyway is left out here, and listed below.
const source = fc.constantFrom("/a", "/b", "/c", "/a/0", "/a/1")
const target = fc.constantFrom("/a", "/b", "/c", "/a/0", "/a/-", "/b/0")
const operation: fc.Arbitrary<JsonPatchOperation> = fc.oneof(
  fc.record({ op: fc.constantFrom("add" as const, "replace" as const), path: pointer, value: leaf }),
  fc.record({ op: fc.constantFrom("add" as const, "replace" as const), path: fc.constant(""), value: state }),
  fc.record({ op: fc.constant("remove" as const), path: pointer }),
  fc.record({
    op: fc.constant("test" as const),
    path: fc.oneof(pointer, fc.constant("")),
    value: fc.oneof(leaf, state)
  }),
  fc
    .record({ op: fc.constantFrom("move" as const, "copy" as const), from: source, path: target })
    .filter(({ from, op, path }) => op === "copy" || !path.startsWith(`${from}/`))
)
const patch = fc.array(operation, { maxLength: 3 })

const call = fc
  .tuple(
    fc.record({ id, name: fc.constantFrom("f", "g"), arguments: text }),
    maybe("metadata", metadata),
    maybe("encryptedValue", text)
  )
  .map(([{ id, ...fn }, ...rest]) => Object.assign({ id, type: "function", function: fn }, ...rest))
const message = fc
  .tuple(
    fc.oneof(
      fc.record({ role: fc.constantFrom("developer", "system", "reasoning"), content: text }),
      fc.record({ role: fc.constant("user"), content }),
      fc.record({ role: fc.constant("assistant"), content: text }, { requiredKeys: ["role"] }),
      fc.record({ role: fc.constant("assistant"), toolCalls: fc.array(call, { maxLength: 2 }) }),
      fc.record({ role: fc.constant("tool"), toolCallId: id, content }),
      fc.record({
        role: fc.constant("activity"),
        activityType: fc.constantFrom("p", "q"),
        content: fc.constant({ a: 1 })
      })
    ),
    fc.record({ id: fc.oneof(id, fc.uuid()) }),
    maybe("metadata", metadata),
    owner
  )
  .map((each) => Object.assign({}, ...each) as Message)
const messages = fc.array(message, { maxLength: 4 })

const event = (type: string, ...fields: ReadonlyArray<fc.Arbitrary<object>>): fc.Arbitrary<AguiEvent> =>
  fc
    .tuple(maybe("metadata", metadata), maybe("rawEvent", fc.constant({ raw: 1 })), ...fields)
    .map((each) => Object.assign({ type }, ...each) as AguiEvent)
const is = <A>(key: string, value: fc.Arbitrary<A>) => value.map((it) => ({ [key]: it }))
const role = maybe("role", fc.constantFrom("assistant", "user", "developer"))
const owned = maybe(
  "metadata",
  fc.constantFrom(
    { "@ag-ui/client": { authoritativeActivityTypes: null } },
    { "@ag-ui/client": { authoritativeActivityTypes: ["p"] } },
    { "@ag-ui/client": { authoritativeActivityTypes: "p" } },
    { "@ag-ui/client": {} },
    { "@ag-ui/client": 1 }
  )
)
const echo = messages.map((messages) => ({
  threadId: "t",
  runId: "r",
  messages,
  tools: [],
  context: [],
  state: { no: 1 }
}))

const events = fc.array(
  fc.oneof(
    event("TEXT_MESSAGE_START", is("messageId", id), role, maybe("name", text), owner),
    event("TEXT_MESSAGE_CONTENT", is("messageId", id), is("delta", text), owner),
    event("TEXT_MESSAGE_END", is("messageId", id), owner),
    event("TEXT_MESSAGE_CHUNK", maybe("messageId", id), maybe("delta", text), role, maybe("name", text), owner),
    event("TEXT_MESSAGE_CHUNK", maybe("messageId", id), is("delta", text), owner),
    event(
      "TOOL_CALL_START",
      is("toolCallId", id),
      is("toolCallName", text),
      maybe("parentMessageId", fc.oneof(id, text)),
      owner
    ),
    event("TOOL_CALL_ARGS", is("toolCallId", id), is("delta", text), owner),
    event("TOOL_CALL_END", is("toolCallId", id), owner),
    event(
      "TOOL_CALL_CHUNK",
      maybe("toolCallId", id),
      maybe("toolCallName", text),
      maybe("parentMessageId", id),
      maybe("delta", text),
      owner
    ),
    event(
      "TOOL_CALL_RESULT",
      is("messageId", fc.oneof(id, fc.uuid())),
      is("toolCallId", id),
      is("content", content),
      maybe("role", fc.constant("tool")),
      owner
    ),
    event("REASONING_START", is("messageId", id), owner),
    event("REASONING_MESSAGE_START", is("messageId", id), fc.constant({ role: "reasoning" }), owner),
    event("REASONING_MESSAGE_CONTENT", is("messageId", id), is("delta", text), owner),
    event("REASONING_MESSAGE_END", is("messageId", id), owner),
    event("REASONING_MESSAGE_CHUNK", maybe("messageId", id), maybe("delta", text), owner),
    event(
      "REASONING_ENCRYPTED_VALUE",
      is("subtype", fc.constantFrom("message", "tool-call")),
      is("entityId", id),
      is("encryptedValue", text)
    ),
    event("STATE_SNAPSHOT", is("snapshot", state)),
    event("STATE_DELTA", is("delta", patch)),
    event("MESSAGES_SNAPSHOT", is("messages", messages), owned),
    event(
      "ACTIVITY_SNAPSHOT",
      is("messageId", id),
      is("activityType", fc.constantFrom("p", "q")),
      fc.constant({ content: { a: [1, 2] } }),
      maybe("replace", fc.boolean()),
      owner
    ),
    event(
      "ACTIVITY_DELTA",
      is("messageId", id),
      is("activityType", fc.constantFrom("p", "q")),
      is("patch", patch),
      owner
    ),
    event("RUN_STARTED", fc.constant({ threadId: "t", runId: "r" }), maybe("input", echo)),
    event("RUN_FINISHED", fc.constant({ threadId: "t", runId: "r" })),
    event("RUN_ERROR", fc.constant({ message: "no" })),
    event("STEP_STARTED", fc.constant({ stepName: "s" })),
    event("CUSTOM", fc.constant({ name: "n", value: 1 }), owner),
    event("RAW", fc.constant({ event: 1 }), owner),
    event("SUBAGENT_STARTED", fc.constant({ subagentRunId: "s", name: "n" })),
    event("SUBAGENT_FINISHED", fc.constant({ subagentRunId: "s" }))
  ),
  { maxLength: 30 }
)
const histories: fc.Arbitrary<History> = fc.record({ messages, state })

const fold = (events: ReadonlyArray<AguiEvent>, history: History): History => {
  const { messages, state } = foldEvents(events, history)
  return { messages, state }
}

const duplicates = (messages: ReadonlyArray<Message>): ReadonlySet<string> =>
  new Set(messages.map(({ id }) => id).filter((id, index, ids) => ids.indexOf(id) !== index))

/**
 * A snapshot that replaces two messages of one id puts the same object in both places of the client's list, and
 * from then on a change of one is a change of both. That is an accident of the client's, and ours to leave out.
 */
const aliases = (events: ReadonlyArray<AguiEvent>, history: History): boolean =>
  events.some((event, index) => {
    if (event.type !== "MESSAGES_SNAPSHOT") return false
    const twice = duplicates(foldEvents(events.slice(0, index), history).messages)
    return event.messages.some(({ id }) => twice.has(id))
  })

describe("the history of a stream", () => {
  test("is what client 1.0.0 has, whatever the events", async () => {
    await fc.assert(
      fc.asyncProperty(events, histories, async (events, history) => {
        fc.pre(!aliases(events, history))
        const { taken, ...seen } = await run(events, history, "1.0.0")
        expect(fold(events.slice(0, taken + 1), history)).toEqual(seen)
      }),
      { numRuns: casesOf(5000) }
    )
  })

  test("as a snapshot gives a new client the same messages", async () => {
    await fc.assert(
      fc.asyncProperty(events, histories, async (events, history) => {
        const end = foldEvents(events, history)
        const seen = await run([messagesSnapshot(end)], emptyHistory, "1.0.0")
        expect(seen.messages).toEqual(end.messages)
      }),
      { numRuns: 500 }
    )
  })
})

const activity = { id: "a", role: "activity", activityType: "p", content: { a: 1 } } as const
const thought = { type: "REASONING_MESSAGE_CONTENT", messageId: "a", delta: "x" } as const
const named = { type: "TEXT_MESSAGE_CHUNK", messageId: "a", name: "n", delta: "x" } as const

/** What client 0.0.59 has after the same events, where that is something else. */
const differs059: Record<string, { events: ReadonlyArray<AguiEvent>; messages: ReadonlyArray<Message>; has: object }> =
  {
    "a snapshot that says which activities it speaks for is not heard: they stay": {
      events: [
        {
          type: "MESSAGES_SNAPSHOT",
          messages: [],
          metadata: { "@ag-ui/client": { authoritativeActivityTypes: null } }
        }
      ],
      messages: [activity],
      has: [activity]
    },
    "a snapshot without activities does not replace an activity, not even by another message of its id": {
      events: [{ type: "MESSAGES_SNAPSHOT", messages: [{ id: "a", role: "user", content: "hi" }] }],
      messages: [activity],
      has: [activity]
    },
    "reasoning under the id of an activity replaces its content": {
      events: [thought],
      messages: [activity],
      has: [{ ...activity, content: "x" }]
    },
    "a chunk may contradict the one that began the message": {
      events: [named, { ...named, name: "other" }],
      messages: [],
      has: [{ id: "a", role: "assistant", name: "n", content: "xx" }]
    }
  }

describe("client 0.0.59", () => {
  test.each(Object.entries(differs059))("%s", async (_, { events, has, messages }) => {
    const history = { messages, state: {} }
    expect((await run(events, history, "0.0.59")).messages).toEqual(has)
    expect(fold(events, history).messages).not.toEqual(has)
    expect((await run(events, history, "1.0.0")).messages).toEqual(fold(events, history).messages)
  })

  test("has the same after everything else", async () => {
    const other = (event: AguiEvent): boolean => !/CHUNK|^REASONING_MESSAGE|^MESSAGES_SNAPSHOT/.test(event.type)
    await fc.assert(
      fc.asyncProperty(events, histories, async (events, history) => {
        const { taken: _, ...seen } = await run(events.filter(other), history, "0.0.59")
        expect(fold(events.filter(other), history)).toEqual(seen)
      }),
      { numRuns: casesOf(1000) }
    )
  })
})

describe("patches that RFC 6902 forbids", () => {
  // Left: what the client makes of `{ a: [1, 2] }`. A producer that sends one has two histories.
  const lax: ReadonlyArray<[string, ReadonlyArray<JsonPatchOperation>, unknown]> = [
    ["a copy beyond the end of an array", [{ op: "copy", from: "/a/0", path: "/a/9" }], { a: [1, 2, 1] }],
    ["a move beyond the end of an array", [{ op: "move", from: "/a/0", path: "/a/2" }], { a: [2, 1] }],
    ["a position with a leading zero", [{ op: "add", path: "/a/01", value: 0 }], { a: [1, 0, 2] }],
    ["a position without digits", [{ op: "add", path: "/a/", value: 0 }], { a: [0, 1, 2] }]
  ]
  test.each(lax)("%s: applied by the client, not here", async (_, delta, applied) => {
    const history = { messages: [], state: { a: [1, 2] } }
    expect((await run([{ type: "STATE_DELTA", delta }], history, "1.0.0")).state).toEqual(applied)
    expect(foldEvents([{ type: "STATE_DELTA", delta }], history)).toBe(history)
  })
})
