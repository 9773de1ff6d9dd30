/**
 * Law 4: lanes. What one speaker says does not depend on who else speaks; every event carries the mark of its speaker;
 * each sub-agent's part of a run begins and ends once, around all it says.
 */
import type { Agui } from "@agentwire/protocol"
import { laneOfEvent } from "./Shown.ts"
import {
  difference,
  firstOf,
  fresh,
  type Law,
  laneOf,
  type Session,
  type Trace,
  type Translator,
  translate,
  type Violation,
  withMessages
} from "./Translator.ts"

/** Law 4. */
export const lanesApart: Law = (translator, session) => {
  const trace = translate(translator, session)
  return firstOf(
    () => rightTags(session, trace),
    () => paired(trace.events),
    () => apart(translator, session, trace)
  )
}

/** The events that say something, and so belong to a speaker. */
const saying = /^(TEXT_MESSAGE|REASONING|TOOL_CALL)_/

const rightTags = (session: Session, { steps }: Trace): Violation => {
  for (const [index, { message, name }] of fresh(session)) {
    if (name !== "assistant" && name !== "user" && !name.startsWith("stream_event/")) continue
    const events = steps[index] ?? []
    // What has waited for a run comes with the line that opens one.
    if (events[0]?.type === "RUN_STARTED") continue
    const wrong = events.find((event) => saying.test(event.type) && laneOfEvent(event) !== laneOf(message))
    // Sub-agents end with the result of their call, and what they left open with them.
    if (wrong !== undefined && !(name === "user" && wrong.type.endsWith("_END")))
      return `line ${index + 1} of ${laneOf(message) ?? "the main thread"} gives ${JSON.stringify(wrong)}`
  }
  return undefined
}

const paired = (events: ReadonlyArray<Agui.AguiEvent>): Violation => {
  let active = new Set<string>()
  let ended = new Set<string>()
  for (const event of events) {
    const id = "subagentRunId" in event ? event.subagentRunId : undefined
    switch (event.type) {
      case "RUN_STARTED":
        active = new Set()
        ended = new Set()
        break
      case "SUBAGENT_STARTED":
        if (active.has(event.subagentRunId) || ended.has(event.subagentRunId)) return `${id} starts twice in a run`
        active.add(event.subagentRunId)
        break
      case "SUBAGENT_FINISHED":
      case "SUBAGENT_ERROR":
        if (!active.delete(event.subagentRunId)) return `${id} ends without a start`
        ended.add(event.subagentRunId)
        break
      case "RUN_FINISHED":
      case "RUN_ERROR":
        if (active.size > 0) return `the run ends before ${[...active].join()}`
        break
      default:
        if (id !== undefined && saying.test(event.type) && !active.has(id)) return `${id} speaks outside its part`
    }
  }
  return undefined
}

/** Each speaker alone: with those it was started by, and nobody else. */
const apart = <S>(translator: Translator<S>, session: Session, { events }: Trace): Violation => {
  const homes = new Map<string, string | null>()
  for (const [, { message, name }] of fresh(session))
    if (name === "assistant")
      for (const block of message.message.content)
        if ("id" in block && typeof block.id === "string") homes.set(block.id, laneOf(message))
  const lanes = new Set(fresh(session).map(([, { message }]) => laneOf(message)))
  if (lanes.size < 2) return undefined
  for (const lane of lanes) {
    const kept = new Set<string | null>([null])
    for (let at = lane; at !== null && !kept.has(at); at = homes.get(at) ?? null) kept.add(at)
    const alone = session.messages.filter((decoded) => {
      if (decoded._tag !== "Known") return true
      const { message, name } = decoded
      const home = name === "control_request/can_use_tool" ? homes.get(message.request.tool_use_id) : laneOf(message)
      return home === undefined || kept.has(home)
    })
    const violation = difference(
      `${lane ?? "the main thread"} apart`,
      of(translate(translator, withMessages(session, alone)).events, lane),
      of(events, lane)
    )
    if (violation !== undefined) return violation
  }
  return undefined
}

const of = (events: ReadonlyArray<Agui.AguiEvent>, lane: string | null): ReadonlyArray<unknown> =>
  events
    .filter((event) => saying.test(event.type) && laneOfEvent(event) === lane)
    .map((event) => ({ ...event, subagentRunId: lane }))
