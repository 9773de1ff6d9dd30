import type { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { newsProblem } from "../../../src/face/agui/News.ts"

const user = (id: string, content: Agui.UserMessage["content"] = "Hi"): Agui.Message => ({ id, role: "user", content })
const said = (id: string, content = "Well"): Agui.Message => ({ id, role: "assistant", content })
const system = (id: string, content = "Be brief"): Agui.Message => ({ id, role: "system", content })
const image = (length: number): Agui.Message =>
  user("image", [
    { type: "text", text: "See" },
    { type: "image", source: { type: "data", mimeType: "image/png", value: "a".repeat(length) } }
  ])
const many = <A>(count: number, make: (id: string) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, at) => make(`m${at}`))

const limits = { maxNewMessages: 3, maxNewText: 100, maxNewLength: 200 }
const problem = (messages: ReadonlyArray<Agui.Message>, more: Partial<Agui.RunAgentInput> = {}) =>
  newsProblem({ threadId: "t", runId: "r", messages, ...more }, limits)?.message

describe("what a run tells", () => {
  it("is not the conversation, however long that is", () => {
    expect(problem([...many(50, user), ...many(50, said), said("last", "a".repeat(1000)), user("new")])).toBeUndefined()
  })
  it("is as many messages after the last thing that was said as may be, and no more", () => {
    expect(problem([said("s"), ...many(3, user)])).toBeUndefined()
    expect(problem([said("s"), ...many(4, user)])).toContain("3 messages")
    expect(problem(many(4, user))).toContain("3 messages")
  })
  it("is every instruction, wherever it stands", () => {
    expect(problem([...many(3, (id) => system(id)), said("s")])).toBeUndefined()
    expect(problem([...many(3, (id) => system(id)), said("s"), user("new")])).toContain("3 messages")
  })
  it("is as much text as may be, with state and context", () => {
    expect(problem([user("1", "a".repeat(80))])).toBeUndefined()
    expect(problem([user("1", "a".repeat(101))])).toContain("100 characters of text")
    const more = [{ state: { key: "a".repeat(90) } }, { context: [{ description: "d", value: "a".repeat(90) }] }]
    for (const input of more) expect(problem([user("1")], input)).toContain("100 characters of text")
    expect(problem([{ id: "t", role: "tool", toolCallId: "c", content: "a".repeat(101) }])).toContain("100 characters")
  })
  it("is more with attachments", () => {
    expect(problem([image(150)])).toBeUndefined()
    expect(problem([image(200)])).toContain("200 characters with attachments")
  })
  it("is, by default, what people and applications say", () => {
    const input = { threadId: "t", runId: "r", messages: [image(9_000_000), user("1", "a".repeat(900_000))] }
    expect(newsProblem(input)).toBeUndefined()
    expect(newsProblem({ ...input, messages: many(1001, user) })?.code).toBe("TOO_MUCH_NEW")
  })
})
