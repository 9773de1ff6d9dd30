/**
 * The model's events as Codex's app-server says them: a cursor and an event give a cursor and what the client is told.
 *
 * Every item that begins is completed, once, before the end of its turn. Nothing of the main conversation follows the end
 * of a turn until the next one begins: what happens between two turns is told then. Sub-agents have threads and turns of
 * their own, and may go on after it.
 */
import { type Event, type EventOf, type EventType, incomplete, type Lane, type LaneOutcome } from "../model/Event.ts"
import { withEntry, withoutEntry } from "../model/Situation.ts"
import { fieldsIn, textIn } from "../wire/Fields.ts"
import { closeLane, openLane, tellLane } from "./Agent.ts"
import { askOf } from "./Ask.ts"
import { answerCall, callOutput, closeCalls, growCall, noteInput, startCall, tellCall } from "./Call.ts"
import type { AppServerCursor } from "./Cursor.ts"
import { type Draft, passItem, placeOf, set, setPlace, tell } from "./Draft.ts"
import { stableUuid } from "./Ids.ts"
import type { AppServerOut, Timed } from "./Message.ts"
import { isReviewId, reviewOf } from "./Review.ts"
import { closeSpeeches, endSpeech, growSpeech, startSpeech } from "./Speech.ts"
import { statusChanged } from "./Status.ts"
import { tellSteps } from "./Steps.ts"
import { endTurn, startTurn } from "./Turn.ts"
import { spend } from "./Usage.ts"
import { userInputOf, wordsOf } from "./UserInput.ts"

/** A cursor, and what its client is told. */
export type AppServerWritten = readonly [AppServerCursor, ReadonlyArray<AppServerOut>]

/** What the client is told of an event. */
export const writeAppServer = (cursor: AppServerCursor, timed: Timed): AppServerWritten => {
  const draft: Draft = { cursor, at: timed.at, out: [] }
  if (isHeld(cursor, timed.event)) set(draft, { held: [...cursor.held, timed] })
  else write(draft, timed.event)
  return [draft.cursor, draft.out]
}

/**
 * The questions that are open, for a client that joins and may answer them: those that it did not see opened. The calls
 * that they are about are told first.
 */
export const openQuestions = (cursor: AppServerCursor, at: number): AppServerWritten => {
  const draft: Draft = { cursor, at, out: [] }
  for (const { lane, request } of cursor.requests.values()) {
    if (request.kind !== "form") noteInput(draft, request)
    draft.out.push(askOf(draft.cursor, lane, request, at))
  }
  return [draft.cursor, draft.out]
}

const write = (draft: Draft, event: Event): void => {
  const lane = speakerOf(event)
  if (lane !== null) tellLane(draft, lane)
  ;(writers[event.type] as (draft: Draft, event: Event) => void)(draft, event)
}

/** Whose words an event is, or whose end: the client must know of a sub-agent by then. */
const speakerOf = (event: Event): Lane => {
  switch (event.type) {
    case "item_started":
    case "request_opened":
    case "lane_closed":
      return event.lane
    case "lane_opened":
      return event.parent
    default:
      return null
  }
}

/** Whether an event waits for the next turn: the main conversation says something while there is none. */
const isHeld = ({ held, turn }: AppServerCursor, event: Event): boolean => {
  if (turn !== undefined) return false
  switch (event.type) {
    case "context_reset":
      return true
    case "item_started":
      return event.lane === null && event.item.kind !== "task"
    case "noticed":
      // Codex says so before it says that the turn has begun (docs/wire/codex.md §3.40).
      return event.lane === null && event.name === "review_entered"
    case "item_grew":
    case "item_ended":
    case "call_answered":
      return event.lane === null && held.some(({ event: each }) => each.type === "item_started" && each.id === event.id)
    default:
      return false
  }
}

type Started = EventOf<"item_started">

