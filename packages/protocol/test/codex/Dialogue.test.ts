import { describe, expect, it } from "vitest"
import { Dialogue, heardDrift } from "../../src/codex/index.ts"

const text = (message: object): string => JSON.stringify(message)
const turn = { id: "u", status: "inProgress", items: [] }

describe("a dialogue", () => {
  it("decodes an answer as what it answers, although both sides use the same id", () => {
    const dialogue = new Dialogue()
    dialogue.hear("client", text({ id: 0, method: "turn/start", params: { threadId: "t", input: [] } }))
    dialogue.hear("server", text({ id: 0, method: "currentTime/read", params: { threadId: "t" } }))
    const time = dialogue.hear("client", text({ id: 0, result: { currentTimeAt: 1 } }))
    expect(time).toMatchObject({ answers: "currentTime/read", result: { _tag: "Known" } })
    const started = dialogue.hear("server", text({ id: 0, result: { turn: { ...turn, mood: 1 } } }))
    expect(started).toMatchObject({ answers: "turn/start", result: { _tag: "Known" }, decoded: { name: "response" } })
    expect(heardDrift(started)).toEqual([{ path: "$.result.turn.mood", example: 1 }])
  })

  it('tells 1 from "1", answers in any order, and a second answer to an id that was used twice', () => {
    const dialogue = new Dialogue()
    const ask = (id: string | number, method: string) =>
      dialogue.hear("client", text({ id, method, params: { threadId: "t" } }))
    const answer = (id: string | number) => dialogue.hear("server", text({ id, result: {} })).answers
    ask(1, "thread/archive")
    ask("1", "thread/delete")
    ask(2, "thread/unsubscribe")
    ask(2, "thread/compact/start")
    expect([answer(2), answer("1"), answer(2), answer(1), answer(1)]).toEqual([
      "thread/unsubscribe",
      "thread/delete",
      "thread/compact/start",
      "thread/archive",
      undefined
    ])
  })

  it("remembers ten requests of an id and no more, however often it is used", () => {
    const dialogue = new Dialogue()
    const asked = JSON.stringify({ id: 1, method: "model/list", params: {} })
    for (let each = 0; each < 1000; each++) dialogue.hear("client", asked)
    const answer = JSON.stringify({ id: 1, result: { data: [] } })
    const answers = Array.from({ length: 12 }, () => dialogue.hear("server", answer).answers)
    expect(answers).toEqual([...Array.from({ length: 10 }, () => "model/list"), undefined, undefined])
  })

  it("knows an answer to nothing, or to something unknown, as an answer; an error has no result", () => {
    const dialogue = new Dialogue()
    expect(dialogue.hear("server", text({ id: 5, result: 1 }))).toMatchObject({
      answers: undefined,
      result: undefined,
      decoded: { _tag: "Known", name: "response" }
    })
    dialogue.hear("client", text({ id: 6, method: "turn/dream" }))
    expect(dialogue.hear("server", text({ id: 6, result: 1 })).answers).toBeUndefined()
    dialogue.hear("client", text({ id: 7, method: "thread/archive", params: { threadId: "t" } }))
    const failed = dialogue.hear("server", text({ id: 7, error: { code: -32600, message: "thread not found" } }))
    expect(failed).toMatchObject({ answers: "thread/archive", result: undefined, decoded: { name: "response/error" } })
    expect(dialogue.hear("client", "not JSON").decoded._tag).toBe("Invalid")
  })
})
