/**
 * The writer: events of the model in, events of AG-UI out, as a pure function of what a client has had.
 *
 * `initialWriter` makes a cursor, `write` takes it through one event. A turn is a run; where a run has to end so that
 * somebody outside can act, it ends at the next quiet point, and `beginRun` opens the next. Sub-agents that go on after
 * their turn have a run of their own until the last of them is done. What arrives when no run is open and does not open
 * one waits for the next one.
 */
import type { Event, EventOf } from "../../model/Event.ts"
import type { Request } from "../../model/Request.ts"
import { applyToSituation, type TurnFailure } from "../../model/Situation.ts"
import { inDialect } from "../Downgrade.ts"
import type { AguiEvent } from "../Event.ts"
import { changeTask, showTask } from "./Activity.ts"
import { customNames } from "./CustomNames.ts"
import { answerCall, endItem, growItem, growthEvent, isGrowing, startItem } from "./Item.ts"
import { writePrompt } from "./Prompt.ts"
import {
  endRunBetweenTurns,
  endRunOfTurn,
  pauseRun,
  type RunEnding,
  type RunRequest,
  startRun,
  successEnding
} from "./Run.ts"
import { markEvents, sessionEvent } from "./SharedState.ts"
import { enterLane, leaveLane, writeCustom } from "./Subagent.ts"
import { closeRequest, endAtQuietPoint, openRequest, type Suspension, stillAwaited, withAwaited } from "./Suspension.ts"
import { isHiddenLane, type Out, type Writer } from "./Writer.ts"

/** A writer, and the events that led to it. */
export type Written = readonly [writer: Writer, events: ReadonlyArray<AguiEvent>]

const none: ReadonlyArray<AguiEvent> = []

/** Takes a client through one event. */
export const write = (writer: Writer, event: Event): Written => {
  // Where an agent can go back to is no client's business.
  if (event.type === "anchored") return [writer, none]
  // Nearly all events are pieces of an item that is open, and change nothing else.
  const shown = event.type === "item_grew" && writer.waiting.size === 0 ? writer.items.get(event.id) : undefined
  if (shown !== undefined && event.type === "item_grew")
    return written(writer, [growthEvent(shown, event.id, event.delta)])
  const out: Out = []
  return written(arrive(writer, event, out), out)
}

/**
 * Opens a run somebody asked for, and delivers what has waited. A run that is open ends first: whatever it was in
 * the middle of continues in the new one.
 */
export const beginRun = (writer: Writer, request: RunRequest): Written => {
  const out: Out = []
  const idle = writer.run === undefined ? writer : pauseRun(writer, successEnding, out)
  return written(endAtQuietPoint(openRun(idle, request, out), out), out)
}

/**
 * Lets a suspended turn continue without anybody having asked for a run: what it waited for came from elsewhere, or will
 * not come any more. What was held is delivered in a run of the agent's own.
 */
export const releaseRun = (writer: Writer): Written => {
  const out: Out = []
  const isWaiting = writer.suspendedFor !== undefined
  return written(isWaiting ? endAtQuietPoint(openRun(writer, undefined, out), out) : writer, out)
}

/** Ends the run at the next quiet point, which may be now; where no run is open, the next one. */
export const suspendRun = (writer: Writer, suspension: Suspension): Written => {
  const out: Out = []
  return written(endAtQuietPoint(withAwaited(writer, suspension), out), out)
}

/**
 * Ends a run that was asked for and has nothing to wait for: no turn is in progress. Where the newest turn has failed it
 * ends as that did: whoever asks may have asked for that turn, and never heard of its end. `missed`: how an earlier turn
 * has failed whose end it never heard.
 */
export const endIdleRun = (writer: Writer, missed?: TurnFailure): Written => {
  const out: Out = []
  const { failure = missed, turn } = writer.situation
  const ending: RunEnding = failure === undefined ? successEnding : { type: "error", ...failure }
  return written(turn === undefined ? pauseRun(writer, ending, out) : writer, out)
}

