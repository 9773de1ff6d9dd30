import { describe, expect, it } from "vitest"
import { listTapes, loadTape, type TapeEntry } from "../../../fixtures/src/Tapes.ts"
import { someOf } from "../../../fixtures/test/Sweep.ts"
import { Tape } from "../../src/index.ts"

const library = new Map<string, Array<TapeEntry>>()
for (const entry of someOf(listTapes(process.env["AGENTWIRE_TAPES"]))) {
  const folder = `${entry.version} over ${entry.transport}`
  library.set(folder, [...(library.get(folder) ?? []), entry])
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Another id for each uuid that the agent made: its digits backwards. */
const renamed = (text: string, ids: ReadonlySet<string>): string =>
  text.replaceAll(uuid, (id) =>
    ids.has(id)
      ? [...id]
          .reverse()
          .join("")
          .replace(/-/g, "")
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
      : id
  )

const sent = (moves: ReadonlyArray<Tape.HostMove>): ReadonlyArray<string> =>
  moves.map((move) => (move._tag === "Send" ? move.line : move._tag === "End" ? "<end>" : `<${move.signal}>`))

/** What the host of a tape does, in order. */
const hostSide = (frames: ReadonlyArray<Tape.Frame>): ReadonlyArray<string> =>
  Tape.scriptOf(frames).cues.flatMap((cue) => {
    if (cue._tag === "Hear") return [cue.line]
    return cue._tag === "HearEnd" ? ["<end>"] : cue._tag === "HearSignal" ? [`<${cue.signal}>`] : []
  })

describe.each([...library.keys()])("the host of any tape of %s", (folder) => {
  const tapes = (library.get(folder) ?? []).map(
    (entry) => [`${entry.scenario} ${entry.run}`, loadTape(entry).frames] as const
  )

  it("says what it said, to an agent that says what it said under other ids", () => {
    for (const [name, frames] of tapes) {
      const ids = Tape.scriptOf(frames).agentIds
      const host = new Tape.HostReplay(frames)
      const moves = [...host.begin()]
      for (const { from, line } of Tape.tapeLines(frames)) {
        if (from === "agent" && line.text.trim() !== "") moves.push(...host.receiveLine(renamed(line.text, ids)))
      }
      expect(host.isOver, name).toBe(true)
      expect(host.unknownQuestions, name).toEqual([])
      const expected = hostSide(frames).map((line) => renamed(line, ids))
      expect([...sent(moves)].sort(), name).toEqual([...expected].sort())
    }
  })

  it("gets from a replay of the agent all that is on the tape, without ever waiting in vain", () => {
    for (const [name, frames] of tapes) {
      const host = new Tape.HostReplay(frames)
      const moves = [...host.begin()]
      let step = Tape.beginReplay(Tape.scriptOf(frames), "strict")
      const gaps = frames.filter(({ _tag }) => _tag === "Open").length
      const hear = () => {
        const spoken = step.acts.flatMap(
          (act): ReadonlyArray<Tape.Frame> =>
            act._tag === "Say" ? [{ _tag: "Data", wait: 0, from: "agent", channel: act.channel, data: act.data }] : []
        )
        for (const { line } of Tape.tapeLines(spoken))
          if (line.text.trim() !== "") moves.push(...host.receiveLine(line.text))
      }
      hear()
      for (let gap = 1; gap < gaps; gap++) {
        step = Tape.stepReplay(step.replay, { _tag: "Reopened" })
        hear()
      }
      for (let move = moves.shift(); move !== undefined; move = moves.shift()) {
        const act: Tape.HostAct = move._tag === "Send" ? { _tag: "Line", text: move.line } : { _tag: move._tag }
        step = Tape.stepReplay(step.replay, act)
        expect(step.mismatch, name).toBeUndefined()
        hear()
      }
      expect(host.isOver, name).toBe(true)
      expect(Tape.missedLines(step.replay), name).toEqual({ lines: [], heldBack: 0 })
    }
  })
})

describe("the host of a tape", () => {
  const host = (data: string): Tape.Frame => ({
    _tag: "Data",
    wait: 0,
    from: "host",
    channel: "stdin",
    data: `${data}\n`
  })
  const agent = (data: string): Tape.Frame => ({
    _tag: "Data",
    wait: 0,
    from: "agent",
    channel: "stdout",
    data: `${data}\n`
  })
  const ask = (id: string, tool: string) =>
    JSON.stringify({ type: "control_request", request_id: id, request: { subtype: "can_use_tool", tool_name: tool } })
  const answer = (id: string, behavior: string) =>
    JSON.stringify({
      type: "control_response",
      response: { subtype: "success", request_id: id, response: { behavior } }
    })
  const result = '{"type":"result","subtype":"success"}'
  const user = (content: string) => JSON.stringify({ type: "user", message: { role: "user", content } })

  const frames = [
    host(user("go")),
    agent(ask("a", "Bash")),
    agent(ask("b", "Write")),
    host(answer("a", "allow")),
    host(answer("b", "deny")),
    agent(result),
    host(user("again")),
    agent(result)
  ]

  it("gives each question its answer, in the order they are asked now", () => {
    const replay = new Tape.HostReplay(frames)
    expect(sent(replay.begin())).toEqual([user("go")])
    expect(sent(replay.receiveLine(ask("x", "Write")))).toEqual([answer("x", "deny")])
    expect(sent(replay.receiveLine(ask("y", "Bash")))).toEqual([answer("y", "allow")])
    expect(sent(replay.receiveLine(result))).toEqual([user("again")])
    expect(replay.isOver).toBe(true)
  })

  it("answers what the tape does not know with an error, and remembers it", () => {
    const replay = new Tape.HostReplay(frames)
    replay.begin()
    const [line = ""] = sent(replay.receiveLine(ask("x", "Telepathy")))
    expect(JSON.parse(line)).toMatchObject({
      type: "control_response",
      response: { subtype: "error", request_id: "x" }
    })
    expect(replay.unknownQuestions).toEqual([ask("x", "Telepathy")])
  })

  it("waits for the turn to end, unless the agent falls silent", () => {
    const replay = new Tape.HostReplay(frames)
    replay.begin()
    expect(replay.receiveLine('{"type":"assistant"}')).toEqual([])
    expect(sent(replay.continueAfterSilence())).toEqual([user("again")])
    expect(replay.continueAfterSilence()).toEqual([])
  })
})
