/**
 * `@agentwire/protocol/claude`: what Claude Code says and hears. Some 450 schemas have the names of their types and
 * are used alike: `PermissionResult` stands for them, and `PreToolUseHookInput` for the inputs of hooks. The tables by
 * name (`messages`, `hookInputs`, …) lead to all of them.
 */
import { readFileSync } from "node:fs"
import * as Claude from "@agentwire/protocol/claude"
import { Effect, Schema, Stream } from "effect"

const session = readFileSync(new URL("../tool_approved.ndjson", import.meta.url))
const lines = session.toString().trimEnd().split("\n")

// ── Reading ──

// One line; a value that is parsed already; what a schema does not name; the line again.
const first = Claude.decodeLine(lines[0] ?? "")
const again = Claude.decodeValue(JSON.parse(lines[0] ?? ""))
console.log(first._tag, again._tag, Claude.drift(JSON.parse(lines[0] ?? "")).length) // Known Known 0
console.log(Claude.encodeLine({ type: "keep_alive" })) // {"type":"keep_alive"}

// Many lines: pushed, pulled, as an Effect stream. `codec` has all of these in one value.
const pushed = Claude.decoder()
console.log(pushed.push(session).length + pushed.end().length === lines.length) // true
for await (const decoded of Claude.decodeChunks([session])) if (decoded._tag !== "Known") console.log(decoded)
const streamed = Stream.make(session).pipe(Claude.decodeStream(), Stream.runCollect)
console.log((await Effect.runPromise(streamed)).length === lines.length) // true
console.log(Claude.codec.decodeLine === Claude.decodeLine) // true

// Schemas, and types of the same names.
const denied: Claude.PermissionResult = { behavior: "deny", message: "not on a Friday" }
console.log(Schema.is(Claude.PermissionResult)(denied), Schema.isSchema(Claude.PreToolUseHookInput)) // true true

// ── Tables of schemas ──

// Messages by name, and by the parts that they are put together from.
const { controlRequestMessages, controlResponses, notices, results, streamEvents, systemMessages } = Claude
console.log(Object.hasOwn(Claude.messages, "system/init"), Object.hasOwn(systemMessages, "init")) // true true
for (const table of [controlRequestMessages, controlResponses, notices, results, streamEvents])
  console.log(Object.keys(table).length > 0) // true

// Hooks: what they are told, and what they may answer.
console.log(Object.hasOwn(Claude.hookInputs, "PreToolUse"), Object.hasOwn(Claude.hookSpecificOutputs, "PreToolUse")) // true true

// Fields that many schemas share, for schemas of your own.
const Own = Schema.Struct({ ...Claude.systemEnvelope("my_notice"), ...Claude.turnMarks, ...Claude.subagentMarks })
console.log(Object.keys(Own.fields).slice(0, 2)) // [ 'type', 'subtype' ]
const { apiError, baseHookFields, cacheControl, envelope, fastMode, processStart, resultTiming } = Claude
for (const fields of [apiError, baseHookFields, cacheControl, envelope, fastMode, processStart, resultTiming])
  console.log(Object.values(fields).every(Schema.isSchema)) // true

// The keys that a message cannot be read without.
console.log(Object.hasOwn(Claude.essentials, "assistant"), Claude.responseEssentials("initialize")) // true []

// ── Control requests ──

// Which there are, who makes them, and the payload of an answer.
const { controlRequests, decodeResponse, isControlSubtype, responseDrift } = Claude
console.log(isControlSubtype("can_use_tool"), controlRequests.can_use_tool.from) // true cli
console.log(decodeResponse("can_use_tool", denied)._tag, responseDrift("can_use_tool", denied)) // Known []

// The id of a request that could not be read, so that it can be refused all the same.
const cut = '{"type":"control_request","request_id":"r1","request":{"subtype":"can_use'
console.log(Claude.controlError(Claude.requestIdIn(cut) ?? "", "It was cut off.").response.request_id) // r1
console.log(Claude.withdrawnIdIn({ type: "control_cancel_request", request_id: 7 })) // 7

