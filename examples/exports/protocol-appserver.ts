/**
 * `@agentwire/protocol/appserver`: a conversation as Codex's app-server says it, so that Codex's own clients can show any
 * agent. What goes to a client is an `AppServerOut`: told, asked, or that a question is closed.
 */
import {
  askMethods,
  currentTurnId,
  initialAppServer,
  isReviewId,
  laneThreadId,
  openQuestions,
  permissionProfiles,
  readAnswer,
  readUserInput,
  reviewIdOf,
  reviewOf,
  reviewPrompt,
  sessionSettings,
  stableUuid,
  statusOf,
  ThreadHistory,
  turnIdOf,
  turnsOf,
  writeAppServer
} from "@agentwire/protocol/appserver"
import type * as Model from "@agentwire/protocol/model"

const options = { threadId: "0199a213-81a0-7800-8aa0-bbab2a035a53", cwd: "/work" }
const conversation: ReadonlyArray<Model.Event> = [
  { type: "turn_started", cause: "prompt" },
  { type: "item_started", lane: null, id: "m", item: { kind: "text" } },
  { type: "item_grew", lane: null, id: "m", delta: "Hello." },
  { type: "item_ended", lane: null, id: "m" },
  { type: "turn_ended", outcome: { type: "completed" } }
]
const events = conversation.map((event) => ({ at: 0, event }))

// One client: where it is, and what it is told.
let cursor = initialAppServer(options)
const told: Array<string> = []
for (const event of events) {
  const [next, given] = writeAppServer(cursor, event)
  cursor = next
  for (const out of given) if (out._tag === "Notification") told.push(out.method)
}
console.log(told[1], told.at(-1)) // turn/started turn/completed
console.log(statusOf(cursor).type) // idle

// Ids are made of what they name: whoever asks for a turn knows its id before it begins.
console.log(currentTurnId(cursor) === turnIdOf(options.threadId, 2)) // true
console.log(laneThreadId(options.threadId, "toolu_1") === stableUuid(options.threadId, "lane", "toolu_1")) // true

// A review is a prompt with an id that says so: its turn is told as Codex tells a review.
const review = reviewPrompt({ type: "uncommittedChanges" }) ?? ""
console.log(isReviewId(reviewIdOf("0199a213")), reviewOf(review)) // true current changes

// What was said, for `thread/read` and `thread/resume`: the same items, with the same ids.
console.log(turnsOf(events, options)[0]?.items.map(({ type }) => type)) // [ 'agentMessage' ]
const history = new ThreadHistory(options)
for (const event of events) history.apply(event)
console.log(history.items().length) // 1

// Whoever joins is asked what is open, and goes on from where the history is.
console.log(openQuestions(history.cursor, 0)[1].length) // 0

// What clients send.
const permission: Model.Request = {
  id: "r",
  kind: "permission",
  message: "May it run?",
  call: "c",
  tool: "Bash",
  input: { command: "ls" },
  remember: [],
  details: {}
}
console.log(askMethods[0]) // item/commandExecution/requestApproval
console.log(readAnswer(permission, { result: { decision: "accept" } }).type) // allow
console.log(readAnswer(permission, { result: { decision: "approve" } }).type) // deny
console.log(readUserInput([{ type: "text", text: "Hi" }])._tag) // Input
console.log(permissionProfiles[":workspace"]) // workspace-write
console.log(sessionSettings({ approvalPolicy: "never", sandbox: "danger-full-access" }).choices.autonomy?.may) // everything
