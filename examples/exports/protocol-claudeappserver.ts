/**
 * `@agentwire/protocol/claudeappserver`: the dialect `claude-app-server` of JSON-RPC, in which threads, turns and approvals
 * have names of their own. `Item`, `Turn`, `TurnStatus` and `PermissionMode` are the schemas of its parts.
 */
import {
  initialClaudeApp,
  notifications,
  permissionModes,
  readApproval,
  readRequest,
  requests,
  skills,
  turnName,
  turnsOf,
  writeClaudeApp
} from "@agentwire/protocol/claudeappserver"
import type * as Model from "@agentwire/protocol/model"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

// What a client asks is read: a method that does not exist, or wrong params, are refused with a code of JSON-RPC.
const start = readRequest("turn/start", { thread_id: "t", content: "List the files." })
console.log(Result.isSuccess(start)) // true
const wrong = readRequest("thread/start", { permission_mode: "plan" })
console.log(Result.isFailure(wrong) && wrong.failure.code) // -32602

// The model is written as its notifications.
const conversation: ReadonlyArray<{ readonly at: number; readonly event: Model.Event }> = [
  { at: 0, event: { type: "turn_started", cause: "prompt" } },
  { at: 1, event: { type: "item_started", lane: null, id: "m", item: { kind: "text" } } },
  { at: 2, event: { type: "item_grew", lane: null, id: "m", delta: "Hello." } },
  { at: 3, event: { type: "item_ended", lane: null, id: "m" } },
  { at: 4, event: { type: "turn_ended", outcome: { type: "completed" } } }
]
let cursor = initialClaudeApp("t")
for (const entry of conversation) {
  const [next, told] = writeClaudeApp(cursor, entry)
  cursor = next
  for (const { method, params } of told)
    console.log(method, Schema.is(notifications[method] as Schema.Codec<unknown>)(params))
}

// `thread/resume` gives the turns of the past.
console.log(turnsOf("t", conversation).map(({ turn_id }) => turn_id === turnName(1))) // [ true ]

// An approval is an answer to a question of the model.
console.log(readApproval({ request_id: "r", approved: true })) // { type: 'allow' }

console.log(
  Object.keys(requests).length,
  Object.keys(permissionModes),
  skills.map(({ name }) => name)
)
