import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { listTapes, loadTape, type TapeEntry } from "../../../fixtures/src/Tapes.ts"
import { someOf } from "../../../fixtures/test/Sweep.ts"
import { Tape } from "../../src/index.ts"

/** The tapes of the library, or of another folder laid out like it, by version and transport. */
const library = new Map<string, Array<TapeEntry>>()
for (const entry of someOf(listTapes(process.env["AGENTWIRE_TAPES"]))) {
  const folder = `${entry.version} over ${entry.transport}`
  library.set(folder, [...(library.get(folder) ?? []), entry])
}

const host = (data: string): Tape.DataFrame => ({ _tag: "Data", wait: 0, from: "host", channel: "stdin", data })
const agent = (data: string): Tape.DataFrame => ({ _tag: "Data", wait: 0, from: "agent", channel: "stdout", data })
const endOfInput: Tape.Frame = { _tag: "Close", wait: 0, from: "host", channel: "stdin" }
const quit = (code: number): Tape.Frame => ({ _tag: "Exit", wait: 0, code, signal: null })

const textOf = (data: Tape.DataFrame["data"]): string => Buffer.from(Tape.bytesOf(data)).toString("utf8")

const said = (acts: ReadonlyArray<Tape.AgentAct>): string =>
  acts.map((act) => (act._tag === "Say" ? textOf(act.data) : `<${act._tag}>`)).join("")

const line = (text: string): Tape.HostAct => ({ _tag: "Line", text })
const request = (id: string, subtype: string) =>
  `{"type":"control_request","request_id":"${id}","request":{"subtype":"${subtype}"}}`
const response = (id: string, value: string) =>
  `{"type":"control_response","response":{"subtype":"success","request_id":"${id}","response":${value}}}`
const user = (text: string, uuid = "") =>
  `{"type":"user","message":{"role":"user","content":"${text}"},"session_id":"","uuid":"${uuid}"}`

/** What a replay says to a host that does these things. */
const play = (
  frames: ReadonlyArray<Tape.Frame>,
  acts: ReadonlyArray<Tape.HostAct>,
  match: Tape.ReplayMatch = "strict"
) => {
  let step = Tape.beginReplay(Tape.scriptOf(frames), match)
  const outs = [said(step.acts)]
  for (const act of acts) {
    step = Tape.stepReplay(step.replay, act)
    outs.push(said(step.acts))
    if (step.mismatch !== undefined) break
  }
  return { outs, replay: step.replay, mismatch: step.mismatch }
}