/** Ends the open run whatever is open, and waits for nothing any more. */
export const closeRun = (writer: Writer, ending: RunEnding): Written => {
  const out: Out = []
  const closed = pauseRun(writer, ending, out)
  return written({ ...closed, waiting: new Map(), suspendedFor: undefined }, out)
}

/** Whether a run is open. */
export const isRunOpen = (writer: Writer): boolean => writer.run !== undefined

/** The id of the open run. */
export const openRunId = (writer: Writer): string | undefined => writer.run?.id

/** Whether the run ended in the middle of the turn, so that somebody outside can act. */
export const isSuspended = (writer: Writer): boolean => writer.suspendedFor !== undefined

const written = (writer: Writer, out: ReadonlyArray<AguiEvent>): Written => {
  const { dialect } = writer.settings
  return [writer, dialect === "1.0" ? out : out.map((event) => inDialect(event, dialect))]
}

const arrive = (writer: Writer, event: Event, out: Out): Writer => {
  if (writer.run !== undefined) {
    const delivered = deliver(writer, event, out)
    if (leading.has(event.type)) return delivered
    const paused = endAtQuietPoint(delivered, out)
    return event.type === "lane_closed" ? endRunBetweenTurns(paused, out) : paused
  }
  if (isHidden(writer, event)) return applied(writer, event)
  const free = released(writer, event)
  if (free.suspendedFor !== undefined || !opensRun(event)) return hold(free, event, out)
  // Held events come first, and may have ended the run again.
  return arrive(openRun(free, undefined, out, event.type === "turn_started" ? event : undefined), event, out)
}

/** Events that others follow at once: no place to end a run. */
const leading = new Set<Event["type"]>(["turn_started", "lane_opened", "item_started", "item_grew", "spent"])

/**
 * Whether a client is not told of an event: it is of a hidden sub-agent, whose questions are shown all the same, of a
 * hidden question, or about the state that clients themselves bring.
 */
const isHidden = (writer: Writer, event: Event): boolean => {
  switch (event.type) {
    case "request_opened":
      return isHiddenRequest(writer, event.request)
    case "request_closed":
      return isHiddenRequest(writer, writer.situation.requests.get(event.id)?.request)
    // Only those who join are given it: SharedState.ts.
    case "state_changed":
      return true
    default:
      return "lane" in event && isHiddenLane(writer, event.lane)
  }
}

const isHiddenRequest = ({ settings }: Writer, request: Request | undefined): boolean =>
  settings.approvals === "hide" && request?.kind !== "page_tool"

/** Whether an event begins a run when there is none. */
const opensRun = (event: Event): boolean => {
  switch (event.type) {
    case "turn_started":
    case "turn_ended":
    case "reply_started":
    case "item_grew":
    case "call_answered":
      return true
    case "item_started":
      return event.item.kind !== "task"
    case "item_ended":
      return event.signature !== undefined || event.abandoned === true
    case "request_opened":
      return event.request.kind !== "form"
    case "noticed":
      return event.lane !== null
    default:
      return false
  }
}

/** A suspended turn continues when all that it waited for is closed, and is over when it ends. */
const released = (writer: Writer, event: Event): Writer => {
  const { situation, suspendedFor } = writer
  if (suspendedFor === undefined) return writer
  if (event.type === "turn_ended") return { ...writer, suspendedFor: undefined }
  if (event.type !== "request_closed") return writer
  const request = situation.requests.get(event.id)?.request
  const call = request?.kind === "page_tool" ? request.call : undefined
  const left = new Set([...suspendedFor].filter((id) => id !== event.id && id !== call))
  return { ...writer, suspendedFor: left.size === 0 ? undefined : left }
}

