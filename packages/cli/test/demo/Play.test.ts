import { describe, expect, it } from "vitest"
import { parseLine, textAt } from "../../src/demo/Line.ts"
import { Play } from "../../src/demo/Play.ts"
import { demoTurns } from "../../src/demo/Turns.ts"
import { conversation, eventsOf, way, wrongWith } from "./takes.ts"

const turnOf = (prompt: string) => {
  const turn = demoTurns.find((each) => each.prompt === prompt)
  if (turn === undefined) throw new Error(prompt)
  return turn
}

/** Plays a turn; each question is answered by the next of these. */
const play = (prompt: string, ...answers: ReadonlyArray<unknown>) => {
  const [first, ...others] = turnOf(prompt).takes
  const playing = new Play(conversation, [way(first), ...others.map(way)])
  const lines: Array<string> = []
  const left = [...answers]
  for (let next = playing.next(); next !== undefined; next = playing.next()) {
    if (next._tag === "Say") lines.push(next.line)
    else {
      expect(lines.some((line) => textAt(parseLine(line), "request_id") === next.requestId)).toBe(true)
      playing.answer({ subtype: "success", response: left.shift() })
    }
  }
  expect(wrongWith(eventsOf(lines))).toEqual([])
  expect(new Set(lines.map((line) => textAt(parseLine(line), "uuid")).filter((id) => id !== "")).size).toBe(
    lines.filter((line) => textAt(parseLine(line), "uuid") !== "").length
  )
  const result = textAt(
    lines.map(parseLine).find(({ type }) => type === "result"),
    "result"
  )
  return { lines, result }
}

const haiku = "Write a haiku into a file"
const path = "/tmp/agentwire-demo/project/haiku.md"
const content = "Bytes become a stream,\nthe stream becomes a story.\nThe tape remembers.\n"

describe("a play of a turn with a choice", () => {
  it("goes on as it was allowed", () => {
    const asAsked = { behavior: "allow", updatedInput: { file_path: path, content } }
    expect(play(haiku, asAsked).result).toContain("Saved as it was")
    expect(play(haiku, { behavior: "allow" }).result).toContain("Saved as it was")
  })

  it.each(["Something short", 'Two lines\nwith "quotes" and \\ and $& and 😀'])(
    "has every edit in the result and in the answer: %j",
    (edit) => {
      const { lines, result } = play(haiku, { behavior: "allow", updatedInput: { file_path: path, content: edit } })
      expect(result).toContain(`your changes`)
      expect(result).toContain(edit)
      const written = lines.map(parseLine).find((line) => textAt(line, "tool_use_result", "type") === "create")
      expect(textAt(written, "tool_use_result", "content")).toBe(edit)
    }
  )

  it("writes to another file when that was edited", () => {
    const { lines } = play(haiku, { behavior: "allow", updatedInput: { file_path: "/elsewhere.md", content } })
    const written = lines.map(parseLine).find((line) => textAt(line, "tool_use_result", "type") === "create")
    expect(textAt(written, "tool_use_result", "filePath")).toBe("/elsewhere.md")
    expect(textAt(written, "tool_use_result", "content")).toBe(content)
  })

  it("tells the model why not", () => {
    const { lines, result } = play(haiku, { behavior: "deny", message: "Rather not." })
    expect(result).toContain("nothing was written")
    const denied = lines.map(parseLine).find((line) => textAt(line, "message", "content", 0, "type") === "tool_result")
    expect(textAt(denied, "message", "content", 0, "content")).toBe("Rather not.")
  })

  it("names messages and tools the same before and after", () => {
    for (const response of [{ behavior: "allow" }, { behavior: "deny", message: "No." }]) {
      const { lines } = play(haiku, response)
      const messages = lines.map(parseLine)
      const called = messages.find((line) => textAt(line, "message", "content", 0, "type") === "tool_use")
      const done = messages.find((line) => textAt(line, "message", "content", 0, "type") === "tool_result")
      expect(textAt(done, "message", "content", 0, "tool_use_id")).toBe(textAt(called, "message", "content", 0, "id"))
    }
  })

  it.each([
    ["The bridge", "runs one agent for each thread"],
    ["Tapes", "keep every line"],
    ["What about the weather?", "“What about the weather?”"]
  ])("answers the answer: %s", (answer, said) => {
    const question = "Which part of agentwire shall I tell you about?"
    expect(
      play("Ask me a question", { behavior: "allow", updatedInput: { answers: { [question]: answer } } }).result
    ).toContain(said)
  })

  it("comes to its end whatever it is answered", () => {
    for (const { prompt } of demoTurns)
      for (const response of [undefined, {}, { behavior: "maybe" }, { behavior: "deny" }, { mcp_response: null }])
        expect(play(prompt, response, response, response).lines.at(-1)).toContain("command_lifecycle")
  })

  it("repeats what the page answered", () => {
    const said = { jsonrpc: "2.0", id: 2, result: { content: [{ type: "text", text: "It is teal now." }] } }
    const { result } = play("Make this page teal", { behavior: "allow" }, { mcp_response: said })
    expect(result).toContain("> It is teal now.")
  })
})
