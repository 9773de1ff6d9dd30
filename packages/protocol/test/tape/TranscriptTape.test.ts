import { describe, expect, it } from "vitest"
import { decodeLine, drift } from "../../src/claude/Codec.ts"
import { sessionEvents } from "../../src/claude/transcript/index.ts"
import { transcriptOf } from "../../src/model/Transcript.ts"
import { parseTape } from "../../src/tape/ParseTape.ts"
import { encodeTape, tapeLines } from "../../src/tape/TapeCodec.ts"
import { transcriptTape } from "../../src/tape/TranscriptTape.ts"
import { endsOf, sessionsIn, unanchored } from "../claude/transcript/Comparison.ts"
import { filesOf, kept } from "../claude/transcript/Kept.ts"
import { wireEvents } from "../claude/transcript/WireSide.ts"
import { answer, prompt, written } from "../claude/transcript/Write.ts"

const sessions = kept.flatMap(({ name, scenario, version }) =>
  sessionsIn(filesOf(scenario, version)).map((session) => ({ name: `${name} ${session.sessionId}`, session }))
)

/** Notices of the CLI are tasks there, and what a file does not tell is not on the tape. */
const entriesOf = (events: Parameters<typeof transcriptOf>[0]) =>
  transcriptOf(events)
    .entries.filter(({ kind }) => kind !== "task")
    .map(unanchored)

describe("a tape that is made from a session file", () => {
  it.each(sessions)("says what $name says", ({ session }) => {
    const events = sessionEvents(session).map(({ event }) => event)
    const tape = transcriptTape(session, { agentwire: "0.0.0" })
    const told = wireEvents([tape])
    expect(entriesOf(told)).toEqual(entriesOf(events))
    expect(endsOf(told)).toEqual(endsOf(events).map((end) => end.replace("transcript_ended", "error_during_execution")))
  })

  it("is a tape, and says what it was made from", () => {
    for (const { session } of sessions) {
      const tape = transcriptTape(session, { agentwire: "0.0.0" })
      const { tape: read, wrong } = parseTape(new TextEncoder().encode(encodeTape(tape)))
      expect(wrong).toEqual([])
      expect(read?.header).toMatchObject({ madeFrom: "transcript", runtime: { name: "claude-code" } })
      expect(read?.frames).toEqual(tape.frames)
    }
  })

  it("has nothing on it that the wire does not have", () => {
    for (const { name, session } of sessions)
      for (const { line } of tapeLines(transcriptTape(session, { agentwire: "0.0.0" }).frames)) {
        const decoded = decodeLine(line.text)
        if (decoded._tag !== "Known") expect.fail(`${name}: ${JSON.stringify(decoded).slice(0, 300)}`)
        expect(
          drift(decoded.message).filter(({ code }) => code === "odd-key"),
          name
        ).toEqual([])
      }
  })

  it("may be of another branch", () => {
    const session = written([
      prompt("p", null, "1"),
      answer("a", "p", "m", "One."),
      prompt("q", null, "2"),
      answer("b", "q", "n", "Two.")
    ])
    const texts = (leaf: string) =>
      entriesOf(wireEvents([transcriptTape(session, { agentwire: "0", leaf })])).flatMap((entry) =>
        entry.kind === "text" ? [entry.text] : []
      )
    expect([texts("a"), texts("b")]).toEqual([["One."], ["Two."]])
  })
})
