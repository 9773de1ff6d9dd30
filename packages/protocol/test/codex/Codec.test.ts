import { describe, expect, it } from "vitest"
import { decodeLine, decodeResult, drift, encodeLine, messages, resultDrift } from "../../src/codex/index.ts"

const line = (message: object): string => JSON.stringify(message)
const delta = { threadId: "t", turnId: "u", itemId: "i", delta: "Hel" }

describe("the codec of codex", () => {
  it("knows a message by its method, in either direction, and leaves it as it is", () => {
    const message = { method: "item/agentMessage/delta", params: { ...delta, later: 1 }, emittedAtMs: 1 }
    const decoded = decodeLine(line(message))
    expect(decoded).toEqual({ _tag: "Known", line: 1, name: "item/agentMessage/delta", message })
    expect(encodeLine(message)).toBe(`${line(message)}\n`)
    expect(drift(message)).toEqual([{ path: "$.params.later", example: 1 }])
    expect(decodeLine('{"method":"initialized"}')).toMatchObject({ _tag: "Known", name: "initialized" })
  })

  it("takes jsonrpc or does without", () => {
    const interrupt = { id: 0, method: "turn/interrupt", params: { threadId: "t", turnId: "u" } }
    for (const head of [{}, { jsonrpc: "2.0" }]) {
      expect(decodeLine(line({ ...head, ...interrupt }))).toMatchObject({ _tag: "Known", name: "turn/interrupt" })
      expect(drift({ ...head, ...interrupt })).toEqual([])
    }
  })

  it("knows an answer as one, whatever it answers; id 0 is an id", () => {
    expect(decodeLine('{"id":0,"result":{}}')).toMatchObject({ _tag: "Known", name: "response" })
    const error = { error: { code: -32600, message: "no" }, id: 0 }
    expect(decodeLine(line(error))).toMatchObject({ _tag: "Known", name: "response/error" })
    expect(decodeLine('{"id":null,"result":{}}')).toMatchObject({ _tag: "Invalid", error: { code: "NO_TYPE" } })
  })

  it("keeps a method that came later, an item that came later, and a value that came later", () => {
    expect(decodeLine('{"method":"turn/dreamed","params":{}}')).toMatchObject({ _tag: "Unknown", type: "turn/dreamed" })
    const item = { type: "dream", id: "i", of: "sheep" }
    const started = { method: "item/started", params: { threadId: "t", turnId: "u", startedAtMs: 1, item } }
    expect(decodeLine(line(started))).toMatchObject({ _tag: "Known", message: started })
    expect(drift(started)).toEqual([{ path: "$.params.item.type", example: "dream" }])
    const turn = { id: "u", status: "dreaming", items: [] }
    const completed = { method: "turn/completed", params: { threadId: "t", turn } }
    expect(decodeLine(line(completed))).not.toHaveProperty("odd")
    expect(drift(completed)).toEqual([{ path: "$.params.turn.status", example: "dreaming" }])
    const info = {
      ...completed,
      params: {
        threadId: "t",
        turn: { ...turn, status: "failed", error: { message: "m", codexErrorInfo: { brandNew: {} } } }
      }
    }
    expect(decodeLine(line(info))).not.toHaveProperty("odd")
    expect(drift(info).map(({ path }) => path)).toEqual(["$.params.turn.error.codexErrorInfo.brandNew"])
  })

  it("reads a message without what carries nothing that was said, and says what is odd", () => {
    const item = { type: "agentMessage", id: "i", text: "Hello" }
    const odd = decodeLine(line({ method: "item/completed", params: { threadId: "t", turnId: 7, item } }))
    expect(odd).toMatchObject({ _tag: "Known", message: { params: { item } } })
    expect(odd._tag === "Known" && odd.odd?.map(({ path }) => path).sort()).toEqual([
      "$.params.completedAtMs",
      "$.params.turnId"
    ])
  })

  it.each([
    [
      "a text without its words",
      { method: "item/agentMessage/delta", params: { ...delta, delta: 5 } },
      "$.params.delta"
    ],
    [
      "a command that cannot be read",
      { id: 0, method: "item/commandExecution/requestApproval", params: { ...delta, startedAtMs: 1, command: ["rm"] } },
      "$.params.command"
    ],
    [
      "a question without an id",
      { method: "item/tool/call", params: { threadId: "t", turnId: "u", callId: "c", tool: "x", arguments: {} } },
      "$.id"
    ],
    [
      "an order of a client that is broken in part",
      { id: 1, method: "turn/interrupt", params: { threadId: "t", turnId: 1 } },
      "$.params.turnId"
    ]
  ])("refuses %s", (_, message, path) => {
    expect(decodeLine(line(message))).toMatchObject({ _tag: "Invalid", error: { code: "BAD_FIELD", path } })
  })

  it("has a message for each method, and none has the name of an answer", () => {
    const names = Object.keys(messages)
    expect(names.length).toBe(182 + 1 + 87 + 11 + 2)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe("decodeResult", () => {
  it("knows a result by the method that it answers", () => {
    const turn = { id: "u", status: "inProgress", items: [] }
    expect(decodeResult("turn/start", { turn })).toEqual({ _tag: "Known", value: { turn } })
    expect(decodeResult("turn/start", { turn: { ...turn, id: 1 } })).toMatchObject({
      _tag: "Invalid",
      error: { path: "$.turn.id" }
    })
    expect(resultDrift("turn/start", { turn, mood: 1 })).toEqual([{ path: "$.mood", example: 1 }])
  })

  it("tolerates what the server answers, and wants an answer of a client to be whole", () => {
    expect(decodeResult("thread/archive", { late: true })._tag).toBe("Known")
    expect(decodeResult("item/commandExecution/requestApproval", { decision: "accept" })._tag).toBe("Known")
    expect(decodeResult("item/commandExecution/requestApproval", {})._tag).toBe("Invalid")
  })
})
