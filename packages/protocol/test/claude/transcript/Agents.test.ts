import { describe, expect, it } from "vitest"
import { sessionEvents, sessionOf } from "../../../src/claude/transcript/index.ts"
import { sessionOfScenario } from "./Kept.ts"
import { agentsIn, answer, call, fileOf, prompt, result, saidIn, type Written, written } from "./Write.ts"

const task = (uuid: string, parent: string | null, message: string, id: string, words: string): Written =>
  call(uuid, parent, message, id, "Agent", { prompt: words, subagent_type: "poet", description: "Verse" })

const main = [prompt("p", null, "Go."), task("c1", "p", "m", "t1", "Write."), task("c2", "c1", "m", "t2", "Write.")]
const asked = { id: "x", nodes: fileOf([prompt("u", null, "Write.", { isSidechain: true })]).nodes }

describe("the call that started a sub-agent", () => {
  it("is in the file beside its own", () => {
    const [agent] = agentsIn(main, [{ ...asked, meta: { toolUseId: "t2", agentType: "bard" } }])
    expect(agent).toMatchObject({ lane: "t2", call: "t2", name: "bard", description: "Verse" })
  })

  it("is the one whose result names the agent", () => {
    const [agent] = agentsIn([...main, result("r", "c2", "t2", "Done.", { toolUseResult: { agentId: "x" } })], [asked])
    expect(agent).toMatchObject({ lane: "t2", name: "poet" })
  })

  it("is the first whose result names it: later ones sent it another message", () => {
    const named = { toolUseResult: { agentId: "x" } }
    const lines = [...main, result("r1", "c1", "t1", "Done.", named), result("r2", "c2", "t2", "Done.", named)]
    expect(agentsIn(lines, [asked])[0]?.lane).toBe("t1")
  })

  it("is one that has the same words, each once, where nothing else tells", () => {
    const agents = agentsIn(main, [asked, { ...asked, id: "y" }, { ...asked, id: "z" }])
    expect(agents.map(({ lane }) => lane)).toEqual(["t1", "t2", "agent:z"])
  })

  it("may be a sub-agent's own", () => {
    const session = sessionOfScenario("subagent_tool_tree", "2.1.325")
    const opened = sessionEvents(session).flatMap(({ event }) => (event.type === "lane_opened" ? [event] : []))
    expect(opened.map(({ lane, parent }) => [lane, parent])).toEqual([
      ["toolu_0001", null],
      ["toolu_0004", "toolu_0001"]
    ])
  })
})

describe("what a sub-agent says", () => {
  it("is whole, and between its call and the result of that", () => {
    expect(saidIn(sessionOfScenario("subagent", "2.1.197"))).toEqual([
      "> Go.",
      "Delegating.",
      "toolu_0001()",
      "toolu_0001: My part.",
      "toolu_0001: Working on alpha",
      "toolu_0001: toolu_0002()",
      "toolu_0001: toolu_0002 = (Bash completed with no output)",
      "toolu_0001: Part alpha is done.",
      expect.stringContaining("toolu_0001 = "),
      "Delegated."
    ])
  })

  it("is found in the session's own file, where versions before 2.1 wrote it", () => {
    const side = { isSidechain: true }
    const session = written([
      ...main.slice(0, 2),
      prompt("u", null, "Write.", side),
      answer("v", "u", "n", "A verse.", side),
      result("r", "c1", "t1", "A verse."),
      answer("a", "r", "o", "Done.")
    ])
    expect(saidIn(session)).toEqual(["> Go.", "t1()", "t1: A verse.", "t1 = A verse.", "Done."])
  })

  it("is left out of a conversation that did not start it", () => {
    const lines = [...main, prompt("q", null, "Something else."), answer("a", "q", "o", "Well.")]
    const session = sessionOf({
      sessionId: "s",
      main: fileOf(lines),
      agents: [{ id: "x", file: fileOf([answer("v", null, "n", "A verse.")]), meta: { toolUseId: "t1" } }]
    })
    expect(saidIn(session)).toEqual(["> Something else.", "Well."])
    expect(saidIn(session, "c2")).toEqual(["> Go.", "t1()", "t1: A verse.", "t2()"])
  })
})
