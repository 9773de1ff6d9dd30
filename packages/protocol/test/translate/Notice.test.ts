import { readRecording, recordings } from "@agentwire/fixtures"
import { describe, expect, test } from "vitest"
import { events as aguiEvents } from "../../src/agui/Event.ts"
import { decodeLine, type Known } from "../../src/claude/Codec.ts"
import type { Out } from "../../src/claude/fold/Block.ts"
import { bareMessage, notice } from "../../src/claude/fold/Notice.ts"
import { type MessageName, messages } from "../../src/claude/Message.ts"
import { events as modelEvents } from "../../src/model/Event.ts"
import { mappingOf } from "../../src/translate/Mapping.ts"
import { beginRun, step } from "../../src/translate/Translator.ts"
import { after, enveloped, init, message, status } from "./Lines.ts"

const names = Object.keys(messages) as ReadonlyArray<MessageName>

describe("the mapping", () => {
  test.each(names)("%s: what it becomes is known", (name) => {
    const { custom, events, model } = mappingOf(name)
    for (const type of model) expect(Object.keys(modelEvents)).toContain(type)
    for (const type of events) expect(Object.keys(aguiEvents)).toContain(type)
    expect(custom.length > 0).toBe(events.includes("CUSTOM"))
  })

  test("holds for one message of each name that was recorded: it gives no event the mapping does not list", () => {
    const structural = new Set([
      "RUN_STARTED",
      "RUN_FINISHED",
      "RUN_ERROR",
      "SUBAGENT_STARTED",
      "SUBAGENT_FINISHED",
      "SUBAGENT_ERROR"
    ])
    const [running] = beginRun(after([init()]), { runId: "r" })
    const met = new Map<string, Known>()
    for (const version of recordings)
      for (const { from, line } of readRecording(version)) {
        const decoded = from === "cli" ? decodeLine(line) : undefined
        if (decoded?._tag === "Known") met.set(`${decoded.name} ${version}`, decoded)
      }
    expect(met.size).toBeGreaterThan(100)
    for (const known of met.values()) {
      const { custom, events } = mappingOf(known.name)
      for (const event of step(running, known)[1]) {
        if (structural.has(event.type)) continue
        expect([known.name, ...events]).toContain(event.type)
        if (event.type === "CUSTOM") expect([known.name, ...custom]).toContain(event.name)
      }
    }
  })
})

describe("a notice", () => {
  test("is the message without its envelope, under the wire's own names", () => {
    const out: Out = []
    notice(status("requesting", { permissionMode: "plan" }), out)
    expect(out).toEqual([
      { type: "noticed", lane: null, name: "system_status", value: { status: "requesting", permissionMode: "plan" } }
    ])
  })

  test("without a subtype has the name of its type", () => {
    const out: Out = []
    notice(enveloped({ type: "tool_use_summary", summary: "read", preceding_tool_use_ids: [] }), out)
    expect(out).toMatchObject([{ type: "noticed", name: "tool_use_summary" }])
  })

  test.each([
    [{ type: "keep_alive" }],
    [{ type: "control_response", response: { subtype: "success", request_id: "r", response: {} } }],
    [{ type: "control_request", request_id: "r", request: { subtype: "interrupt" } }]
  ])("is nothing for %j: it is between the host and the CLI", (value) => {
    const out: Out = []
    notice(message(value), out)
    expect(out).toEqual([])
  })
})

test("a message keeps all but its envelope", () => {
  expect(bareMessage({ type: "t", subtype: "s", uuid: "u", session_id: "i", a: 1, b: null })).toEqual({ a: 1, b: null })
})