const begun: { readonly [K in Started["item"]["kind"]]: (draft: Draft, event: Started) => void } = {
  text: (draft, event) => startSpeech(draft, event, "text"),
  thought: (draft, event) => startSpeech(draft, event, "thought"),
  call: (draft, event) => {
    if (event.item.kind === "call") startCall(draft, event, event.item)
  },
  prompt: (draft, { id, item, lane }) => {
    const place = placeOf(draft.cursor, lane)
    if (item.kind !== "prompt" || place === undefined) return
    if (lane === null && isReviewId(id)) {
      const review = reviewOf(wordsOf(item.content))
      passItem(draft, lane, place, { type: "enteredReviewMode", id: `${id}:entered`, review })
      setPlace(draft, lane, { review: id })
    }
    passItem(draft, lane, place, { type: "userMessage", id, clientId: id, content: userInputOf(item.content) })
  },
  task: (draft, { id, item, lane }) => {
    if (item.kind === "task" && item.content["type"] === "plan") tellPlan(draft, id, lane, item.content)
  }
}

/** The plan of a turn, which is a task of the model. Other tasks are told by the calls that began them. */
const tellPlan = (draft: Draft, id: string, lane: Lane, content: Readonly<Record<string, unknown>>): void => {
  const place = placeOf(draft.cursor, lane)
  if (place === undefined) return
  set(draft, { plans: withEntry(draft.cursor.plans, id, content) })
  tellSteps(draft, place, { explanation: content["explanation"], steps: content["steps"] })
}

/** What each event is to the client; those that say `nothing` are not told. */
const writers: { readonly [T in EventType]: (draft: Draft, event: EventOf<T>) => void } = {
  turn_started: (draft) => {
    const { held } = draft.cursor
    set(draft, { held: [] })
    startTurn(draft)
    for (const { event } of held) write(draft, event)
  },
  turn_ended: endTurn,
  spent: (draft, { usage }) => spend(draft, usage),
  item_started: (draft, event) => begun[event.item.kind](draft, event),
  item_grew: (draft, { delta, id }) => {
    const { calls, speeches } = draft.cursor
    const [call, speech] = [calls.get(id), speeches.get(id)]
    if (call !== undefined) growCall(draft, id, call, delta)
    else if (speech !== undefined) growSpeech(draft, id, speech, delta)
  },
  item_changed: (draft, { content, id, lane }) => {
    const known = draft.cursor.plans.get(id)
    if (known !== undefined) tellPlan(draft, id, lane, { ...known, ...content })
  },
  item_ended: (draft, { abandoned, id }) => {
    const { calls, speeches } = draft.cursor
    const speech = speeches.get(id)
    if (speech !== undefined) endSpeech(draft, id, speech, abandoned === true)
    // The arguments of one that was cut off are not whole.
    else if (calls.has(id) && abandoned !== true) tellCall(draft, id)
  },
  call_answered: answerCall,
  request_opened: (draft, { lane, request }) => {
    set(draft, { requests: withEntry(draft.cursor.requests, request.id, { lane, request }) })
    if (request.kind !== "form") noteInput(draft, request)
    if (request.kind !== "page_tool") statusChanged(draft, lane)
    draft.out.push(askOf(draft.cursor, lane, request, draft.at))
  },
  request_closed: (draft, event) => closeRequest(draft, event),
  lane_opened: openLane,
  lane_closed: (draft, { lane, outcome }) => endLane(draft, lane, outcome),
  context_reset: (draft, { how }) => {
    const { resets, threadId, turn } = draft.cursor
    set(draft, { resets: resets + 1 })
    if (turn === undefined) return
    if (how === "compacted")
      passItem(draft, null, turn, {
        type: "contextCompaction",
        id: stableUuid(threadId, "compaction", String(resets + 1))
      })
    else tell(draft, "warning", { threadId, message: resetWords[how] })
  },
  noticed: (draft, { name, value }) => {
    const fields = fieldsIn(value)
    if (Object.hasOwn(notices, name)) notices[name]?.(draft, fields)
  },
  branched: (draft) => {
    for (const lane of [...draft.cursor.lanes.keys()].reverse()) endLane(draft, lane, incomplete)
    endTurn(draft, { type: "turn_ended", outcome: { type: "cancelled" } })
    set(draft, { held: [], resets: draft.cursor.resets + 1 })
    tell(draft, "thread/reverted", { threadId: draft.cursor.threadId })
  },
  reply_started: () => undefined,
  reply_ended: () => undefined,
  anchored: () => undefined,
  session_changed: () => undefined,
  state_changed: () => undefined,
  unknown: () => undefined
}

