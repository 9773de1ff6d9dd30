/**
 * Two ways to the same messages: a client that reads the events of a whole session, and the snapshot of its
 * transcript. On every tape both give the same, up to the projection below; every day on one tape of each scenario.
 */
import { loadTape } from "@agentwire/fixtures"
import { stories, storyFrontendTools } from "@agentwire/fixtures/arbitrary"
import fc from "fast-check"
import { expect, test } from "vitest"
import { chosenTapes, sweeping } from "../../../../fixtures/test/Sweep.ts"
import { type Decoded, decodeLine } from "../../../src/claude/index.ts"
import { Agui, Claude, Model, Tape } from "../../../src/index.ts"
import { isRecord } from "../../../src/wire/Json.ts"

/** What the two may differ in, and why. */
const projection: Readonly<Record<string, (message: Agui.Message) => Agui.Message | undefined>> = {
  "a client numbers the invocations of a sub-agent by run, the transcript has its call": (message) =>
    "subagentRunId" in message && message.subagentRunId !== undefined
      ? { ...message, subagentRunId: message.subagentRunId.replace(/#\d+$/, "") }
      : message,
  "that an item was not abandoned after all is a mark for the client, and nothing for the transcript": (message) => {
    if (message.role === "activity") return message
    const unmarked = message.role === "assistant" ? withCalls(message) : message
    return isRecovered(unmarked.metadata) ? without(unmarked, "metadata") : unmarked
  }
}

const isRecovered = (metadata: Agui.Metadata | undefined): boolean =>
  metadata !== undefined && Object.keys(metadata).length === 1 && metadata["abandoned"] === false

const without = <A extends object, K extends keyof A>(value: A, key: K): A => {
  const { [key]: _, ...rest } = value
  return rest as A
}

const withCalls = (message: Agui.AssistantMessage): Agui.AssistantMessage =>
  message.toolCalls === undefined
    ? message
    : {
        ...message,
        toolCalls: message.toolCalls.map((call) => (isRecovered(call.metadata) ? without(call, "metadata") : call))
      }

const projected = (messages: ReadonlyArray<Agui.Message>): ReadonlyArray<Agui.Message> =>
  Object.values(projection).reduce<ReadonlyArray<Agui.Message>>(
    (rest, project) => rest.flatMap((message) => project(message) ?? []),
    messages
  )

const modelEvents = (
  messages: Iterable<Decoded>,
  options: Claude.FoldOptions,
  reason: Claude.FinishReason
): ReadonlyArray<Model.Event> => {
  const events: Array<Model.Event> = []
  let state = Claude.initialFold(options)
  for (const message of messages) {
    const [next, given] = Claude.foldMessage(state, message)
    state = next
    events.push(...given)
  }
  return [...events, ...Claude.endFold(state, reason)[1]]
}

/** Everything a client is sent: what still waits for a run at the end comes in one. */
const written = (events: ReadonlyArray<Model.Event>): ReadonlyArray<Agui.AguiEvent> => {
  const out: Array<Agui.AguiEvent> = []
  let writer = Agui.initialWriter({ threadId: "t" })
  const take = ([next, given]: Agui.Written): void => {
    writer = next
    out.push(...given)
  }
  for (const event of events) take(Agui.write(writer, event))
  take(Agui.beginRun(writer, { runId: "last" }))
  take(Agui.closeRun(writer, Agui.successEnding))
  return out
}

/** The application has the results of its own tools: a client is not told of them, a snapshot is. */
const withoutPageResults = (events: ReadonlyArray<Model.Event>): ReadonlyArray<Model.Event> => {
  const own = new Set(
    events.flatMap((event) =>
      event.type === "item_started" && event.item.kind === "call" && event.item.action === "page_tool" ? [event.id] : []
    )
  )
  return events.filter((event) => event.type !== "call_answered" || !own.has(event.id))
}

const difference = (events: ReadonlyArray<Model.Event>): readonly [read: unknown, snapshot: unknown] | undefined => {
  const read = projected(Agui.foldEvents(written(events)).messages)
  const snapshot = projected(Agui.messagesOf(Model.transcriptOf(withoutPageResults(events))))
  const at = read.findIndex(
    (message, index) => JSON.stringify(sorted(message)) !== JSON.stringify(sorted(snapshot[index]))
  )
  if (at === -1 && read.length === snapshot.length) return undefined
  const place = at === -1 ? read.length : at
  return [read[place], snapshot[place]]
}

const sorted = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, inner: unknown) =>
      isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner
    )
  )

test("on tapes", () => {
  let compared = 0
  const found = chosenTapes.flatMap((entry) => {
    const tape = loadTape(entry)
    const lines = Tape.tapeLines(tape.frames).flatMap(({ from, line }) =>
      from === "agent" && line._tag === "Text" && line.text.trim() !== "" ? [decodeLine(line.text)] : []
    )
    const events = modelEvents(lines, {}, { type: "end" })
    compared += Model.transcriptOf(events).entries.length
    const wrong = difference(events)
    return wrong === undefined ? [] : [{ tape: `${entry.scenario} ${entry.version} ${entry.transport}`, wrong }]
  })
  expect(found.slice(0, 3)).toEqual([])
  expect(compared).toBeGreaterThan(sweeping ? 4_000 : 400)
})

test("on stories", () => {
  fc.assert(
    fc.property(stories(), (story) => {
      const lines = story.filter(({ from }) => from === "agent").map(({ line }) => decodeLine(line))
      expect(difference(modelEvents(lines, { pageTools: storyFrontendTools }, { type: "end" }))).toBeUndefined()
    }),
    { numRuns: 150 }
  )
})
