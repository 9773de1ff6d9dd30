import { loadTape, tapes } from "@agentwire/fixtures"
import { Claude, type Model, Tape } from "@agentwire/protocol"
import { decodeLine } from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import { describe, expect, test } from "vitest"
import {
  answerMcp,
  callResponse,
  errorResponse,
  jsonRpcCodes,
  toolListChange
} from "../../../src/runtime/claude/FrontendServer.ts"

const field = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value)

const tool = (
  name: string,
  parameters?: Model.PageTool["parameters"],
  description = `Does ${name}`
): Model.PageTool => ({
  name,
  description,
  ...(parameters === undefined ? {} : { parameters })
})

const request = (method: string, params?: Record<string, unknown>): Claude.JsonRpcRequest => ({
  jsonrpc: "2.0",
  id: 7,
  method,
  ...(params === undefined ? {} : { params })
})

const callOf = (name: unknown, more: Record<string, unknown> = {}): Claude.JsonRpcRequest =>
  request("tools/call", { name, arguments: { a: 1 }, _meta: { "claudecode/toolUseId": "toolu_1" }, ...more })

/** The in-band MCP exchanges of a tape: what the CLI asked, and what the host that recorded it answered. */
const exchanges = (frames: Tape.Tape["frames"]) => {
  const asked = new Map<string, Claude.JsonRpcMessage>()
  const found: Array<{ readonly message: Claude.JsonRpcMessage; readonly answer: unknown }> = []
  for (const { from, line } of Tape.tapeLines(frames)) {
    const decoded = decodeLine(line.text)
    if (decoded._tag !== "Known") continue
    const value = decoded.message
    if (from === "agent" && value.type === "control_request" && value.request.subtype === "mcp_message")
      asked.set(value.request_id, value.request.message)
    if (from !== "host" || value.type !== "control_response") continue
    const message = asked.get(value.response.request_id)
    if (message !== undefined) found.push({ message, answer: field(value, "response", "response", "mcp_response") })
  }
  return found
}

/** Every place of a JSON value with the kind of what is there; the elements of a list share a place. */
const places = (value: unknown, at = ""): ReadonlyArray<string> => {
  if (Array.isArray(value)) return [`${at}: list`, ...value.flatMap((each) => places(each, `${at}[]`))]
  if (isRecord(value))
    return [`${at}: object`, ...Object.keys(value).flatMap((key) => places(value[key], `${at}.${key}`))]
  return [`${at}: ${value === null ? "null" : typeof value}`]
}

const recorded = tapes.filter(({ scenario }) => scenario === "mcp_sdk")

describe.each(recorded)("recorded on $version over $transport", (entry) => {
  const all = exchanges(loadTape(entry).frames)
  const toolsOf = (answer: unknown): ReadonlyArray<Record<string, unknown>> => {
    const tools = field(answer, "result", "tools")
    return Array.isArray(tools) ? tools : []
  }
  const tools = all
    .flatMap(({ answer }) => toolsOf(answer))
    .map(({ description, inputSchema, name }) =>
      tool(String(name), isRecord(inputSchema) ? inputSchema : {}, String(description))
    )

  test("there is something of every kind", () => {
    const methods = new Set(all.map(({ message }) => field(message, "method")))
    expect([...methods].sort()).toEqual(["initialize", "notifications/initialized", "tools/call", "tools/list"])
  })

  test("every message gets an answer of the kind the recorded host gave", () => {
    for (const { answer, message } of all) {
      const ours = answerMcp(tools, "frontend", message)
      // What a host may say beside a tool is looked at below.
      if (ours._tag === "Call" || field(message, "method") === "tools/list") continue
      expect(places(answer)).toEqual(expect.arrayContaining([...places(ours.response)]))
      expect(field(ours.response, "id")).toEqual(field(answer, "id"))
    }
  })

  test("tools are listed as they were, and marked to be loaded", () => {
    for (const { answer, message } of all) {
      if (field(message, "method") !== "tools/list") continue
      const _meta = { "anthropic/alwaysLoad": true }
      const wanted = toolsOf(answer).map(({ description, inputSchema, name }) => ({
        name,
        description,
        inputSchema,
        _meta
      }))
      const ours = answerMcp(tools, "frontend", message)
      expect(ours._tag === "Reply" && field(ours.response, "result", "tools")).toEqual(wanted)
    }
  })

  test("every call is handed on with its tool use, and answered like the recorded host did", () => {
    const calls = all.filter(({ message }) => field(message, "method") === "tools/call")
    expect(calls.length).toBeGreaterThan(0)
    for (const { answer, message } of calls) {
      const ours = answerMcp(tools, "frontend", message)
      expect(ours).toEqual({
        _tag: "Call",
        id: field(message, "id"),
        name: field(message, "params", "name"),
        arguments: field(message, "params", "arguments"),
        toolUseId: field(message, "params", "_meta", "claudecode/toolUseId")
      })
      if (ours._tag !== "Call") continue
      const result = Claude.callToolResult({
        type: "result",
        content: "echo!",
        failed: field(answer, "result", "isError") === true
      })
      expect(places(answer)).toEqual(expect.arrayContaining([...places(callResponse(ours.id, result))]))
    }
  })
})

