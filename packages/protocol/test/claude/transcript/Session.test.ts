import { describe, expect, it } from "vitest"
import { sessionEvents, sessionTranscript } from "../../../src/claude/transcript/index.ts"
import { sessionOfScenario } from "./Kept.ts"
import { answer, call, prompt, result, saidIn, written } from "./Write.ts"

/** Thinking whose text the API was asked to omit: nothing but its signature. */
const thought = (uuid: string, parent: string, message: string, signature: string) => {
  const line = answer(uuid, parent, message, "")
  const content = [{ type: "thinking", thinking: "", signature }]
  return { ...line, message: { ...(line["message"] as object), content }, timestamp: "2026-01-01T00:00:00.000Z" }
}

describe("a conversation of a session file", () => {
  it("has the blocks of one message in one message, under the ids of the wire", () => {
    const session = written([
      prompt("p", null, "Go."),
      answer("a", "p", "m", "On it."),
      call("b", "a", "m", "t"),
      result("r", "b", "t", "x")
    ])
    expect(sessionTranscript(session).entries).toMatchObject([
      { id: "p", kind: "prompt" },
      { id: "m:0", kind: "text" },
      { id: "t", kind: "call", parent: "m:0" },
      { id: "t", kind: "result" }
    ])
  })

  it("has both of two empty thoughts of one millisecond", () => {
    const session = written([
      prompt("p", null, "Go."),
      thought("a", "p", "m", "one"),
      thought("b", "a", "m", "two"),
      answer("c", "b", "m", "Hi.")
    ])
    const { entries } = sessionTranscript(session)
    expect(entries.flatMap((entry) => (entry.kind === "thought" ? [entry.signature] : []))).toEqual(["one", "two"])
  })

  it("has what was said by commands of the shell in a terminal", () => {
    const session = written([
      prompt("a", null, "<bash-input>ls</bash-input>"),
      prompt("b", "a", "<bash-stdout>x.txt</bash-stdout><bash-stderr></bash-stderr>"),
      prompt("c", "b", "What is x?"),
      answer("d", "c", "m", "A file.")
    ])
    expect(saidIn(session)).toEqual(["> !ls", "x.txt", "> What is x?", "A file."])
  })

  it("ends every turn, and what is open with the last", () => {
    const events = sessionEvents(written([prompt("p", null, "Go."), call("a", "p", "m", "t")])).map(
      ({ event }) => event
    )
    expect(events.at(-1)).toMatchObject({ type: "turn_ended", outcome: { type: "failed", code: "transcript_ended" } })
  })

  it("describes the session when a turn begins, and when something about it changes", () => {
    const infos = sessionEvents(
      written([
        prompt("p", null, "Go.", { cwd: "/a", permissionMode: "plan", version: "2.1.325" }),
        answer("a", "p", "m", "Yes.", { cwd: "/a" }),
        prompt("q", "a", "Go on.", { cwd: "/b", permissionMode: "default" })
      ])
    ).flatMap(({ event }) => (event.type === "session_changed" ? [event.info] : []))
    expect(infos.map(({ cwd, mode, model }) => [cwd, mode, model])).toEqual([
      ["/a", "plan", ""],
      ["/a", "plan", "claude"],
      ["/b", "default", "claude"]
    ])
    expect(infos.every(({ sessionId, version }) => sessionId === "s" && version === "2.1.325")).toBe(true)
  })

  it("has structured output as the outcome of its turn", () => {
    const events = sessionEvents(sessionOfScenario("json_schema", "2.1.325")).map(({ event }) => event)
    expect(events.at(-1)).toMatchObject({ type: "turn_ended", outcome: { type: "completed", result: { n: 4 } } })
  })

  it("has a leaf that is not there as nothing", () => {
    expect(saidIn(written([prompt("p", null, "Go.")]), "none")).toEqual([])
  })
})
