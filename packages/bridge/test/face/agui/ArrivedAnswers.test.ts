/** Which prompts were answered to the end. */
import type { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { arrivedAnswers } from "../../../src/face/agui/ArrivedAnswers.ts"

const user = (id: string): Agui.Message => ({ id, role: "user", content: id })
const run = (runId: string, ...messages: ReadonlyArray<Agui.Message>) => ({ runId, messages })

describe("the answer to a prompt", () => {
  it("has arrived when its run was delivered to the end, and not before", () => {
    const answers = arrivedAnswers()
    expect(answers.has("u", "other")).toBe(false)
    const arrived = answers.begin(run("r", user("u")))
    expect(answers.has("u", "other")).toBe(false)
    arrived()
    expect(answers.has("u", "other")).toBe(true)
  })

  it("is asked for once more by a run of the same id", () => {
    const answers = arrivedAnswers()
    answers.begin(run("r", user("u")))()
    expect(answers.has("u", "r")).toBe(false)
    expect(answers.isRepeated(run("r", user("u")))).toBe(true)
    expect(answers.isRepeated(run("other", user("u")))).toBe(false)
    expect(answers.isRepeated(run("r", user("u"), user("v")))).toBe(false)
  })

  it("is that to the last run with it: one that broke off takes it back", () => {
    const answers = arrivedAnswers()
    const first = answers.begin(run("one", user("u")))
    answers.begin(run("two", user("u")))
    first()
    expect(answers.has("u", "other")).toBe(false)
  })

  it("has arrived with those who joined, unless a run with it broke off", () => {
    const answers = arrivedAnswers()
    answers.begin(run("r", user("cut")))
    answers.joined([user("u"), { id: "a", role: "assistant", content: "a" }, user("cut")])
    expect(["u", "a", "cut"].map((id) => answers.has(id, "other"))).toEqual([true, false, false])
  })

  it("is remembered of the newest prompts only", () => {
    const answers = arrivedAnswers()
    for (let nth = 0; nth <= 1000; nth++) answers.begin(run("r", user(`u${nth}`)))()
    expect(["u0", "u1", "u1000"].map((id) => answers.has(id, "other"))).toEqual([false, true, true])
  })
})
