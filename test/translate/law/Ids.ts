/**
 * Law 6: ids are stable and unique. Each is made of an id on the wire, no two blocks share one, and what came before in
 * the session changes none.
 */
import type { Agui } from "@agentwire/protocol"
import { shown } from "./Shown.ts"
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
  uuidOf,
  type Violation,
  withMessages
} from "./Translator.ts"

/** Law 6. */
export const stableIds: Law = (translator, session) => {
  const trace = translate(translator, session)
  return firstOf(
    () => unique(trace.events),
    () => fromTheWire(session, trace.events),
    () => independent(translator, session, trace)
  )
}

/** Messages have one name space; so have calls. */
const unique = (events: ReadonlyArray<Agui.AguiEvent>): Violation => {
  const taken = new Map<string, { readonly kind: string; readonly run: number }>()
  const abandoned = new Set<string>()
  let run = 0
  for (const event of events) {
    if (event.type === "RUN_STARTED") run++
    if (event.type === "TOOL_CALL_END" && event.metadata?.["abandoned"] === true) abandoned.add(event.toolCallId)
    const id = beginning(event)
    if (id === undefined) continue
    const before = taken.get(id)
    // A sub-agent that goes on in a later run goes on with its message there.
    const later =
      before !== undefined && before.run < run && "subagentRunId" in event && event.type !== "TOOL_CALL_RESULT"
    // A call of an answer that was cut has its id on the wire again, when it is the API's own tool (§5.12, §8).
    const resent = event.type === "TOOL_CALL_START" && abandoned.has(event.toolCallId)
    if (before !== undefined && !(before.kind === event.type && (later || resent)))
      return `${before.kind} and ${event.type} share the id ${id}`
    taken.set(id, { kind: event.type, run })
  }
  return undefined
}

const beginning = (event: Agui.AguiEvent): string | undefined => {
  switch (event.type) {
    case "TEXT_MESSAGE_START":
    case "REASONING_MESSAGE_START":
    case "TOOL_CALL_RESULT":
      return `message ${event.messageId}`
    case "TOOL_CALL_START":
      return `call ${event.toolCallId}`
    default:
      return undefined
  }
}

const fromTheWire = (session: Session, events: ReadonlyArray<Agui.AguiEvent>): Violation => {
  const wire = wireIds(session)
  for (const event of events) {
    const ids = [
      "messageId" in event ? event.messageId : undefined,
      "toolCallId" in event ? event.toolCallId : undefined,
      "parentMessageId" in event ? event.parentMessageId : undefined,
      "subagentRunId" in event ? event.subagentRunId : undefined
    ]
    const strange = ids.find(
      (id) => id !== undefined && !id.split(/[:#/]/).some((part) => wire.has(part)) && !wire.has(id)
    )
    if (strange !== undefined) return `${event.type} has the id ${strange}, which is on no line`
  }
  return undefined
}

const wireIds = (session: Session): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const [, { message }] of fresh(session))
    JSON.stringify(message, (key, value: unknown) => {
      if (typeof value === "string" && (key === "id" || key === "uuid" || key.endsWith("_id"))) found.add(value)
      return value
    })
  return found
}

/** After a turn that left nothing open, the rest of the session shows what it would show by itself. */
const independent = <S>(translator: Translator<S>, session: Session, { last, steps }: Trace): Violation => {
  const known = fresh(session)
  const ends = known.filter(([, { name }]) => name.startsWith("result/")).map(([index]) => index + 1)
  const started = known.find(
    ([, { message, name }]) =>
      laneOf(message) !== null || name === "system/task_started" || name === "control_request/can_use_tool"
  )?.[0]
  const cut = ends
    .filter((index) => index < (started ?? Number.POSITIVE_INFINITY) && index < session.messages.length)
    .at(-1)
  if (cut === undefined) return undefined
  const before = new Set(session.messages.slice(0, cut).map(uuidOf))
  const rest = session.messages.slice(cut)
  if (rest.some((message) => uuidOf(message) !== undefined && before.has(uuidOf(message)))) return undefined
  const alone = translate(translator, withMessages(session, rest)).events
  return difference("the rest by itself", names(alone), names([...steps.slice(cut).flat(), ...last]))
}

const names = (events: ReadonlyArray<Agui.AguiEvent>) => {
  const { calls, messages, results } = shown(events)
  return [[...messages.values()], [...calls.values()], results]
}
