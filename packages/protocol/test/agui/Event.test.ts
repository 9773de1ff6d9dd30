import { EventType } from "@ag-ui/core"
import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import { AguiEvent, events } from "../../src/agui/Event.ts"
import { issues, wrongAt } from "./Decode.ts"

const rows = Object.entries(events)

test("there are 31 events, those of @ag-ui/core", () => {
  expect(rows).toHaveLength(31)
  expect(Object.keys(events).sort()).toEqual(Object.values(EventType).sort())
})

test.each(rows)("%s is the type of its row", (type, schema) => {
  expect(schema.fields.type.literal).toBe(type)
})

test.each(rows)("%s refuses another type, and bad base fields", (type, schema) => {
  expect(wrongAt(schema, { type: "LATER" })).toContain("type")
  const bad = { type, timestamp: 1.5, rawEvent: null, metadata: null }
  expect(wrongAt(schema, bad)).toEqual(expect.arrayContaining(["timestamp", "rawEvent", "metadata"]))
})

const run = { threadId: "t", runId: "r" }

describe("malformed events, by path", () => {
  const cases: ReadonlyArray<readonly [keyof typeof events, Record<string, unknown>, string]> = [
    ["TEXT_MESSAGE_START", { messageId: "m", role: "tool" }, "role"],
    ["TEXT_MESSAGE_START", { messageId: "m", subagentRunId: null }, "subagentRunId"],
    ["TEXT_MESSAGE_CONTENT", { messageId: "m" }, "delta"],
    ["TEXT_MESSAGE_END", {}, "messageId"],
    ["TEXT_MESSAGE_CHUNK", { delta: null }, "delta"],
    ["TOOL_CALL_START", { toolCallId: "c" }, "toolCallName"],
    ["TOOL_CALL_START", { toolCallId: "c", toolCallName: "n", parentMessageId: null }, "parentMessageId"],
    ["TOOL_CALL_ARGS", { toolCallId: "c", delta: {} }, "delta"],
    ["TOOL_CALL_RESULT", { toolCallId: "c", content: "x" }, "messageId"],
    ["TOOL_CALL_RESULT", { messageId: "m", toolCallId: "c", content: {} }, "content"],
    ["TOOL_CALL_RESULT", { messageId: "m", toolCallId: "c", content: [{ type: "text" }] }, "content.0.text"],
    ["TOOL_CALL_RESULT", { messageId: "m", toolCallId: "c", content: "x", role: "user" }, "role"],
    ["STATE_SNAPSHOT", {}, "snapshot"],
    ["STATE_DELTA", { delta: [{ op: "add", path: "a", value: 1 }] }, "delta.0.path"],
    ["STATE_DELTA", { delta: [{ op: "add", path: "/a" }] }, "delta.0.value"],
    ["MESSAGES_SNAPSHOT", { messages: [{ id: "m", role: "assistant", content: null }] }, "messages.0.content"],
    ["ACTIVITY_SNAPSHOT", { messageId: "m", activityType: "a", content: [] }, "content"],
    ["ACTIVITY_DELTA", { messageId: "m", activityType: "a", patch: [{ op: "remove", path: "/~2" }] }, "patch.0.path"],
    ["RAW", {}, "event"],
    ["CUSTOM", { name: "n" }, "value"],
    ["RUN_STARTED", { runId: "r" }, "threadId"],
    ["RUN_STARTED", { ...run, input: { ...run } }, "input.messages"],
    ["RUN_FINISHED", { ...run, result: null }, "result"],
    ["RUN_FINISHED", { ...run, outcome: { type: "later" } }, "outcome"],
    ["RUN_FINISHED", { ...run, outcome: { type: "interrupt", interrupts: [] } }, "outcome.interrupts"],
    [
      "RUN_FINISHED",
      { ...run, outcome: { type: "interrupt", interrupts: [{ id: "i" }] } },
      "outcome.interrupts.0.reason"
    ],
    ["RUN_FINISHED", { ...run, usage: [{ inputTokens: -1 }] }, "usage.0.inputTokens"],
    ["RUN_ERROR", { code: "x" }, "message"],
    ["STEP_STARTED", {}, "stepName"],
    ["REASONING_MESSAGE_START", { messageId: "m" }, "role"],
    ["REASONING_MESSAGE_START", { messageId: "m", role: "assistant" }, "role"],
    ["REASONING_ENCRYPTED_VALUE", { subtype: "later", entityId: "e", encryptedValue: "x" }, "subtype"],
    ["SUBAGENT_STARTED", { name: "n" }, "subagentRunId"],
    ["SUBAGENT_FINISHED", { subagentRunId: "s", outcome: { type: "cancelled" } }, "outcome"],
    ["SUBAGENT_ERROR", { subagentRunId: "s" }, "message"]
  ]
  test.each(cases)("%s %j: %s", (type, fields, path) => {
    expect(wrongAt(events[type], { type, ...fields })).toEqual([path])
    expect(issues(AguiEvent, { type, ...fields })).not.toEqual([])
  })
})

describe("legal, though it may not look it", () => {
  const cases: ReadonlyArray<Record<string, unknown>> = [
    { type: "TEXT_MESSAGE_CONTENT", messageId: "", delta: "" },
    { type: "TEXT_MESSAGE_CHUNK" },
    { type: "STATE_SNAPSHOT", snapshot: null },
    { type: "STATE_DELTA", delta: [] },
    { type: "CUSTOM", name: "n", value: null },
    { type: "RAW", event: null },
    { type: "RUN_FINISHED", ...run, outcome: { type: "cancelled" } },
    { type: "RUN_FINISHED", ...run, outcome: { type: "success", interrupts: [] } },
    { type: "RUN_STARTED", ...run, protocolVersion: "9", input: { ...run, messages: [], state: null } }
  ]
  test.each(cases)("%j", (event) => expect(issues(AguiEvent, event)).toEqual([]))
})

test("unknown keys survive, at every depth", () => {
  const event = {
    type: "RUN_FINISHED",
    ...run,
    later: { a: [null] },
    outcome: { type: "interrupt", later: 1, interrupts: [{ id: "i", reason: "r", later: 2 }] }
  }
  expect(Schema.decodeUnknownSync(AguiEvent)(event)).toEqual(event)
  expect(Schema.encodeSync(AguiEvent)(Schema.decodeUnknownSync(AguiEvent)(event))).toEqual(event)
})
