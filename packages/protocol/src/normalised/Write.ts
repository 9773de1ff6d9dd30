/**
 * The model's events as normalised events: a cursor and an event give a cursor and what the reader is told.
 *
 * Nothing is told twice. A turn ends with one `done`, and nothing of the main conversation follows it until the next
 * turn begins: what happens between two turns is told then. Sub-agents that go on in the background are told as they go,
 * and each has a `done` of its own.
 */
import type { Event, EventOf, EventType, Lane, LaneOutcome, TurnOutcome } from "../model/Event.ts"
import type { Request } from "../model/Request.ts"
import { withEntry, withoutEntry } from "../model/Situation.ts"
import type { NormalisedCursor, OpenCall } from "./Cursor.ts"
import type { NormalisedEvent, NormalisedEventOf, NormalisedType } from "./Event.ts"
import { resultOf, startOf } from "./ToolEvents.ts"

/** An event, and when it happened, in milliseconds since 1970. */
export interface Timed<E extends Event = Event> {
  readonly at: number
  readonly event: E
}

/** A cursor, and what its reader is told. */
export type NormalisedWritten = readonly [NormalisedCursor, ReadonlyArray<NormalisedEvent>]

/** What every reader is told first: the session is there. */
export const greeting = ({ runtime, sessionId }: NormalisedCursor, at: number): NormalisedEvent => ({
  type: "session_ready",
  data: { session_id: sessionId, ...(runtime !== undefined && { runtime }) },
  ts: new Date(at).toISOString()
})

/** What the reader is told of an event. */
export const writeNormalised = (cursor: NormalisedCursor, { at, event }: Timed): NormalisedWritten => {
  const draft: Draft = { cursor, at, out: [] }
  ;(writers[event.type] as (draft: Draft, event: Event) => void)(draft, event)
  return [draft.cursor, draft.out]
}

/** A step that is being taken. */
interface Draft {
  cursor: NormalisedCursor
  readonly at: number
  readonly out: Array<NormalisedEvent>
}

const set = (draft: Draft, fields: Partial<NormalisedCursor>): void => {
  draft.cursor = { ...draft.cursor, ...fields }
}

/** Tells the reader something, or keeps it for the next turn. */
const tell = <T extends NormalisedType>(
  draft: Draft,
  lane: Lane,
  type: T,
  data: Omit<NormalisedEventOf<T>["data"], "subagent_id">
): void => {
  const event = {
    type,
    data: lane === null ? data : { ...data, subagent_id: lane },
    ts: new Date(draft.at).toISOString()
  } as unknown as NormalisedEvent
  if (lane !== null || draft.cursor.inTurn) draft.out.push(event)
  else set(draft, { held: [...draft.cursor.held, event] })
}

const tellStart = (draft: Draft, id: string, call: OpenCall): void => {
  if (call.told) return
  set(draft, { calls: withEntry(draft.cursor.calls, id, { ...call, told: true }) })
  tell(draft, call.lane, "tool_start", startOf(id, call))
}

/** What each event is to the reader; those that say `nothing` are not told. */
const writers: { readonly [T in EventType]: (draft: Draft, event: EventOf<T>) => void } = {
  turn_started: (draft) => {
    draft.out.push(...draft.cursor.held)
    set(draft, { inTurn: true, answer: undefined, held: [] })
    // So that an interface shows that something happens before the first word.
    tell(draft, null, "thinking", { text: "", done: false })
  },
  turn_ended: (draft, { outcome, usage }) => {
    if (!draft.cursor.inTurn) return
    const text = draft.cursor.answer?.text ?? ""
    if (outcome.type === "completed" && text !== "") tell(draft, null, "result", { text })
    tellEnd(draft, null, outcome, usage)
    set(draft, { inTurn: false, answer: undefined, ...onlyOf(draft.cursor, draft.cursor.lanes) })
  },
  item_started: (draft, event) => begun[event.item.kind](draft, event),
  item_grew: (draft, { delta, id, lane }) => {
    const { answer, answered, calls, thoughts } = draft.cursor
    const call = calls.get(id)
    if (call !== undefined) {
      if (!call.told) set(draft, { calls: withEntry(calls, id, { ...call, arguments: call.arguments + delta }) })
    } else if (thoughts.has(id)) {
      if (delta !== "") tell(draft, lane, "thinking", { text: delta, message_id: id })
    } else if (delta !== "" && !answered.has(id)) {
      if (lane === null)
        set(draft, { answer: answer?.id === id ? { id, text: answer.text + delta } : { id, text: delta } })
      tell(draft, lane, "delta", { text: delta, message_id: id })
    }
  },
  item_ended: (draft, { abandoned, id, lane }) => {
    const { calls, thoughts } = draft.cursor
    const call = calls.get(id)
    if (call !== undefined && abandoned !== true) tellStart(draft, id, call)
    // The seal on a thought may come in an end of its own.
    if (!thoughts.has(id) || abandoned === true) return
    set(draft, { thoughts: withoutEntry(thoughts, id) })
    tell(draft, lane, "thinking", { text: "", done: true, message_id: id })
  },
  call_answered: (draft, event) => {
    if (draft.cursor.answered.has(event.id)) return
    const call = draft.cursor.calls.get(event.id)
    if (call !== undefined) tellStart(draft, event.id, call)
    const { answered, calls } = draft.cursor
    set(draft, { answered: withEntry(answered, event.id, event.lane), calls: withoutEntry(calls, event.id) })
    tell(draft, event.lane, "tool_result", resultOf(event, call))
  },
  request_opened: (draft, { lane, request }) => {
    set(draft, { requests: withEntry(draft.cursor.requests, request.id, { lane, request }) })
    // The application's own tools are no questions: their calls are told.
    if (request.kind === "page_tool") return
    const call = request.kind === "form" ? undefined : request.call
    const known = call === undefined ? undefined : draft.cursor.calls.get(call)
    if (call !== undefined && known !== undefined) tellStart(draft, call, known)
    tell(draft, lane, "permission_request", {
      request_id: request.id,
      kind: request.kind,
      tool_name: subjectOf(request),
      tool_input: request.kind === "form" ? formOf(request) : request.input,
      ...(call !== undefined && { tool_use_id: call }),
      message: request.message
    })
  },
  request_closed: (draft, event) => close(draft, event),
  lane_opened: (draft, { lane }) => set(draft, { lanes: new Set([...draft.cursor.lanes, lane]) }),
  lane_closed: (draft, { lane, outcome }) => {
    const { cursor } = draft
    if (!cursor.lanes.has(lane)) return
    const lanes = new Set([...cursor.lanes].filter((each) => each !== lane))
    // What it has asked need not be answered any more.
    for (const [id, open] of cursor.requests) if (open.lane === lane) close(draft, { lane, id, by: "ended" })
    tellEnd(draft, lane, outcome)
    set(draft, { lanes, ...withoutLane(cursor, lane) })
  },
  session_changed: (draft, { info: { cwd, model, sessionId } }) => {
    const { provider, runtime, sessionId: session } = draft.cursor
    if (sessionId === provider) return
    set(draft, { provider: sessionId })
    tell(draft, null, "session_ready", {
      session_id: session,
      ...(runtime !== undefined && { runtime }),
      provider_session_id: sessionId,
      ...(provider !== undefined && { resumed: true }),
      model,
      cwd
    })
  },
  branched: (draft, { after, branch }) => {
    set(draft, { calls: new Map(), answered: new Map(), thoughts: new Map(), lanes: new Set() })
    tell(draft, null, "branched", { branch, after })
  },
  reply_started: () => undefined,
  reply_ended: () => undefined,
  spent: () => undefined,
  item_changed: () => undefined,
  anchored: () => undefined,
  state_changed: () => undefined,
  context_reset: () => undefined,
  noticed: () => undefined,
  unknown: () => undefined
}

