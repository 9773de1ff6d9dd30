/** The recorded sessions of Codex, line by line, and what the fold and the translator make of them. */
import { codexTapes, loadCodexTape } from "@agentwire/fixtures"
import type { Dialect } from "../../src/agui/Dialect.ts"
import type { AguiEvent } from "../../src/agui/Event.ts"
import { isSuspended } from "../../src/agui/write/Write.ts"
import {
  Dialogue,
  endFold,
  type FoldState,
  foldMessage,
  type Heard,
  initialFold,
  type Side
} from "../../src/codex/index.ts"
import { checkEvents } from "../../src/conform/Checker.ts"
import type { Event } from "../../src/model/Event.ts"
import { transcriptOf } from "../../src/model/Transcript.ts"
import { tapeLines } from "../../src/tape/index.ts"
import { finish, initialState, releaseRun, step } from "../../src/translate/Translator.ts"

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

/** The recorded sessions of the app-server. */
export const sessions: ReadonlyArray<Session> = codexTapes
  .filter(({ wire }) => wire === "app-server")
  .map((entry) => ({
    name: `${entry.version} ${entry.scenario} ${entry.run}`,
    lines: tapeLines(loadCodexTape(entry).frames).flatMap(
      ({ from, line }): ReadonlyArray<Line> =>
        line._tag === "Text" && line.text.trim() !== ""
          ? [{ from: from === "agent" ? "server" : "client", text: line.text }]
          : []
    )
  }))

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

/** What was said, what was asked, and how turns ended. */
export const gistOf = (events: ReadonlyArray<Event>): unknown => ({
  said: transcriptOf(events).entries.filter(({ kind }) => kind !== "task"),
  asked: events.flatMap((event) => (event.type === "request_opened" ? [[event.request.id, event.request.kind]] : [])),
  ended: events.flatMap((event) => (event.type === "turn_ended" ? [event.outcome] : []))
})

/** A session as AG-UI. Whoever is asked lets the turn go on at once. */
export const translated = (
  heard: ReadonlyArray<Heard>,
  dialect: Dialect,
  codexThread?: string,
  approvals: "event" | "interrupt" = "interrupt"
): ReadonlyArray<AguiEvent> => {
  const events: Array<AguiEvent> = []
  let state = initialState({
    runtime: "codex",
    threadId: "t",
    dialect,
    approvals,
    ...(codexThread !== undefined && { codexThread })
  })
  for (const each of heard) {
    const [next, given] = step(state, each)
    events.push(...given)
    state = next
    if (!isSuspended(state.writer)) continue
    const [released, more] = releaseRun(state)
    events.push(...more)
    state = released
  }
  return [...events, ...finish(state, { type: "exit", code: 0 })]
}

/** What our own checker finds wrong with a stream, in words. */
export const faultsOf = (events: ReadonlyArray<AguiEvent>, dialect: Dialect): ReadonlyArray<string> =>
  checkEvents(events, { dialect }).findings.flatMap(({ level, message, rule }) =>
    level === "info" ? [] : [`${level} ${rule}: ${message}`]
  )
