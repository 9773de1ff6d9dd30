/**
 * The fold: messages of `codex app-server` in, events of the model out, as a pure function.
 *
 * One fold is for one thread and the threads of its sub-agents; what the server says of other threads gives nothing.
 * `initialFold` makes a state, `foldMessage` takes it through one line of either side, `endFold` closes what is open when
 * no more lines come.
 */
import type { Said } from "../../model/Command.ts"
import type { Event } from "../../model/Event.ts"
import { type FinishReason, isOrderly, outcomeWithout } from "../../model/FinishReason.ts"
import { withEntry, withoutEntry } from "../../model/Situation.ts"
import { fieldsIn, textIn } from "../../wire/Fields.ts"
import type { Known } from "../Codec.ts"
import { isQuestion } from "../command/WireQuestion.ts"
import type { Heard } from "../Dialogue.ts"
import { endTasks } from "./Background.ts"
import { callOutput } from "./Call.ts"
import { closeRequests } from "./Closing.ts"
import { errorOf } from "./Ending.ts"
import { itemCompleted, itemStarted, rawThoughtId } from "./Item.ts"
import { mappingOf } from "./Notice.ts"
import { planUpdated } from "./Plan.ts"
import { questionAsked, requestAnswered, requestResolved } from "./Request.ts"
import { noteServer, noteSession } from "./SessionInfo.ts"
import { abandonSpeeches, breakSection, speak } from "./Speech.ts"
import { type FoldState, laneOf, type Out } from "./State.ts"
import { adoptUnnamed, closeLanes, openLane } from "./Subagent.ts"
import { endTurn, isOver, laneCompleted, noteSpending, openTurn, turnCompleted } from "./Turn.ts"
import { passOn } from "./Unknown.ts"

/** A state, and the events that led to it. */
export type Folded = readonly [state: FoldState, events: ReadonlyArray<Event>]

/** Takes the fold through one line of either side. */
export const foldMessage = (state: FoldState, heard: Heard): Folded => {
  const out: Out = []
  const { decoded } = heard
  if (heard.from === "client") return [client(state, heard, out), out]
  if (decoded._tag !== "Known") {
    passOn(decoded, out)
    return [state, out]
  }
  if (decoded.name === "response" || decoded.name === "response/error") return [answered(state, heard, out), out]
  const params = fieldsIn(fieldsIn(decoded.message)["params"])
  const thread =
    textIn(params["threadId"]) ?? textIn(params["conversationId"]) ?? textIn(fieldsIn(params["thread"])["id"])
  if (thread === undefined) return [tell(state, state.thread ?? "", decoded, params, out), out]
  const known = introduced(state, thread, decoded, params)
  if (known.thread !== thread && !known.subagents.has(thread)) return [known, out]
  return [tell(known, thread, decoded, params, out), out]
}

/**
 * A prompt was sent: a turn begins, unless one is in progress. `id` is the `clientUserMessageId` it was sent with: the
 * server repeats the prompt under that.
 */
export const foldPrompt = (state: FoldState, said: ReadonlyArray<Said>, id?: string): Folded => {
  const out: Out = []
  const opened = openTurn({ ...state, prompts: [...state.prompts, id].slice(-maxPrompts) }, out)
  for (const { content, id: name } of said)
    out.push({ type: "item_started", lane: null, id: name, item: { kind: "prompt", content } })
  return [opened, out]
}

/**
 * Words are sent into the turn in progress. They are said once the server repeats them, under the `clientUserMessageId` they
 * were sent with: then the model is told.
 */
export const foldSteer = (state: FoldState, said: ReadonlyArray<Said>, id: string): FoldState => ({
  ...state,
  steers: withEntry(state.steers, id, said)
})

/** Words that were sent into a turn have not been heard and never will be. */
export const foldUnheard = (state: FoldState, id: string): FoldState => ({
  ...state,
  steers: withoutEntry(state.steers, id)
})

/** How many prompts that the server has not repeated are remembered. */
const maxPrompts = 100

