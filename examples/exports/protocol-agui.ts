/**
 * `@agentwire/protocol/agui`: AG-UI, protocol 1.0 and what differs in 0.0. Its 100 schemas have the names of their
 * types and are used alike: `RunAgentInput` stands for what clients send, `AguiEvent` for what they are sent.
 */
import * as Agui from "@agentwire/protocol/agui"
import type { Event, PermissionRequest } from "@agentwire/protocol/model"
import { emptySituation } from "@agentwire/protocol/model"
import * as Schema from "effect/Schema"

// ── Events and what becomes of them ──

const events: ReadonlyArray<Agui.AguiEvent> = [
  { type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion: Agui.PROTOCOL_VERSION },
  { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Hello" },
  { type: "TEXT_MESSAGE_END", messageId: "m" },
  { type: "RUN_FINISHED", threadId: "t", runId: "r" }
]
console.log(events.every(Schema.is(Agui.AguiEvent)), events.filter(Agui.endsRun).length) // true 1

// As frames of server-sent events, and the head of the most frequent one.
console.log(events.map(Agui.encodeSse).join("").includes(Agui.textFrameHead("m"))) // true

// What a client has after some events: all at once, or one by one.
const history = Agui.foldEvents(events)
console.log(events.reduce(Agui.applyEvent, Agui.emptyHistory).messages.length) // 1
console.log(Agui.messagesSnapshot(history).messages.length, Agui.transcriptFrom(history.messages).entries.length) // 1 1

// The state, by JSON Patch.
console.log(Agui.applyPatch({ a: 1 }, [{ op: "replace", path: "/a", value: 2 }])._tag) // Success

// A body as text: media become links.
console.log(Agui.plainText([{ type: "text", text: "Look" }])) // Look

// ── Dialects ──

// Who asks says which; what differs is a table; an event as the older clients read it.
const input: Agui.RunAgentInput = { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Hi" }] }
console.log(Schema.is(Agui.RunAgentInput)(input), Agui.dialectOf(input)) // true 0.0
console.log(Agui.differences["event-unknown"]["0.0"], Object.keys(Agui.dialects)) // rejected [ '1.0', '0.0' ]
console.log(events.flatMap((event) => Agui.inDialect(event, "0.0")).length) // 5

// A codec for each, and the tables of schemas that they are made of.
console.log(Agui.codecs["1.0"].decodeValue(events[0])._tag, Agui.codecs["0.0"].decodeValue(events[0])._tag) // Known Known
console.log(Object.hasOwn(Agui.events, "RUN_STARTED"), Object.hasOwn(Agui.events00, "THINKING_START")) // true true
console.log(Object.hasOwn(Agui.thinkingEvents, "THINKING_START")) // true
console.log(Object.hasOwn(Agui.messages, "reasoning"), Object.hasOwn(Agui.messages00, "tool")) // true true

// Fields that events share, for schemas of your own.
console.log(Object.keys(Schema.Struct({ ...Agui.baseEvent, ...Agui.attributable }).fields).at(-1)) // subagentRunId

// ── Writing: the model as AG-UI ──

// A writer for each client: it opens runs, and ends them when somebody outside has to act.
let [writer, out] = Agui.beginRun(Agui.initialWriter({ threadId: "t", approvals: "interrupt" }), { runId: "r" })
console.log(
  out.map(({ type }) => type),
  Agui.isRunOpen(writer),
  Agui.openRunId(writer)
) // [ 'RUN_STARTED' ] true r
const told: ReadonlyArray<Event> = [
  { type: "turn_started", cause: "prompt", ticket: "r" },
  { type: "item_started", lane: null, id: "m", item: { kind: "text" } },
  { type: "item_grew", lane: null, id: "m", delta: "Hello" },
  { type: "item_ended", lane: null, id: "m" }
]
for (const event of told) [writer, out] = Agui.write(writer, event)
console.log(out.map(({ type }) => type)) // [ 'TEXT_MESSAGE_END' ]

// A question: as an interrupt that ends the run, or as an event.
const request: PermissionRequest = {
  id: "q",
  message: "Touch a?",
  kind: "permission",
  call: "c",
  tool: "Bash",
  input: { command: "touch a" },
  remember: [],
  details: {}
}
console.log(Agui.interruptOf(request).reason, Agui.approvalEvent(request, undefined).type) // tool_call CUSTOM
const [waiting] = Agui.suspendRun(writer, { interrupts: [Agui.interruptOf(request)] })
console.log(Agui.isSuspended(waiting), Agui.isRunOpen(Agui.releaseRun(waiting)[0])) // true true

// Ends of runs: of a turn, of a run that has nothing to wait for, and by force.
console.log(Agui.endingOf({ type: "completed" }).type, Agui.successEnding.type) // finished finished
console.log(Agui.endIdleRun(Agui.beginRun(Agui.initialWriter({ threadId: "t" }), { runId: "r" })[0])[1].length) // 1
console.log(Agui.closeRun(writer, Agui.successEnding)[1].at(-1)?.type) // RUN_FINISHED

// A client that joins in the middle: its run, then snapshots, then what is open.
const [joined] = Agui.joinRun(Agui.initialWriter({ threadId: "t" }, emptySituation), { runId: "r2" })
console.log(Agui.openRunId(joined), Agui.reopeningEvents(emptySituation).length) // r2 0

// A client that comes with messages of its own is not sent them again.
const prompted = { type: "item_started", lane: null, id: "u1", item: { kind: "prompt", content: "Hi" } } as const
const [knowing] = Agui.beginRun(Agui.withHad(Agui.initialWriter({ threadId: "t" }), ["u1"]), { runId: "r3" })
console.log(Agui.write(knowing, prompted)[1].length) // 0
console.log(Agui.messagesOf({ entries: [], omitted: 3 }).length) // 1

// Names that pages may look for: of activities, and of the session's part of the state.
console.log(Agui.leftOutActivity, Agui.taskActivity, Agui.sessionStateKey) // agentwire.messages_left_out task agentwire
const info = { sessionId: "s", model: "m", cwd: "/" }
console.log(JSON.stringify(Agui.stateOf(info, { count: 1 }))) // {"count":1,"agentwire":{"sessionId":"s","model":"m","cwd":"/"}}

// The application's state in what a client sends, and what a client that joins is told of it.
console.log(Agui.broughtState({ count: 2, agentwire: {} }), Agui.broughtState({})) // { state: { count: 2 } } undefined
console.log(Agui.stateEvents({ session: info, state: { count: 1 } }, {})[0]?.type) // STATE_SNAPSHOT
console.log(Agui.stateEvents({ session: info, state: { count: 1 } }, { count: 2 })[0]?.type) // STATE_DELTA
console.log(Agui.isEmptyState({})) // true

// What an event of the model can become.
console.log(Agui.writeMappingOf(["item_started"], { items: ["call"] }).events) // [ 'TOOL_CALL_START' ]

// ── Reading: what clients send as the model has it ──

// A request: what is new in it, given what the thread knows.
const { prompt, thread } = Agui.readInput(Agui.emptyThread, input)
console.log(prompt?.said, Agui.readInput(thread, input).prompt) // [ { id: '1', content: 'Hi' } ] undefined
console.log(Agui.forgetTold(thread).known.length <= Agui.maxRemembered) // true
console.log(Agui.isSlashCommand(prompt?.said ?? [])) // false

// A request whose messages differ from the conversation: here the person wants another answer to the same message.
const said: ReadonlyArray<Agui.KnownEntry> = [
  { branch: 0, position: 0, entry: { id: "1", lane: null, kind: "prompt", content: "Hi" } },
  { branch: 0, position: 1, entry: { id: "2", lane: null, kind: "text", text: "Hello" } }
]
const mark = Agui.seenMarkIn({ agentwire: { conversation: { branch: 0, last: "2" } } })
const divergence = Agui.divergenceOf(input.messages, {
  path: said,
  isWhole: true,
  elsewhere: [],
  origins: [null],
  hasHad: Agui.hasSeen(mark, said, [null]),
  sendsAll: Agui.sendsAll(input.forwardedProps)
})
console.log(divergence?.kind, Agui.entryIds(input.messages)) // regenerate [ '1' ]

// Who it may be, and what all of them lack on purpose: for clients that bring no mark.
const shown: Agui.ShownEntries = [said.slice(0, 1)]
const clients: ReadonlyArray<Agui.SentTo> = [
  { shown: [], said: { branch: 0, last: "1" }, sent: [{ branch: 0, last: "2" }], unsure: undefined }
]
const senders: Agui.Senders<Agui.SentTo> = Agui.sendersOf(clients, shown, said, [null])
console.log(
  said.map((entry) => [senders.haveLeft(entry), senders.wereSent(entry)]),
  mark !== undefined && Agui.hasTakenAway(mark, shown, said, [null])
) // [ [ true, true ], [ false, true ] ] true

// What a client knows an entry by, and back.
console.log(
  said.map(({ entry }) => Agui.messageIdOf(entry)),
  Agui.entryIdsOf("c:result")
) // [ '1', '2' ] [ 'c:result', 'c' ]

// Answers to questions, results of tools, and the tools that an application offers.
console.log(Agui.readAnswer(request, { status: "resolved", payload: { approved: true } }).answer.type) // allow
console.log(Agui.readToolResult({ id: "2", role: "tool", toolCallId: "c", content: "42" }).content) // 42
console.log(Agui.pageTools([{ name: "show_map", description: "Shows a map." }])[0]?.name) // show_map

// Where older clients put their answer.
console.log(Agui.oldResumePath) // forwardedProps.command.resume