/** A question is closed. */
const close = (draft: Draft, { by, id, lane, verdict }: Omit<EventOf<"request_closed">, "type">): void => {
  const { calls, requests } = draft.cursor
  const request = requests.get(id)?.request
  if (request === undefined) return
  set(draft, { requests: withoutEntry(requests, id) })
  if (request.kind === "page_tool") return
  const allowed = by === "answered" && (verdict === "allow" || verdict === "accept")
  const call = request.kind === "form" ? undefined : calls.get(request.call)
  if (request.kind !== "form" && call !== undefined && !allowed)
    set(draft, { calls: withEntry(calls, request.call, { ...call, denied: true }) })
  tell(draft, lane, "permission_resolved", { request_id: id, tool_name: subjectOf(request), allowed, by })
}

type Started = EventOf<"item_started">

const begun: { readonly [K in Started["item"]["kind"]]: (draft: Draft, event: Started) => void } = {
  // Whatever grows and is neither a thought nor a call is a text.
  text: () => undefined,
  thought: (draft, { id, lane }) => {
    if (draft.cursor.thoughts.has(id)) return
    set(draft, { thoughts: withEntry(draft.cursor.thoughts, id, lane) })
    tell(draft, lane, "thinking", { text: "", done: false, message_id: id })
  },
  call: (draft, { id, item, lane }) => {
    const { answered, calls } = draft.cursor
    if (item.kind !== "call" || calls.has(id) || answered.has(id)) return
    const call = { lane, tool: item.tool, action: item.action, arguments: "", told: false, denied: false }
    set(draft, { calls: withEntry(calls, id, call) })
  },
  // The reader knows what it has said, and tasks are told by the calls that began them.
  prompt: () => undefined,
  task: () => undefined
}

const tellEnd = (
  draft: Draft,
  lane: Lane,
  outcome: TurnOutcome | LaneOutcome,
  usage?: EventOf<"turn_ended">["usage"]
): void => {
  if (outcome.type === "failed" || outcome.type === "limited")
    tell(draft, lane, "error", { message: outcome.message, code: outcome.code })
  tell(draft, lane, "done", {
    outcome: outcome.type,
    ...(outcome.type === "cancelled" && { stopped: true }),
    ...(usage !== undefined && { usage })
  })
}

/** What of a cursor belongs to some sub-agents, and not to the main conversation. */
const onlyOf = ({ answered, calls, thoughts }: NormalisedCursor, lanes: ReadonlySet<string>) => {
  const stays = (lane: Lane): boolean => lane !== null && lanes.has(lane)
  return {
    calls: new Map([...calls].filter(([, { lane }]) => stays(lane))),
    answered: new Map([...answered].filter(([, lane]) => stays(lane))),
    thoughts: new Map([...thoughts].filter(([, lane]) => stays(lane)))
  }
}

const withoutLane = ({ answered, calls, thoughts }: NormalisedCursor, gone: string) => ({
  calls: new Map([...calls].filter(([, { lane }]) => lane !== gone)),
  answered: new Map([...answered].filter(([, lane]) => lane !== gone)),
  thoughts: new Map([...thoughts].filter(([, lane]) => lane !== gone))
})

/** Who asks: the tool, or the server of a form. */
const subjectOf = (request: Request): string => (request.kind === "form" ? request.server : request.tool)

const formOf = ({ schema, url }: Extract<Request, { readonly kind: "form" }>): Readonly<Record<string, unknown>> => ({
  ...(schema !== undefined && { schema }),
  ...(url !== undefined && { url })
})
