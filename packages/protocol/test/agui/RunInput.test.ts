import { describe, expect, test } from "vitest"
import { RunAgentInput } from "../../src/agui/RunInput.ts"
import { issues, wrongAt } from "./Decode.ts"

const input = { threadId: "t", runId: "r", messages: [] }

/** As the clients sent them (docs/wire/ag-ui.md §3.1, §5). */
const recorded = [
  { ...input, protocolVersion: "1.0", state: {}, tools: [], context: [], forwardedProps: {} },
  { ...input, tools: [], context: [], forwardedProps: {}, state: {} },
  {
    ...input,
    tools: [{ name: "setBackground", description: "Set the page background colour", parameters: { type: "object" } }],
    context: [],
    forwardedProps: { command: { resume: { ok: true }, interruptEvent: { ask: "Allow Bash?" } } },
    state: {},
    resume: [{ interruptId: "int-1", status: "resolved", payload: { ok: true } }]
  }
]

test.each(recorded)("recorded request %#", (value) => expect(issues(RunAgentInput, value)).toEqual([]))

test("thread, run and messages are all it needs, and null is no state", () => {
  expect(issues(RunAgentInput, input)).toEqual([])
  expect(issues(RunAgentInput, { ...input, state: null })).toEqual([])
  expect(wrongAt(RunAgentInput, {})).toEqual(["threadId", "runId", "messages"])
})

describe("malformed requests, by path", () => {
  const cases: ReadonlyArray<readonly [Record<string, unknown>, string]> = [
    [{ protocolVersion: 1 }, "protocolVersion"],
    [{ tools: null }, "tools"],
    [{ tools: [{ name: "n" }] }, "tools.0.description"],
    [{ tools: [{ name: "n", description: "d", parameters: null }] }, "tools.0.parameters"],
    [{ context: [{ description: "d", value: {} }] }, "context.0.value"],
    [{ forwardedProps: null }, "forwardedProps"],
    [{ resume: [{ interruptId: "i", status: "denied" }] }, "resume.0.status"],
    [{ resume: [{ interruptId: "i", status: "resolved", payload: null }] }, "resume.0.payload"],
    [{ messages: [{ id: "m", role: "tool", content: "x" }] }, "messages.0.toolCallId"]
  ]
  test.each(cases)("%j: %s", (fields, path) => expect(wrongAt(RunAgentInput, { ...input, ...fields })).toEqual([path]))
})
