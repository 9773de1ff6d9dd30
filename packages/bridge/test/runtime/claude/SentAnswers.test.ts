/** Answers are known by their requests, and only the newest are kept. */
import { describe, expect, it } from "vitest"
import { SentAnswers } from "../../../src/runtime/claude/SentAnswers.ts"

const answer = (request_id: string) => ({ type: "control_response", response: { subtype: "success", request_id } })

describe("SentAnswers", () => {
  it("knows what was answered, and nothing else", () => {
    const answers = new SentAnswers()
    for (const message of [answer("a"), { type: "user", response: { request_id: "b" } }, { type: "control_response" }])
      answers.note(message)
    expect(answers.of("a")).toEqual(answer("a"))
    expect(answers.of("b")).toBeUndefined()
  })

  it("forgets the oldest", () => {
    const answers = new SentAnswers()
    for (let n = 0; n < 1000; n++) answers.note(answer(String(n)))
    expect(answers.of("0")).toBeUndefined()
    expect(answers.of("999")).toEqual(answer("999"))
  })
})
