import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { requestOf } from "../../../src/codex/index.ts"
import { Request } from "../../../src/model/Request.ts"
import { legacyQuestions, networkQuestion, pageQuestion, questionOf, recordedQuestions } from "./Questions.ts"

const context = { id: "r" }

describe("the request of a question", () => {
  it("is one of the model's, whatever was asked", () => {
    for (const question of [...recordedQuestions, networkQuestion, ...legacyQuestions, pageQuestion]) {
      const request = requestOf(question, context)
      expect(Schema.is(Request)(request), question.method).toBe(true)
      expect(request.message).not.toBe("")
    }
  })

  it("shows the command, the folder and the host, and offers what may be remembered", () => {
    expect(requestOf(networkQuestion, context)).toMatchObject({
      kind: "permission",
      call: "i",
      tool: "commandExecution",
      message: "May Codex reach example.org?\ncurl https://example.org",
      input: {
        command: "curl https://example.org",
        cwd: "/work",
        networkApprovalContext: { host: "example.org", protocol: "https" }
      },
      remember: [{ id: "session", label: "commandExecution(curl https://example.org)" }],
      suggestions: [
        { id: "/execpolicy", value: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["curl"] } } },
        { id: "/network/1" }
      ]
    })
  })

  it("has the diff of the patch, which only the item carries", () => {
    const asked = questionOf("item/fileChange/requestApproval", {
      threadId: "t",
      turnId: "u",
      itemId: "i",
      startedAtMs: 1,
      grantRoot: "/etc"
    })
    const changes = [{ path: "/work/a", kind: { type: "add" }, diff: "hello\n" }]
    const call = { id: "i", tool: "fileChange", input: { changes } }
    expect(requestOf(asked, { id: "r", call })).toMatchObject({
      message: "May Codex change files?\n/work/a",
      input: { changes, grantRoot: "/etc" }
    })
  })

  it("is a page to visit where there is nothing to fill in", () => {
    expect(requestOf(pageQuestion, context)).toMatchObject({
      kind: "form",
      server: "files",
      url: "https://example.org/login",
      elicitation: "e"
    })
  })
})