/**
 * No more lines come, or nobody waits for the agent: closes all that is open. A turn without an end has failed, or was
 * cancelled. Another process may continue the thread.
 */
export const endFold = (state: FoldState, reason: FinishReason): Folded => {
  const out: Out = []
  const wasOpen = state.turn !== undefined
  const outcome = !wasOpen && isOrderly(reason) ? ({ type: "completed" } as const) : outcomeWithout(reason)
  const idle = closeLanes(endTasks(state, out), () => true, out)
  // The end of the turn tells commands that run from those that wait for leave, by what is asked about them.
  const ended = closeRequests(endTasks(endTurn(idle, outcome, out), out), () => true, "ended", out)
  return [
    { ...ended, prompts: [], steers: new Map(), asked: false, session: undefined },
    wasOpen ? out : out.flatMap(withoutWords)
  ]
}

/** Between turns nothing more is said, so that the end of the agent begins nothing. */
const withoutWords = (event: Event): ReadonlyArray<Event> => {
  if (event.type === "item_started" || event.type === "item_grew") return []
  return event.type === "item_ended" ? [{ type: event.type, lane: event.lane, id: event.id }] : [event]
}

/** What a client says: only that it wants a turn, and its answers. */
const client = (state: FoldState, { decoded }: Heard, out: Out): FoldState => {
  if (decoded._tag !== "Known") return state
  if (decoded.name === "response") {
    const { id, result } = decoded.message
    return requestAnswered(state, id, { content: JSON.stringify(result ?? null), failed: false }, out)
  }
  if (decoded.name === "response/error") {
    const { error, id } = decoded.message
    return requestAnswered(state, id, { content: textIn(fieldsIn(error)["message"]) ?? "", failed: true }, out)
  }
  if (
    decoded.name !== "turn/start" ||
    (state.thread ?? decoded.message.params.threadId) !== decoded.message.params.threadId
  )
    return state
  return state.turn === undefined ? { ...state, asked: true } : state
}

/** What the server answers: what a thread is, and that there will be no turn. */
const answered = (state: FoldState, { answers, decoded, result }: Heard, out: Out): FoldState => {
  if (decoded._tag !== "Known") return state
  if (decoded.name === "response/error") {
    if (answers !== "turn/start" || state.turn === undefined || state.turn.ids.length > 0) return state
    const message = textIn(fieldsIn(decoded.message.error)["message"]) ?? "Codex refused the prompt."
    return endTurn({ ...state, prompts: [] }, { type: "failed", code: "prompt_refused", message }, out)
  }
  if (result?._tag !== "Known") return state
  switch (answers) {
    case "thread/start":
    case "thread/resume":
    case "thread/fork": {
      const facts = fieldsIn(result.value)
      const thread = fieldsIn(facts["thread"])
      const id = textIn(thread["id"])
      if (id === undefined || (state.thread !== undefined && state.thread !== id)) return state
      return noteSession({ ...state, thread: id }, { ...thread, ...facts, id }, out)
    }
    default:
      return state
  }
}

/** Makes out whose thread it is: the first is ours, and one that works for a turn of ours is a sub-agent's. */
const introduced = (state: FoldState, thread: string, known: Known, params: Fields): FoldState => {
  if (state.thread === undefined) return { ...state, thread }
  if (thread === state.thread || state.subagents.has(thread)) return state
  const root = textIn(fieldsIn(params["turn"])["rootTurnId"])
  const isOurs =
    known.name === "turn/started" &&
    root !== undefined &&
    (state.turn?.ids.includes(root) === true || isOver(state, root))
  return isOurs ? adoptUnnamed(state, thread) : state
}

type Fields = Readonly<Record<string, unknown>>

/** Messages that say that the agent works: outside of a turn they begin one. */
const working = /^item\/(?!autoApprovalReview)|^turn\/plan|^mcpServer\/elicitation|Approval$/

