/**
 * `@agentwire/protocol/gateway`: frames, methods and events of the gateway, the model written as events, requests read. Its
 * schemas are all used alike: `RequestFrame` stands here for the others.
 */
import {
  blocksOf,
  gatewayMethods,
  gatewayPayloads,
  initialGateway,
  isGatewayMethod,
  isPattern,
  joinGateway,
  joinsAfter,
  matchesEvent,
  messagesOf,
  modelEvent,
  namedOnly,
  RequestFrame,
  readAnswer,
  readContent,
  readFrame,
  readParams,
  type SessionEvent,
  sessionEvents,
  thinkingTokens,
  usageOf,
  writeGateway
} from "@agentwire/protocol/gateway"
import { type Event, noUsage, transcriptOf } from "@agentwire/protocol/model"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

// The model's events, as a client is told them: each entry of a log has a number.
const conversation: ReadonlyArray<Event> = [
  { type: "turn_started", cause: "prompt" },
  { type: "item_started", lane: null, id: "t", item: { kind: "text" } },
  { type: "item_grew", lane: null, id: "t", delta: "Hello" }
]
let cursor = initialGateway({ sessionId: "s" })
const told: Array<SessionEvent> = []
for (const [seq, event] of conversation.entries()) {
  const [next, given] = writeGateway(cursor, { seq, at: 0, event })
  cursor = next
  told.push(...given)
}
console.log(told.map(({ payload }) => payload.type).join(" ")) // turn_start message_start content_block_start content_block_delta

// Whoever joins now is told what is open, with all that it has; and what was said before is a history.
const [first] = joinGateway(cursor)
console.log(joinGateway(cursor).length, joinsAfter(first?.payload.part ?? 0)) // 3 2
console.log(messagesOf(transcriptOf(conversation).entries)[0]?.role) // assistant
console.log(modelEvent("s", { seq: 0, at: 0, event: { type: "turn_started", cause: "agent" } }, false).event) // session.event

// Requests, read.
console.log(Schema.is(RequestFrame)({ type: "req", id: "1", method: "session.list" })) // true
console.log(Result.isSuccess(readFrame('{"type":"req","id":"1","method":"session.list"}'))) // true
console.log(Result.isSuccess(readParams("session.prompt", { content: "" }))) // false
console.log(isGatewayMethod("session.fly"), Object.keys(gatewayMethods).length) // false 17
const look = { id: "q", kind: "page_tool", call: "c", tool: "look", input: {}, message: "Look?" } as const
console.log(Result.isSuccess(readAnswer(look, { type: "result", content: "A wall" }))) // true

// Content in both directions.
console.log(readContent(blocksOf("Hello"))) // Hello

// What a client subscribes to.
console.log(matchesEvent("session.*", "session.turn_stop"), isPattern("se*"), [...namedOnly]) // true false [ 'session.event' ]
console.log(Object.keys(gatewayPayloads).length === Object.keys(sessionEvents).length) // true

// Tokens.
console.log(thinkingTokens.max, usageOf(noUsage).input_tokens) // 32000 0