/** A sub-agent has ended: what it has open is closed, and its turn is over. */
const endLane = (draft: Draft, lane: string, outcome: LaneOutcome): void => {
  closeSpeeches(draft, (each) => each === lane)
  closeCalls(draft, (each) => each === lane)
  const open = draft.cursor.lanes.get(lane)
  if (open !== undefined) closeLane(draft, lane, open, outcome)
}

const resetWords = {
  cleared: "The agent has forgotten what was said before.",
  lost: "The agent has not kept what was said before."
} as const

const closeRequest = (draft: Draft, { by, id, verdict }: EventOf<"request_closed">): void => {
  const { calls, requests } = draft.cursor
  const open = requests.get(id)
  if (open === undefined) return
  const { lane, request } = open
  set(draft, { requests: withoutEntry(requests, id) })
  draft.out.push({
    _tag: "Resolved",
    request: id,
    threadId: placeOf(draft.cursor, lane)?.thread ?? draft.cursor.threadId
  })
  if (request.kind !== "page_tool") statusChanged(draft, lane)
  const call = request.kind === "form" ? undefined : calls.get(request.call)
  if (request.kind === "form" || call === undefined || !isRefused(by, verdict)) return
  set(draft, { calls: withEntry(calls, request.call, { ...call, denied: true }) })
}

const refusals: ReadonlySet<string | undefined> = new Set(["deny", "dismissed", "declined"])

/** Whether a call may not be made, because somebody said so or nobody answered in time. */
const isRefused = (by: EventOf<"request_closed">["by"], verdict: string | undefined): boolean =>
  by === "expired" || by === "abandoned" || (by === "answered" && refusals.has(verdict))

/** Notices that Codex's clients know. Others have no place in the protocol. */
const notices: Readonly<Record<string, (draft: Draft, value: Readonly<Record<string, unknown>>) => void>> = {
  command_output: (draft, { delta, toolCallId }) => callOutput(draft, textIn(toolCallId) ?? "", textIn(delta) ?? ""),
  title_changed: (draft, { threadName }) =>
    tell(draft, "thread/name/updated", { threadId: draft.cursor.threadId, threadName: textIn(threadName) ?? null }),
  // Codex's own review: these are its items.
  review_entered: (draft, value) => passReview(draft, "enteredReviewMode", value),
  review_exited: (draft, value) => passReview(draft, "exitedReviewMode", value),
  // Codex's own; one after which it does not try again is told by the end of the turn.
  error: (draft, { error, willRetry }) => {
    if (willRetry === true) tellRetry(draft, textIn(fieldsIn(error)["message"]) ?? "The model did not answer.")
  },
  // Claude Code's.
  api_retry: (draft, { attempt, error, max_retries }) =>
    tellRetry(
      draft,
      `Reconnecting... ${Number(attempt) || 1}/${Number(max_retries) || 1} (${textIn(error) ?? "error"})`
    )
}

const passReview = (
  draft: Draft,
  type: "enteredReviewMode" | "exitedReviewMode",
  { id, review }: Readonly<Record<string, unknown>>
): void => {
  const { turn } = draft.cursor
  if (turn !== undefined) passItem(draft, null, turn, { type, id: textIn(id) ?? type, review: textIn(review) ?? "" })
}

const tellRetry = (draft: Draft, message: string): void => {
  const { threadId, turn } = draft.cursor
  if (turn !== undefined)
    tell(draft, "error", {
      error: { message, codexErrorInfo: "other", additionalDetails: null },
      willRetry: true,
      threadId,
      turnId: turn.turn
    })
}
