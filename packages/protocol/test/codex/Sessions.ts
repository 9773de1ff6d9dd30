/** The recorded sessions of Codex, line by line, and what the fold and the translator make of them. */
import { codexTapes } from "@agentwire/fixtures"
import type { Dialect } from "../../src/agui/Dialect.ts"
import type { AguiEvent } from "../../src/agui/Event.ts"
import { isSuspended } from "../../src/agui/write/Write.ts"
import type { Heard } from "../../src/codex/index.ts"
import { checkEvents } from "../../src/conform/Checker.ts"
import type { Event } from "../../src/model/Event.ts"
import { transcriptOf } from "../../src/model/Transcript.ts"
import { finish, initialState, releaseRun, step } from "../../src/translate/Translator.ts"
import { type Session, sessionOf } from "./Threads.ts"

/** The recorded sessions of the app-server. */
export const sessions: ReadonlyArray<Session> = codexTapes.filter(({ wire }) => wire === "app-server").map(sessionOf)

export { folded, heardIn, type Line, type Session, threadsIn } from "./Threads.ts"

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
