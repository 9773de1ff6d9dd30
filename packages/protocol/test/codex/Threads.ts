/** Recorded sessions of Codex, line by line, and what the fold makes of their threads. None is read before it is asked for. */
import { type codexTapes, loadCodexTape } from "@agentwire/fixtures"
import {
  Dialogue,
  endFold,
  type FoldState,
  foldMessage,
  type Heard,
  initialFold,
  type Side
} from "../../src/codex/index.ts"
import type { Event } from "../../src/model/Event.ts"
import { tapeLines } from "../../src/tape/index.ts"

/** A line of a session, and who said it. */
export interface Line {
  readonly from: Side
  readonly text: string
}

/** A recorded session. */
export interface Session {
  readonly name: string
  readonly lines: ReadonlyArray<Line>
}

/** The session of a tape. */
export const sessionOf = (entry: (typeof codexTapes)[number]): Session => ({
  name: `${entry.version} ${entry.scenario} ${entry.run}`,
  lines: tapeLines(loadCodexTape(entry).frames).flatMap(
    ({ from, line }): ReadonlyArray<Line> =>
      line._tag === "Text" && line.text.trim() !== ""
        ? [{ from: from === "agent" ? "server" : "client", text: line.text }]
        : []
  )
})

/** The lines as the fold takes them. */
export const heardIn = (lines: ReadonlyArray<Line>): ReadonlyArray<Heard> => {
  const dialogue = new Dialogue()
  return lines.map(({ from, text }) => dialogue.hear(from, text))
}

/** The threads of a session that the fold can be asked for: those that a client has begun. */
export const threadsIn = (lines: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const { answers, result } of heardIn(lines)) {
    if (answers !== "thread/start" && answers !== "thread/resume" && answers !== "thread/fork") continue
    const { thread } = (result?._tag === "Known" ? result.value : {}) as { readonly thread?: { readonly id: string } }
    if (thread !== undefined) found.add(thread.id)
  }
  return [...found]
}

/** What the fold makes of some lines, with the end of the process. */
export const folded = (
  heard: ReadonlyArray<Heard>,
  threadId?: string,
  pageTools: ReadonlyArray<string> = []
): { readonly events: ReadonlyArray<Event>; readonly states: ReadonlyArray<FoldState> } => {
  const events: Array<Event> = []
  let state = initialFold({ pageTools, ...(threadId !== undefined && { threadId }) })
  const states = [state]
  for (const each of heard) {
    const [next, given] = foldMessage(state, each)
    state = next
    states.push(state)
    events.push(...given)
  }
  events.push(...endFold(state, { type: "exit", code: 0 })[1])
  return { events, states }
}
