import { RoleSchema } from "@ag-ui/core/schemas"
import { describe, expect, test } from "vitest"
import { Message, messages, Role } from "../../src/agui/Message.ts"
import { issues, wrongAt } from "./Decode.ts"

test("there are seven roles, those of @ag-ui/core", () => {
  expect(Object.keys(messages).sort()).toEqual([...RoleSchema.options].sort())
  expect([...Role.literals].sort()).toEqual([...RoleSchema.options].sort())
})

test.each(Object.entries(messages))("%s is the role of its row", (role, schema) => {
  expect(schema.fields.role.literal).toBe(role)
})

describe("malformed messages, by path", () => {
  const call = { id: "c", type: "function", function: { name: "n", arguments: "{}" } }
  const cases: ReadonlyArray<readonly [Record<string, unknown>, string]> = [
    [{ role: "later", content: "x" }, ""],
    [{ role: "developer" }, "content"],
    [{ role: "system", content: [] }, "content"],
    [{ role: "assistant", content: [{ type: "text", text: "x" }] }, "content"],
    [{ role: "assistant", toolCalls: [{ ...call, type: "tool" }] }, "toolCalls.0.type"],
    [
      { role: "assistant", toolCalls: [{ ...call, function: { name: "n", arguments: {} } }] },
      "toolCalls.0.function.arguments"
    ],
    [{ role: "user", content: [{ type: "image", source: { type: "data", value: "x" } }] }, "content.0.source.mimeType"],
    [{ role: "tool", content: "x" }, "toolCallId"],
    [{ role: "activity", activityType: "a", content: "x" }, "content"],
    [{ role: "reasoning", content: "x", encryptedValue: null }, "encryptedValue"]
  ]
  test.each(cases)("%j: %s", (fields, path) => expect(wrongAt(Message, { id: "m", ...fields })).toEqual([path]))
})

test("an assistant may say nothing, and arguments need not be JSON", () => {
  expect(issues(Message, { id: "m", role: "assistant" })).toEqual([])
  const toolCalls = [{ id: "c", type: "function", function: { name: "n", arguments: '{"a' } }]
  expect(issues(Message, { id: "m", role: "assistant", toolCalls })).toEqual([])
})