describe.each([...library.keys()])("a replay of any tape of %s", (folder) => {
  const tapes = new Map(
    (library.get(folder) ?? []).map((entry) => [`${entry.scenario} ${entry.run}`, loadTape(entry).frames])
  )

  // The library's host numbers its requests.
  const fresh = (text: string) => text.replaceAll(/"host-(\d+)"/g, '"today-$1"')

  /** What the host did that the agent can see. */
  const actOf = (cue: Tape.Cue): Tape.HostAct | undefined => {
    switch (cue._tag) {
      case "Hear":
        return line(fresh(cue.line))
      case "HearEnd":
        return { _tag: "End" }
      case "HearSignal":
        return { _tag: "Signal" }
      case "Gap":
        return { _tag: "Reopened" }
      default:
        return undefined
    }
  }
  const hostActs = (frames: ReadonlyArray<Tape.Frame>): ReadonlyArray<Tape.HostAct> =>
    Tape.scriptOf(frames).cues.flatMap((cue) => actOf(cue) ?? [])

  const saidOnTape = (frames: ReadonlyArray<Tape.Frame>): string =>
    frames
      .map((frame) => {
        if (frame._tag === "Data" && frame.from === "agent") return fresh(textOf(frame.data))
        if (frame._tag === "Close" && frame.from === "agent" && frame.channel !== "ws") return "<Shut>"
        return frame._tag === "Exit" ? "<Quit>" : ""
      })
      .join("")

  it.each(["strict", "shape", "none"] as const)(
    "answers its own host as the CLI did, with the ids of now: %s",
    (match) => {
      for (const [scenario, frames] of tapes) {
        const { mismatch, outs, replay } = play(frames, hostActs(frames), match)
        if (mismatch) expect.fail(`${scenario}: ${JSON.stringify(mismatch).slice(0, 600)}`)
        expect(outs.join(""), scenario).toBe(saidOnTape(frames))
        expect(Tape.missedLines(replay), scenario).toEqual({ lines: [], heldBack: 0 })
        expect(Tape.isOver(replay)).toBe(true)
      }
    }
  )

  it("has said, whenever the host speaks, exactly what the CLI had said by then", () => {
    for (const [scenario, frames] of tapes) {
      let step = Tape.beginReplay(Tape.scriptOf(frames), "strict")
      let out = said(step.acts)
      for (const cue of step.replay.script.cues) {
        const act = actOf(cue)
        if (act === undefined) continue
        if (cue._tag === "Hear") expect(out, scenario).toBe(saidOnTape(frames.slice(0, cue.frame - 1)))
        step = Tape.stepReplay(step.replay, act)
        out += said(step.acts)
      }
    }
  })

  it("says the same to a host that says everything at once", () => {
    for (const [scenario, frames] of tapes) {
      const acts = hostActs(frames)
      const { outs } = play(frames, [
        ...acts.filter(({ _tag }) => _tag !== "Line"),
        ...acts.filter(({ _tag }) => _tag === "Line")
      ])
      expect(outs.join(""), scenario).toBe(saidOnTape(frames))
    }
  })

  it("never gets stuck, in whatever order the lines come", () => {
    const shuffled = fc.constantFrom(...tapes.values()).chain((frames) => {
      const acts = hostActs(frames)
      return fc.tuple(fc.constant(frames), fc.shuffledSubarray([...acts], { minLength: acts.length }))
    })
    fc.assert(
      fc.property(shuffled, ([frames, acts]) => {
        const { mismatch, replay } = play(frames, acts)
        expect(mismatch).toBeUndefined()
        expect(Tape.missedLines(replay)).toEqual({ lines: [], heldBack: 0 })
      }),
      { numRuns: 60 }
    )
  })
})