// A question, as the model has it, and the line that answers it.
const question = lines
  .map((line) => Claude.decodeLine(line))
  .find((decoded) => decoded._tag === "Known" && decoded.name === "control_request/can_use_tool")
if (question?._tag === "Known" && question.name === "control_request/can_use_tool") {
  const { message } = question
  console.log(Claude.isToolQuestion(message), Claude.requestOf(message).kind) // true permission
  const answer = { type: "allow" } as const
  const line = Claude.controlSuccess(message.request_id, Claude.answerResponse(message, answer))
  console.log(Claude.verdictOf(answer), line.response.subtype) // allow success
}

// The result of a tool of the application, as MCP has it.
console.log(Claude.callToolResult({ type: "result", content: "42", failed: false })) // { content: [ { type: 'text', text: '42' } ] }

// ── The model in the middle ──

// A prompt as a line, and the prompt in a line.
const line = Claude.promptLine({ type: "prompt", said: [{ id: "1", content: "Hello" }] })
console.log(Claude.hostPrompt(line, "1")) // { id: '1', content: 'Hello' }

// Messages folded into events: a prompt goes out, lines come in, the process ends.
let [state] = Claude.foldPrompt(Claude.initialFold(), [{ id: "1", content: "Hello" }])
for (const each of lines) [state] = Claude.foldMessage(state, Claude.decodeLine(each))
// Words that were sent in mid-turn are said once the CLI has taken them up.
const steered = Claude.foldSteer(state, [{ id: "2", content: "And hurry" }], "u")
console.log(steered.steers.size, Claude.foldUnheard(steered, "u")[0].steers.size) // 1 0
const reason: Claude.FinishReason = { type: "exit", code: 0 }
console.log(Claude.isOrderly(reason), Claude.endFold(state, reason)[1].length) // true 0

// The name of a point that a conversation can go back to: after a line of a session.
console.log(Claude.readAnchor(Claude.anchorName({ sessionId: "s", uuid: "u" }))) // { sessionId: 's', uuid: 'u' }

// What a message can become.
console.log(Claude.mappingOf("assistant").items) // [ 'text', 'thought', 'call' ]

// Tools of the application: the CLI reaches them as MCP tools, people know them by their own names.
const withTools = Claude.withPageTools(state, "frontend", ["show_map"])
console.log(Claude.mcpToolName("frontend", "show_map")) // mcp__frontend__show_map
console.log(Claude.pageToolName(withTools, "mcp__frontend__show_map")) // show_map

// ── Versions ──

// What differs between them is a table; what was not measured is a guess, and said to be one.
console.log(Claude.fact("sdkUrl", "2.1.120"), Claude.fact("sdkUrl", "2.1.121")) // true false
console.log(Claude.lookup("sdkUrl", "2.1.120").assumed, Claude.versionTable.length > 0) // false true
console.log(Claude.compareVersions("2.1.37", "2.1.113") < 0, Claude.measuredVersions.includes("2.1.325")) // true true

// Which control requests a version answers.
console.log(Claude.answers("get_settings", "2.1.37"), Claude.lookupAnswer("get_settings", "2.1.37").assumed) // silent false
console.log(Claude.launchOptions.effort.how, Claude.lookupOption("effort", "2.1.37").value) // `--effort` unknown
console.log(Object.keys(Claude.hookEventVersions).length, Claude.lookupHookEvent("MessageDisplay", "2.1.325").value) // 33 known
console.log(Object.hasOwn(Claude.controlAnswers, "get_settings")) // true

// ── Session files ──

// What the CLI keeps of a session itself: lines as above, put together to what was said, whatever branches there are.
const userLine = { type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: "Hi" } }
const file = Claude.Transcript.readTranscriptFile(new TextEncoder().encode(Claude.encodeLine(userLine)))
const kept = Claude.Transcript.sessionOf({ sessionId: "s1", main: file })
console.log(Claude.Transcript.sessionTranscript(kept).entries.map(({ kind }) => kind)) // [ 'prompt' ]
console.log(Claude.Transcript.sessionBranches(kept).length, kept.facts.title) // 0 Hi
