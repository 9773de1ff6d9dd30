/** What clients send, read. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { Gateway, type Model } from "../../src/index.ts"

const failure = <A, E>(result: Result.Result<A, E>): E => {
  if (Result.isSuccess(result)) throw new Error("it was read")
  return result.failure
}

describe("a frame", () => {
  it("is a request", () => {
    const frame = { type: "req", id: "1", method: "session.list", params: { limit: 1 } }
    expect(Result.getOrThrow(Gateway.readFrame(JSON.stringify(frame)))).toEqual(frame)
  })

  it.each([
    ["", "BAD_JSON", ""],
    ["{", "BAD_JSON", ""],
    ["[]", "BAD_INPUT", ""],
    ["null", "BAD_INPUT", ""],
    ["7", "BAD_INPUT", ""],
    ['{"type":"req","method":"x"}', "BAD_INPUT", ""],
    ['{"type":"req","id":7,"method":"x"}', "BAD_INPUT", ""],
    ['{"type":"req","id":null,"method":"x"}', "BAD_INPUT", ""],
    ['{"type":"req","id":{"a":1},"method":"x"}', "BAD_INPUT", ""],
    ['{"type":"req","id":["1"],"method":"x"}', "BAD_INPUT", ""],
    ['{"type":"req","id":true,"method":"x"}', "BAD_INPUT", ""],
    ['{"type":"req","id":"","method":"x"}', "BAD_INPUT", ""],
    [`{"type":"req","id":"${"x".repeat(1_000_000)}","method":"x"}`, "BAD_INPUT", ""],
    ['{"type":"req","id":"1"}', "BAD_INPUT", "1"],
    ['{"type":"req","id":"1","method":7}', "BAD_INPUT", "1"],
    ['{"type":"req","id":"1","method":"x","params":[]}', "BAD_INPUT", "1"],
    ['{"type":"res","id":"1","ok":true}', "BAD_INPUT", "1"],
    [`{"type":"req","id":"1","method":"x","params":{"a":${"[".repeat(5000)}${"]".repeat(5000)}}}`, "TOO_DEEP", ""]
  ])("%.60s is refused", (text, code, id) => {
    expect(failure(Gateway.readFrame(text))).toMatchObject({ code, id })
  })
})

describe("params", () => {
  it("may be left out where none are needed", () => {
    expect(Result.getOrThrow(Gateway.readParams("session.list"))).toEqual({})
  })

  it.each([
    ["session.prompt", {}, "content"],
    ["session.prompt", { content: "" }, "content"],
    ["session.prompt", { content: [] }, "content"],
    ["session.prompt", { content: [{ type: "image", source: { type: "base64" } }] }, "content"],
    ["session.history", { limit: 0 }, "limit"],
    ["session.history", { offset: -1 }, "offset"],
    ["session.create", { effort: "huge" }, "effort"],
    ["session.list", { nothing: 1 }, "nothing"],
    ["subscribe", {}, "events"],
    ["subscribe", { events: [] }, "events"],
    ["subscribe", { events: ["*"], after: { s: { seq: "1" } } }, "after"],
    ["workspace.get", { workspaceId: 7 }, "workspaceId"]
  ] as const)("of %s must fit: %j", (method, params, place) => {
    const { code, message } = failure(Gateway.readParams(method, params))
    expect(code).toBe("BAD_INPUT")
    expect(message).toContain(place)
  })

  it("are not repeated when they are refused", () => {
    const { message } = failure(Gateway.readParams("session.create", { model: ["hunter2"] }))
    expect(message).not.toContain("hunter2")
  })
})

describe("an answer", () => {
  const permission = {
    id: "q",
    kind: "permission",
    call: "c",
    tool: "Bash",
    input: {},
    message: "?",
    remember: [],
    details: {}
  } satisfies Model.Request
  const choice = {
    id: "q",
    kind: "choice",
    call: "c",
    tool: "Ask",
    input: {},
    message: "?",
    choices: [{ question: "Which?", multiple: false, options: [] }],
    details: {}
  } satisfies Model.Request
  const page = { id: "q", kind: "page_tool", call: "c", tool: "look", input: {}, message: "?" } satisfies Model.Request

  it("is the model's", () => {
    expect(Result.getOrThrow(Gateway.readAnswer(permission, { type: "deny" }))).toMatchObject({ type: "deny" })
    expect(Result.getOrThrow(Gateway.readAnswer(choice, { type: "chosen", answers: { "Which?": "this" } }))).toEqual({
      type: "chosen",
      answers: { "Which?": "this" }
    })
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } } as const
    expect(Result.getOrThrow(Gateway.readAnswer(page, { type: "result", content: [image] }))).toEqual({
      type: "result",
      content: [{ type: "image", source: { type: "data", mimeType: "image/png", value: "AA==" } }],
      failed: false
    })
  })

  it("must fit its question", () => {
    expect(failure(Gateway.readAnswer(permission, { type: "result", content: "" })).message).toContain("allow")
    expect(failure(Gateway.readAnswer(choice, { type: "chosen", answers: {} })).code).toBe("BAD_INPUT")
  })
})