const tell = (state: FoldState, thread: string, known: Known, params: Fields, out: Out): FoldState => {
  if (!working.test(known.name)) return tellKnown(state, thread, known, params, out)
  if (thread !== state.thread) return tellKnown(openLane(state, thread, out), thread, known, params, out)
  const turn = textIn(params["turnId"])
  const isLate = state.turn === undefined && (isOver(state, turn) || isKnownItem(state, params))
  return tellKnown(isLate ? state : openTurn(state, out, turn), thread, known, params, out)
}

/** Whether an item is one of which enough was said already: it begins no turn. */
const isKnownItem = ({ background, complete }: FoldState, params: Fields): boolean => {
  const id = textIn(params["itemId"]) ?? textIn(fieldsIn(params["item"])["id"])
  return id !== undefined && (background.has(id) || complete.includes(id))
}

const tellKnown = (state: FoldState, thread: string, known: Known, params: Fields, out: Out): FoldState => {
  if (isQuestion(known)) return questionAsked(state, known.message, thread, out)
  switch (known.name) {
    case "item/agentMessage/delta":
    case "item/plan/delta":
      return speak(state, thread, "text", known.message.params.itemId, known.message.params.delta, out)
    case "item/reasoning/summaryTextDelta": {
      const { delta, itemId, summaryIndex } = known.message.params
      return speak(state, thread, "thought", itemId, delta, out, summaryIndex)
    }
    case "item/reasoning/textDelta": {
      const { contentIndex, delta, itemId } = known.message.params
      return speak(state, thread, "thought", rawThoughtId(itemId), delta, out, contentIndex)
    }
    case "item/reasoning/summaryPartAdded": {
      const { itemId, summaryIndex } = known.message.params
      return breakSection(state, thread, itemId, summaryIndex)
    }
    case "item/commandExecution/outputDelta":
      return callOutput(state, thread, known.message.params.itemId, known.message.params.delta, out)
    case "item/started":
      return itemStarted(state, thread, fieldsIn(params["item"]), out)
    case "item/completed":
      return itemCompleted(state, thread, fieldsIn(params["item"]), out)
    case "turn/plan/updated":
      return planUpdated(state, thread, known.message.params, out)
    case "turn/started":
      return thread === state.thread ? openTurn(state, out, known.message.params.turn.id) : openLane(state, thread, out)
    case "turn/completed": {
      const { turn } = known.message.params
      return thread === state.thread
        ? turnCompleted(state, turn.id, turn, out)
        : laneCompleted(state, thread, turn, out)
    }
    case "error":
      return failed(state, thread, known, params, out)
    case "serverRequest/resolved": {
      const before = out.length
      const resolved = requestResolved(state, known.message.params.requestId, out)
      if (out.length === before) notice(state, thread, known, params, out)
      return resolved
    }
    case "thread/tokenUsage/updated":
      notice(state, thread, known, params, out)
      return thread === state.thread ? noteSpending(state, params["tokenUsage"], out) : state
    case "thread/started":
      return thread === state.thread ? noteSession(state, { ...fieldsIn(params["thread"]), id: thread }, out) : state
    case "thread/settings/updated":
      notice(state, thread, known, params, out)
      return thread === state.thread
        ? noteSession(state, { ...fieldsIn(params["threadSettings"]), id: thread }, out)
        : state
    case "mcpServer/startupStatus/updated":
      notice(state, thread, known, params, out)
      return noteServer(state, params["name"], params["status"], out)
    default:
      notice(state, thread, known, params, out)
      return state
  }
}

/** Something went wrong. The end of the turn says it once more, unless Codex tries again (§3.9). */
const failed = (state: FoldState, thread: string, known: Known, params: Fields, out: Out): FoldState => {
  notice(state, thread, known, params, out)
  if (params["willRetry"] === true) return abandonSpeeches(state, thread, out)
  if (thread !== state.thread || state.turn === undefined) return state
  return { ...state, turn: { ...state.turn, error: errorOf(params["error"]) } }
}

/** Writes a message that is a notice; others give nothing. */
const notice = (state: FoldState, thread: string, { name }: Known, params: Fields, out: Out): void => {
  for (const each of mappingOf(name).noticed)
    out.push({ type: "noticed", lane: laneOf(state, thread), name: each, value: params })
}
