import { describe, expect, test } from "vitest"
import {
  Envelope,
  envelopes,
  RuntimeEntitlements,
  RuntimeInfo,
  routes,
  StopRequest,
  StopResponse
} from "../../src/copilotkit/Transport.ts"
import { issues, wrongAt } from "../agui/Decode.ts"

const agents = { default: { name: "default", description: "canned", className: "X" } }
const body = { threadId: "t", runId: "r", tools: [], context: [], forwardedProps: {}, state: {}, messages: [] }

describe("/info", () => {
  test("the least that worked, and what runtime 1.75.0 answers (§4.2)", () => {
    expect(issues(RuntimeInfo, { version: "0.0.1-test", agents, audioFileTranscriptionEnabled: false })).toEqual([])
    const answer = {
      version: "1.75.0",
      agents: { default: { name: "default", description: "", className: "qe" } },
      audioFileTranscriptionEnabled: false,
      mode: "sse",
      threadEndpoints: { list: true, inspect: true, mutations: false, realtimeMetadata: false },
      suggestions: true,
      a2uiEnabled: false,
      openGenerativeUIEnabled: false,
      telemetryDisabled: true
    }
    expect(issues(RuntimeInfo, answer)).toEqual([])
  })

  test("malformed, by path", () => {
    const bad = {
      version: 1,
      agents: { a: { name: "a", description: "d", className: "X", capabilities: { tools: { supported: 1 } } } },
      audioFileTranscriptionEnabled: false,
      intelligence: {},
      singleRoute: { resourceOperations: true },
      a2ui: { enabled: true, agents: [1] }
    }
    expect(wrongAt(RuntimeInfo, bad)).toEqual([
      "version",
      "agents.a.capabilities.tools.supported",
      "intelligence.wsUrl",
      "singleRoute.threadEndpoints",
      "a2ui.agents.0"
    ])
  })

  test("an entitlement is there or an error says why it is not", () => {
    expect(wrongAt(RuntimeEntitlements, { status: "ready" })).toContain("entitlement")
    expect(wrongAt(RuntimeEntitlements, { status: "unavailable" })).toContain("error")
    const error = {
      code: "runtime_entitlements_unavailable",
      message: "Runtime entitlement lookup failed",
      retryable: true
    }
    expect(issues(RuntimeEntitlements, { status: "unavailable", error })).toEqual([])
  })

  test("modes and states that come later survive", () => {
    const info = { version: "2", agents: {}, audioFileTranscriptionEnabled: false }
    const later = { mode: "later", licenseStatus: "later", runtimeEntitlements: { status: "later" } }
    expect(issues(RuntimeInfo, { ...info, ...later })).toEqual([])
  })
})

describe("the single endpoint", () => {
  test.each(Object.entries(envelopes))("%s is the method of its row", (method, schema) => {
    expect(schema.fields.method.literal).toBe(method)
  })

  test("as recorded (§4.1, §5)", () => {
    const recorded = [
      { method: "info" },
      { method: "agent/run", params: { agentId: "default" }, body },
      { method: "agent/connect", params: { agentId: "default" }, body },
      { method: "agent/stop", params: { agentId: "default", threadId: "t" }, body: { runId: "r" } },
      { method: "agent/stop", params: { agentId: "default", threadId: "t" } },
      { method: "resource/request", params: { path: "/threads?agentId=default", httpMethod: "GET" } }
    ]
    for (const envelope of recorded) expect(issues(Envelope, envelope), envelope.method).toEqual([])
  })

  test("bodies of both dialects", () => {
    const run = (fields: object) => ({ method: "agent/run", params: { agentId: "a" }, body: { ...body, ...fields } })
    const parts = [{ id: "m", role: "tool", toolCallId: "c", content: [{ type: "text", text: "x" }] }]
    expect(issues(Envelope, run({ protocolVersion: "1.0", messages: parts }))).toEqual([])
    expect(issues(Envelope, run({ forwardedProps: null }))).toEqual([])
    expect(issues(Envelope, run({ runId: 1 }))).not.toEqual([])
  })

  test("malformed, by path", () => {
    expect(wrongAt(Envelope, {})).toEqual(["method"])
    expect(wrongAt(envelopes["agent/run"], { method: "agent/run", body })).toEqual(["params"])
    expect(wrongAt(envelopes["agent/stop"], { method: "agent/stop", params: { agentId: "a" } })).toEqual([
      "params.threadId"
    ])
    expect(wrongAt(envelopes.transcribe, { method: "transcribe", body: { audio: "x" } })).toEqual(["body.mimeType"])
  })

  test("a method that comes later survives", () => expect(issues(Envelope, { method: "agent/later" })).toEqual([]))
})

test("stop: request and both answers", () => {
  expect(issues(StopRequest, {})).toEqual([])
  expect(wrongAt(StopRequest, { runId: null })).toEqual(["runId"])
  const interrupt = { type: "RUN_ERROR", message: "Run stopped by user", code: "STOPPED" }
  expect(issues(StopResponse, { stopped: true, interrupt })).toEqual([])
  expect(issues(StopResponse, { stopped: false, message: "No active run for thread 'T1'." })).toEqual([])
  expect(wrongAt(StopResponse, { stopped: true, interrupt: { type: "RUN_ERROR" } })).toEqual(["interrupt.message"])
})

describe("routes", () => {
  test("no two are the same", () => {
    const keys = routes.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test("every envelope method has a route", () => {
    expect(new Set(routes.flatMap(({ envelope }) => envelope ?? []))).toEqual(new Set(Object.keys(envelopes)))
  })
})
