/** The model's events of a session of either runtime, as a bridge would have them: each with its time. */
import { loadTape, type tapes } from "@agentwire/fixtures"
import { decodeLine } from "../../src/claude/index.ts"
import { Claude, type Model, Normalised, Tape } from "../../src/index.ts"
import { folded, heardIn, type Session } from "../codex/Sessions.ts"

/** What a session is called in these tests. */
export const options = { sessionId: "s", runtime: "Claude Code" }

/** The events of a tape, to the end of the agent. */
export const timedEvents = (entry: (typeof tapes)[number]): ReadonlyArray<Normalised.Timed> => {
  const events: Array<Model.Event> = []
  let state = Claude.initialFold()
  for (const { from, line } of Tape.tapeLines(loadTape(entry).frames)) {
    if (from !== "agent" || line._tag !== "Text" || line.text.trim() === "") continue
    const [next, given] = Claude.foldMessage(state, decodeLine(line.text))
    state = next
    events.push(...given)
  }
  events.push(...Claude.endFold(state, { type: "end" })[1])
  return timed(events)
}

const timed = (events: ReadonlyArray<Model.Event>): ReadonlyArray<Normalised.Timed> =>
  events.map((event, index) => ({ at: 1_700_000_000_000 + index, event }))

/** The events of a thread of Codex, to the end of the agent. */
export const timedCodexEvents = ({ lines }: Session, thread: string): ReadonlyArray<Normalised.Timed> =>
  timed(folded(heardIn(lines), thread).events)

/** What a reader is told of some events, those of each event by themselves, and where it is then. */
export const written = (
  events: ReadonlyArray<Normalised.Timed>,
  from: Normalised.NormalisedCursor = Normalised.initialNormalised(options)
): readonly [Normalised.NormalisedCursor, ReadonlyArray<ReadonlyArray<Normalised.NormalisedEvent>>] => {
  let cursor = from
  const out = events.map((event) => {
    const [next, given] = Normalised.writeNormalised(cursor, event)
    cursor = next
    return given
  })
  return [cursor, out]
}