/** Keeps an event for the next run. When too many wait, that run begins now: nothing is dropped. */
const hold = (writer: Writer, event: Event, out: Out): Writer => {
  if (event.type === "unknown" && writer.settings.unknown === "drop") return writer
  const held = { ...writer, held: [...writer.held, event] }
  if (held.held.length <= writer.settings.maxHeld) return held
  const opened = openRun(held, undefined, out)
  return opened.run !== undefined && opened.situation.turn === undefined ? pauseRun(opened, successEnding, out) : opened
}

/** Opens a run and delivers what has waited for it. A request that is closed by now is not asked any more. */
const openRun = (
  writer: Writer,
  request: RunRequest | undefined,
  out: Out,
  started?: EventOf<"turn_started">
): Writer => {
  const { held } = writer
  const closed = new Set(held.flatMap((event) => (event.type === "request_closed" ? [event.id] : [])))
  return held.reduce(
    (next, event) =>
      next.run !== undefined && event.type === "request_opened" && closed.has(event.request.id) && !isTold(next, event)
        ? applied(next, event)
        : arrive(next, event, out),
    startRun({ ...writer, held: [] }, request, out, started)
  )
}

const isTold = ({ settings }: Writer, { request }: Extract<Event, { readonly type: "request_opened" }>): boolean =>
  settings.approvals === "event" && request.kind !== "page_tool"

const applied = (writer: Writer, event: Event): Writer => {
  const situation = applyToSituation(writer.situation, event)
  return situation === writer.situation ? writer : { ...writer, situation }
}

/** Writes an event into the open run. */
const deliver = (writer: Writer, event: Event, out: Out): Writer => {
  if (isHidden(writer, event)) return applied(writer, event)
  // The lane has to be known before it is entered.
  if (event.type === "lane_opened") return enterLane(applied(writer, event), event.lane, out)
  const next = applied(writeEvent(writer, event, out), event)
  if (isAnswer(event)) return markTurn(next, out)
  return event.type === "turn_ended" ? stillAwaited(next) : next
}

/** Whether the agent begins to say or to do something. */
const isAnswer = (event: Event): boolean =>
  event.type === "item_started" && event.lane === null && (event.item.kind === "text" || event.item.kind === "call")

/** Tells the client that it has had some of the answer, once in a turn. */
const markTurn = (writer: Writer, out: Out): Writer => {
  const { turns } = writer.situation
  if (writer.markedTurn === turns) return writer
  out.push(...markEvents(writer))
  return { ...writer, markedTurn: turns }
}

const writeEvent = (writer: Writer, event: Exclude<Event, { readonly type: "lane_opened" }>, out: Out): Writer => {
  switch (event.type) {
    case "item_grew":
      return growItem(writer, event, out)
    case "item_started":
      if (isGrowing(event.item)) return startItem(writer, event.lane, event.id, event.item, out)
      return event.item.kind === "task"
        ? showTask(writer, event.id, event.item.content, out)
        : writePrompt(writer, event.id, event.item.content, out)
    case "item_changed":
      return changeTask(writer, event.id, event.content, out)
    case "item_ended":
      return endItem(writer, event, out)
    case "call_answered":
      return answerCall(writer, event, out)
    case "reply_started":
      return enterLane(writer, event.lane, out)
    case "request_opened":
      return openRequest(writer, event, out)
    case "request_closed":
      return closeRequest(writer, event, out)
    case "lane_closed":
      return leaveLane(writer, event.lane, event.outcome, out)
    case "session_changed":
      out.push(sessionEvent(writer, event.info))
      return writer
    case "branched":
      // Which messages are left, only a snapshot can say: it is for whoever has the transcript.
      return writeCustom(writer, null, customNames.branched, { branch: event.branch, after: event.after }, out)
    case "noticed":
      return writeCustom(writer, event.lane, event.name, event.value, out)
    case "unknown":
      if (writer.settings.unknown === "raw") out.push({ type: "RAW", event: event.raw, source: event.source })
      return writer
    case "turn_ended":
      return endRunOfTurn(writer, event, out)
    default:
      return writer
  }
}