describe("answerMcp", () => {
  test("speaks the client's revision of MCP", () => {
    const answer = answerMcp([], "frontend", request("initialize", { protocolVersion: "2031-01-01" }))
    expect(answer).toMatchObject({ response: { id: 7, result: { protocolVersion: "2031-01-01" } } })
  })

  test("answers a ping", () => {
    expect(answerMcp([], "frontend", request("ping"))).toEqual({
      _tag: "Reply",
      response: { jsonrpc: "2.0", id: 7, result: {} }
    })
  })

  test.each(["resources/list", "prompts/list", "toString", "__proto__", ""])("%j is no method", (method) => {
    expect(answerMcp([], "frontend", request(method))).toMatchObject({
      _tag: "Reply",
      response: { id: 7, error: { code: jsonRpcCodes.methodNotFound } }
    })
  })

  test.each([
    ["a tool nobody has", callOf("other")],
    ["no name", callOf(undefined)],
    ["arguments that are a list", callOf("known", { arguments: [] })],
    ["no tool use", callOf("known", { _meta: {} })],
    ["no params", request("tools/call")]
  ])("%s is an error of the request", (_, message) => {
    expect(answerMcp([tool("known")], "frontend", message)).toMatchObject({
      _tag: "Reply",
      response: { jsonrpc: "2.0", id: 7, error: { code: jsonRpcCodes.invalidParams } }
    })
  })

  test("a call without arguments has none", () => {
    expect(answerMcp([tool("known")], "frontend", callOf("known", { arguments: undefined }))).toMatchObject({
      _tag: "Call",
      arguments: {}
    })
  })

  test("the name the CLI made of a tool's name is that tool, and the tool's own name comes first", () => {
    const tools = [tool("set colour"), tool("set.colour")]
    const called = (name: string) => answerMcp(tools, "frontend", callOf(name))
    expect(called("set_colour")).toMatchObject({ _tag: "Call", name: "set.colour" })
    expect(called("set colour")).toMatchObject({ _tag: "Call", name: "set colour" })
  })

  test("a cancelled call is told", () => {
    const message = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } } as const
    expect(answerMcp([], "frontend", message)).toMatchObject({ _tag: "Reply", cancels: 3, response: { result: {} } })
  })

  test("an id that is none makes no request: the answer could not name it", () => {
    const message = { jsonrpc: "2.0", id: { a: 1 }, method: "ping" } as unknown as Parameters<typeof answerMcp>[2]
    expect(answerMcp([], "frontend", message)).toMatchObject({ _tag: "Reply", response: { id: 0, result: {} } })
  })

  test("a method that is no text, or params that are no object, are answered and break nothing", () => {
    const odd = (more: Record<string, unknown>) =>
      answerMcp([], "frontend", { jsonrpc: "2.0", id: 1, ...more } as unknown as Parameters<typeof answerMcp>[2])
    expect(odd({ method: { toString: {} } })).toMatchObject({ response: { id: 1, error: { code: -32600 } } })
    for (const method of ["initialize", "ping", "tools/list"])
      expect(odd({ method, params: null })).toMatchObject({ response: { id: 1, result: {} } })
    expect(odd({ method: "tools/call", params: null })).toMatchObject({ response: { id: 1, error: { code: -32602 } } })
    expect(odd({ id: {}, method: "notifications/cancelled", params: null })).toMatchObject({ response: { id: 0 } })
  })

  test("an answer to something nobody asked is acknowledged", () => {
    expect(answerMcp([], "frontend", { jsonrpc: "2.0", id: 4, result: {} })).toMatchObject({ _tag: "Reply" })
  })
})

test("an error is JSON-RPC", () => {
  expect(errorResponse("x", jsonRpcCodes.internal, "no")).toEqual({
    jsonrpc: "2.0",
    id: "x",
    error: { code: -32603, message: "no" }
  })
})

describe("toolListChange", () => {
  const sdk = (name: string) => ({ [name]: { type: "sdk", name } })
  const setServers = (servers: unknown) => ({ subtype: "mcp_set_servers", body: { servers } })

  test("2.1.325 is notified, with the very line that was recorded", () => {
    const { requests, server } = toolListChange("2.1.325", "frontend")
    const sent = Tape.tapeLines(loadTape({ scenario: "mcp_sdk", version: "2.1.325" }).frames).flatMap(
      ({ from, line }) => {
        const decoded = decodeLine(line.text)
        return from === "host" && decoded._tag === "Known" && decoded.message.type === "control_request"
          ? [decoded.message.request]
          : []
      }
    )
    expect(requests).toHaveLength(1)
    for (const { body, subtype } of requests) expect(sent).toContainEqual({ subtype, ...body })
    expect(server).toBe("frontend")
  })

  test.each(["2.1.37", "2.1.62", "2.1.197", "2.1.231"])("%s loses the server and gets it again", (version) => {
    expect(toolListChange(version, "frontend")).toEqual({
      requests: [setServers({}), setServers(sdk("frontend"))],
      server: "frontend"
    })
  })

  // Of 2.1.160 and 2.1.400 nobody knows, and this works on every version that was tried.
  test.each(["2.1.63", "2.1.113", "2.1.160", "2.1.400"])(
    "%s gets a server with a name it has not heard yet",
    (version) => {
      const heard = new Set(["frontend"])
      for (let server = "frontend"; heard.size < 12; heard.add(server)) {
        const change = toolListChange(version, server)
        expect(heard.has(change.server)).toBe(false)
        expect(change.requests).toEqual([setServers(sdk(change.server))])
        server = change.server
      }
    }
  )

  test("2.0.45, which cannot be told, is told nothing", () => {
    expect(toolListChange("2.0.45", "frontend")).toEqual({ requests: [], server: "frontend" })
  })

  test.each(["2.1.37", "2.1.113", "2.1.197"])("%s keeps the other servers", (version) => {
    const others = { files: { type: "stdio", command: "files" } } as const
    const { requests } = toolListChange(version, "frontend", others)
    for (const { body } of requests) expect(body).toMatchObject({ servers: others })
  })

  test.each(Claude.measuredVersions)("%s answers what it is asked", (version) => {
    for (const { subtype } of toolListChange(version, "frontend").requests)
      expect(["unsupported", "silent"]).not.toContain(Claude.answers(subtype, version))
  })
})
