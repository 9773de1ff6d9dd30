import { Claude } from "@agentwire/protocol"
import { decodeLine } from "@agentwire/protocol/claude"
import { describe, expect, it } from "vitest"
import { makeQuestions } from "../../../src/runtime/claude/Questions.ts"
import { ask } from "../../AgentLines.ts"
import type { Line } from "../../FakeAgent.ts"

const decoded = (line: Line) => {
  const known = decodeLine(JSON.stringify(line))
  if (known._tag !== "Known") throw new Error("The line is not known.")
  return known
}
const permission = (id: string) => {
  const known = decoded(ask(id, "Bash", `call-${id}`, { command: "ls" }))
  return known.name === "control_request/can_use_tool" ? known.message : expect.unreachable()
}
const form = (id: string) => {
  const known = decoded({
    type: "control_request",
    request_id: id,
    request: { subtype: "elicitation", mcp_server_name: "files", message: "Where?", mode: "form" }
  })
  return known.name === "control_request/elicitation" ? known.message : expect.unreachable()
}

describe("an answer", () => {
  it("is the line that the CLI waits for, once", () => {
    const questions = makeQuestions()
    questions.add(permission("q1"))
    expect(questions.answer("q1", { type: "allow" })).toEqual(
      Claude.controlSuccess("q1", { behavior: "allow", updatedInput: { command: "ls" } })
    )
    expect(questions.answer("q1", { type: "allow" })).toBeUndefined()
    expect(questions.answer("other", { type: "allow" })).toBeUndefined()
  })

  it("to a form is one of MCP", () => {
    const questions = makeQuestions()
    questions.add(form("q1"))
    expect(questions.answer("q1", { type: "filled", content: { where: "here" } })).toMatchObject({
      response: { request_id: "q1", response: { action: "accept", content: { where: "here" } } }
    })
    questions.add(form("q2"))
    expect(questions.answer("q2", { type: "dismissed" })).toMatchObject({
      response: { request_id: "q2", response: { action: "cancel" } }
    })
  })

  it.each([false, true])("to a call is the result under the id of its JSON-RPC request (failed: %j)", (failed) => {
    const questions = makeQuestions()
    questions.addCall("m1", 7)
    expect(questions.answer("m1", { type: "result", content: "blue", failed })).toMatchObject({
      response: {
        request_id: "m1",
        response: {
          mcp_response: {
            jsonrpc: "2.0",
            id: 7,
            result: { content: [{ type: "text", text: "blue" }], ...(failed && { isError: true }) }
          }
        }
      }
    })
    expect(questions.answer("m1", { type: "result", content: "blue", failed })).toBeUndefined()
  })
})

describe("what is taken back", () => {
  it("is not answered any more, and says what it was", () => {
    const questions = makeQuestions()
    questions.add(permission("q1"))
    questions.addCall("m1", 7)
    expect([questions.withdraw("q1"), questions.withdraw("m1"), questions.withdraw("x")]).toEqual([
      "question",
      "call",
      undefined
    ])
    expect(questions.answer("q1", { type: "allow" })).toBeUndefined()
    expect(questions.answer("m1", { type: "result", content: "", failed: false })).toBeUndefined()
  })

  it("is all, when the agent is gone", () => {
    const questions = makeQuestions()
    questions.add(permission("q1"))
    questions.addCall("m1", 7)
    questions.clear()
    expect(questions.withdraw("q1")).toBeUndefined()
    expect(questions.withdraw("m1")).toBeUndefined()
  })
})
