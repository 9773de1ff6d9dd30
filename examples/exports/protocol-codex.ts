/**
 * `@agentwire/protocol/codex`: what Codex says and hears. Some 1,100 schemas have the names of their types and are used
 * alike: `ThreadItem` stands for them. The tables by method (`clientRequests`, …) lead to all of them.
 */
import * as Codex from "@agentwire/protocol/codex"
import { Effect, Schema, Stream } from "effect"

const line =
  '{"method":"turn/started","params":{"threadId":"t","turn":{"id":"u","status":"inProgress","items":[]}},"emittedAtMs":1}'
const bytes = new TextEncoder().encode(`${line}\n`)

// ── Reading ──

// One line; a value that is parsed already; what a schema does not name; the line again.
const decoded = Codex.decodeLine(line)
if (decoded._tag === "Known" && decoded.name === "turn/started") console.log(decoded.message.params.turn.id) // u
console.log(Codex.decodeValue(JSON.parse(line))._tag, Codex.drift(JSON.parse(line)).length) // Known 0
console.log(Codex.encodeLine({ method: "initialized" })) // {"method":"initialized"}

// Many lines: pushed, pulled, as an Effect stream. `codec` has all of these in one value.
console.log(Codex.decoder().push(bytes).length) // 1
for await (const each of Codex.decodeChunks([bytes])) console.log(each._tag) // Known
console.log((await Effect.runPromise(Stream.make(bytes).pipe(Codex.decodeStream(), Stream.runCollect))).length) // 1
console.log(Codex.codec.decodeLine === Codex.decodeLine) // true

// The result of a request, by its method.
console.log(Codex.decodeResult("thread/archive", {})._tag, Codex.resultDrift("thread/archive", { late: 1 }).length) // Known 1

// Both sides together: an answer is decoded as what it answers.
const dialogue = new Codex.Dialogue()
dialogue.hear("client", '{"id":0,"method":"thread/archive","params":{"threadId":"t"}}')
const heard = dialogue.hear("server", '{"id":0,"result":{}}')
console.log(heard.answers, Codex.heardDrift(heard).length) // thread/archive 0

// ── The conversation ──

// A prompt is sent, lines of both sides come, the process ends: events of the model.
const said = [{ id: "p", content: "Hi" }]
let [fold, events] = Codex.foldPrompt(Codex.initialFold({ threadId: "t" }), said, "p")
;[fold, events] = Codex.foldMessage(Codex.withPageTools(fold, ["show_map"]), dialogue.hear("server", line))
// Words for the turn are said once the server repeats them; those that it drops are not waited for.
console.log(Codex.foldUnheard(Codex.foldSteer(fold, said, "s"), "s").steers.size) // 0
console.log(events.length, Codex.endFold(fold, { type: "cancelled" })[1].at(-1)?.type) // 0 turn_ended
console.log(Codex.mappingOf("item/tool/call").requests, Codex.noticeName("skills/changed")) // [ 'page_tool' ] skills_changed

// What is asked of Codex: a thread with tools of the application, a turn, more for the turn, its end.
const map = { name: "show_map", description: "Shows a map." }
console.log(Codex.threadStart({ cwd: "/work" }, [map]).dynamicTools?.length, Codex.dynamicTool(map).type) // 1 function
console.log(Codex.promptInput({ said }).length, Codex.turnStart("t", { said }).threadId) // 1 t
console.log(Codex.turnSteer("t", "u", { said }).expectedTurnId, Codex.turnInterrupt("t", "u").turnId) // u u

// What Codex asks, as a request of the model, and the answer.
const approval = { threadId: "t", turnId: "u", itemId: "i", startedAtMs: 1, command: "ls", cwd: "/work" }
const question = Codex.decodeValue({ id: 0, method: "item/commandExecution/requestApproval", params: approval })
if (question._tag === "Known" && Codex.isQuestion(question)) {
  const request = Codex.requestOf(question.message, { id: "u:0" })
  console.log(request.kind, Codex.subjectOf(question.message).input) // permission { command: 'ls', cwd: '/work' }
  console.log(Codex.answerOf(question.message, { type: "allow" })) // { decision: 'accept' }
}
console.log(Codex.dynamicToolResult({ type: "result", content: "A map.", failed: false }).success) // true
console.log(Codex.questionMethods.length) // 8

// ── Tables of schemas ──

const { clientNotifications, clientRequests, messages, requests, serverNotifications, serverRequests } = Codex
for (const table of [clientNotifications, clientRequests, messages, requests, serverNotifications, serverRequests])
  console.log(Object.keys(table).length > 0) // true
console.log(clientRequests["thread/search"].isExperimental) // true
console.log(Schema.is(Codex.ThreadItem)({ type: "plan", id: "i", text: "First." })) // true

// Methods of your own, such as a fork of Codex has.
console.log(Codex.request(Schema.String, Schema.String).isExperimental) // false
console.log(Schema.isSchema(Codex.notification(Schema.String).params)) // true

// The keys that a message or a result cannot be read without.
console.log(Object.hasOwn(Codex.essentials, "item/started"), Codex.resultEssentials("thread/start")) // true [ 'thread.id' ]

// ── codex exec --json ──

console.log(Codex.execCodec.decodeLine('{"type":"turn.started"}')._tag, Object.keys(Codex.execEvents).length) // Known 8

// A prompt, what a process says to it, its end; and a conversation that goes on in another thread.
let [exec, told] = Codex.foldExecPrompt(Codex.initialExecFold({ isResumed: true }), said)
;[exec, told] = Codex.foldExec(exec, Codex.execCodec.decodeLine('{"type":"turn.failed","error":{"message":"No."}}'))
console.log(told.at(-1)?.type, Codex.endExecFold(exec, { type: "exit", code: 1 })[1].length) // turn_ended 0
console.log(Codex.withNewExecThread(exec).thread) // undefined
const resumed = Codex.initialExecFold({ isResumed: true })
console.log(Codex.withExecSpending(resumed, { input_tokens: 100, output_tokens: 10 }).total?.input) // 100

// ── Versions ──

console.log(Codex.schemaVersion, Codex.measuredVersions.length) // 0.166.0 3
console.log(Codex.lookupMethod("thread/rollback", "0.166.0").value) // absent
console.log(Codex.lookupFact("steerCutsText", "0.160.1")) // { value: false, assumed: false, source: '§3.31' }
console.log(Object.keys(Codex.factTable).length, Codex.factTable.rootTurnId.values["0.166.0"]) // 8 true

// ── Rollouts: the files that Codex keeps of its threads ──

const rollout = [
  { type: "session_meta", payload: { id: "t", cwd: "/work" } },
  { type: "event_msg", payload: { type: "task_started", turn_id: "u" } },
  { type: "event_msg", payload: { type: "user_message", message: "Hi" } }
]
const rolloutBytes = new TextEncoder().encode(rollout.map((line) => `${JSON.stringify(line)}\n`).join(""))
const thread = Codex.Rollout.rolloutSession(Codex.Rollout.readRollout(rolloutBytes))
console.log(thread && Codex.Rollout.rolloutTranscript(thread).entries.map(({ kind }) => kind)) // [ 'prompt' ]
