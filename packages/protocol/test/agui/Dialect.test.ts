import { PROTOCOL_VERSION as theirs } from "@ag-ui/core"
import { describe, expect, test } from "vitest"
import { dialectOf, dialects, differences, PROTOCOL_VERSION } from "../../src/agui/Dialect.ts"
import { events } from "../../src/agui/Event.ts"
import { AguiEvent00, events00, RunAgentInput00, thinkingEvents } from "../../src/agui/Event00.ts"
import { issues, wrongAt } from "./Decode.ts"

test("the version is that of @ag-ui/core", () => expect(PROTOCOL_VERSION).toBe(theirs))

test.each([
  [{}, "0.0"],
  [{ protocolVersion: "1.0" }, "1.0"],
  [{ protocolVersion: "1.1" }, "1.0"],
  [{ protocolVersion: "2.0" }, "1.0"],
  [{ protocolVersion: "0.9" }, "0.0"],
  [{ protocolVersion: null }, "0.0"]
])("%j speaks %s", (input, dialect) => expect(dialectOf(input)).toBe(dialect))

test("0.0 has the events of 1.0 and five more", () => {
  expect(dialects["0.0"].eventTypes).toHaveLength(36)
  expect(Object.keys(events00)).toEqual([...Object.keys(events), ...Object.keys(thinkingEvents)])
})

test.each(Object.entries(events00))("%s is the type of its 0.0 row", (type, schema) => {
  expect(schema.fields.type.literal).toBe(type)
})

test("every row tells the dialects apart", () => {
  for (const [id, row] of Object.entries(differences)) expect(row["1.0"], id).not.toBe(row["0.0"])
})

const run = { threadId: "t", runId: "r" }

describe("0.0 refuses, by path", () => {
  const cases: ReadonlyArray<readonly [Record<string, unknown>, string]> = [
    [{ type: "RUN_FINISHED", ...run, outcome: { type: "cancelled" } }, "outcome"],
    [{ type: "RUN_FINISHED", ...run, outcome: { type: "success", pendingToolCallIds: [] } }, "outcome"],
    [{ type: "SUBAGENT_FINISHED", subagentRunId: "s", outcome: { type: "success", later: 1 } }, "outcome"],
    [{ type: "SUBAGENT_FINISHED", subagentRunId: "s", outcome: null }, "outcome"],
    [{ type: "TOOL_CALL_RESULT", messageId: "m", toolCallId: "c", content: [] }, "content"],
    [{ type: "LATER" }, ""],
    [{ type: "CUSTOM", name: "n", metadata: null }, "metadata"]
  ]
  test.each(cases)("%j: %s", (event, path) => expect(wrongAt(AguiEvent00, event)).toEqual([path]))

  test("a request without tools and context", () => {
    expect(wrongAt(RunAgentInput00, { ...run, messages: [] })).toEqual(["tools", "context"])
  })
})

describe("0.0 accepts", () => {
  const cases: ReadonlyArray<Record<string, unknown>> = [
    { type: "CUSTOM", name: "n", timestamp: 1.5, rawEvent: null },
    { type: "RUN_FINISHED", ...run, outcome: null, result: null },
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "n", parentMessageId: null },
    { type: "STATE_DELTA", delta: [{ op: "add", path: "a" }] },
    { type: "STATE_SNAPSHOT" },
    { type: "RAW" },
    { type: "THINKING_START", title: "x" },
    {
      type: "MESSAGES_SNAPSHOT",
      messages: [{ id: "m", role: "user", content: [{ type: "binary", mimeType: "image/png", url: "u" }] }]
    }
  ]
  test.each(cases)("%j", (event) => expect(issues(AguiEvent00, event)).toEqual([]))
})