describe("a replay", () => {
  const asked = [
    host(`${request("h1", "initialize")}\n`),
    agent(`${response("h1", "{}")}\n`),
    agent(`${request("ask-a", "can_use_tool")}\n`),
    agent(`${request("ask-b", "can_use_tool")}\n`),
    host(`${response("ask-a", '{"behavior":"allow"}')}\n`),
    agent("a ran\n"),
    host(`${response("ask-b", '{"behavior":"allow"}')}\n`),
    agent("b ran\n"),
    endOfInput,
    quit(0)
  ]

  it("gives each answer to the question it answers, whichever comes first", () => {
    const { outs } = play(asked, [
      line(request("x", "initialize")),
      line(response("ask-b", '{"behavior":"allow"}')),
      line(response("ask-a", '{"behavior":"allow"}')),
      { _tag: "End" }
    ])
    expect(outs.slice(2)).toEqual(["", "a ran\nb ran\n", "<Quit>"])
  })

  it("refuses an answer to what the agent did not ask, with the nearest line", () => {
    const { mismatch } = play(
      asked,
      [line(request("x", "initialize")), line(response("ask-c", '{"behavior":"allow"}'))],
      "shape"
    )
    expect(mismatch?.nearest?.expected.line).toBe(response("ask-a", '{"behavior":"allow"}'))
    expect(mismatch?.nearest?.differences).toEqual([
      { path: "$.response.request_id", expected: "ask-a", actual: "ask-c" }
    ])
  })

  it("refuses a denial where there was an approval, unless anything goes", () => {
    const acts = [line(request("x", "initialize")), line(response("ask-a", '{"behavior":"deny"}'))]
    for (const match of ["strict", "shape"] as const) {
      expect(play(asked, acts, match).mismatch?.nearest?.differences).toEqual([
        { path: "$.response.response.behavior", expected: "allow", actual: "deny" }
      ])
    }
    expect(play(asked, acts, "none").outs.at(-1)).toBe("a ran\n")
  })

  it("takes other words for the same message when only the shape counts", () => {
    const frames = [host(`${user("hi")}\n`), agent("hello\n")]
    expect(play(frames, [line(user("good morning"))], "shape").outs).toEqual(["", "hello\n"])
    expect(play(frames, [line(user("good morning"))], "strict").mismatch?.nearest?.differences).toEqual([
      { path: "$.message.content", expected: "hi", actual: "good morning" }
    ])
  })

  it("says that the tape expects nothing more", () => {
    expect(play([agent("bye\n")], [line(user("hi"))]).mismatch).toEqual({ line: user("hi"), nearest: undefined })
    expect(play([agent("bye\n")], [line(user("hi"))], "none").mismatch).toBeUndefined()
  })

  it("keeps ids one to one", () => {
    const frames = [host(`${request("h1", "a")}\n${request("h2", "b")}\n`), agent(`${response("h2", "1")}\n`)]
    expect(play(frames, [line(request("x", "a")), line(request("x", "b"))]).mismatch?.nearest?.differences).toEqual([
      { path: "$.request_id", expected: "h2", actual: "x" }
    ])
    expect(play(frames, [line(request("h2", "a")), line(request("h1", "b"))]).outs.at(-1)).toBe(
      `${response("h1", "1")}\n`
    )
  })

  it("puts an id known from the command line where the tape has its own", () => {
    const taped = "11111111-1111-4111-8111-111111111111"
    const now = "22222222-2222-4222-8222-222222222222"
    const script = Tape.scriptOf([agent(`{"session_id":"${taped}","path":"/p/${taped}.jsonl"}\n`)])
    expect(said(Tape.beginReplay(script, "shape", [[taped, now]]).acts)).toBe(
      `{"session_id":"${now}","path":"/p/${now}.jsonl"}\n`
    )
  })

  it("waits for the end of the input where the tape does, and takes it early", () => {
    const frames = [host(`${user("hi")}\n`), agent("hello\n"), endOfInput, agent("bye\n"), quit(3)]
    expect(play(frames, [line(user("hi")), { _tag: "End" }]).outs).toEqual(["", "hello\n", "bye\n<Quit>"])
    const { outs, replay } = play(frames, [{ _tag: "End" }])
    expect(outs.join("")).toBe("")
    expect(Tape.missedLines(replay)).toMatchObject({ lines: [{ frame: 1 }], heldBack: 2 })
  })

  it("ends by a signal only when there is one", () => {
    const frames = [agent("hello\n"), quit(143)]
    expect(play(frames, [{ _tag: "Signal" }]).outs).toEqual(["hello\n", "<Quit>"])
  })

  it("holds the agent back until a dropped connection is open again", () => {
    const open: Tape.Frame = { _tag: "Open", wait: 0, url: "ws://127.0.0.1/", headers: {} }
    const drop: Tape.Frame = { _tag: "Close", wait: 0, from: "host", channel: "ws", ws: { code: 1006, reason: "" } }
    const frames = [open, agent("one\n"), drop, open, agent("two\n")]
    expect(play(frames, [{ _tag: "Reopened" }]).outs).toEqual(["one\n", "two\n"])
  })

  it("hears a line of the host however it was cut", () => {
    const whole = `${user("hi")}\n`
    fc.assert(
      fc.property(fc.nat({ max: whole.length }), (at) => {
        const frames = [host(whole.slice(0, at)), host(whole.slice(at)), agent("hello\n")]
        expect(play(frames, [line(user("hi"))]).outs).toEqual(["", "hello\n"])
      })
    )
  })
})
