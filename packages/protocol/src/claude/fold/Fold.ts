/**
 * The fold: messages of Claude Code in, events of the model out, as a pure function.
 *
 * `initialFold` makes a state, `foldMessage` takes it through one message, `endFold` closes what is open when no more
 * messages come.
 */
import type { Said } from "../../model/Command.ts"
import type { Event } from "../../model/Event.ts"
import { type FinishReason, isOrderly, outcomeWithout } from "../../model/FinishReason.ts"
import { withEntry, withoutEntry } from "../../model/Situation.ts"
import type { Decoded, Known } from "../Codec.ts"
import type { MessageOf } from "../Message.ts"
import { withdrawnIdIn } from "../RequestId.ts"
import { anchorPrompt } from "./Anchored.ts"
import type { Out } from "./Block.ts"
import { textIn } from "./Fields.ts"
import { bareMessage, hookCallback, notice, question } from "./Notice.ts"
import { addRecent } from "./Recent.ts"
import { formAsked, permissionAsked, requestWithdrawn } from "./Request.ts"
import { sessionInfo } from "./SessionInfo.ts"
import { spentIn, withTurn } from "./Spending.ts"
import { afterDelta, emptyTurn, type FoldState } from "./State.ts"
import { blockDelta, blockStart, blockStop, messageDelta, messageStart, messageStop } from "./Stream.ts"
import { closeSubagent, openLane } from "./Subagent.ts"
import { endTasks, taskEnded, taskProgress, taskStarted, taskUpdated } from "./Task.ts"
import { endRest, endTurn, opensTurn, openTurn, result } from "./Turn.ts"
import { commandResult, user } from "./UserLine.ts"
import { assistant } from "./WholeBlock.ts"

/** A state, and the events that led to it. */
export type Folded = readonly [state: FoldState, events: ReadonlyArray<Event>]

const none: ReadonlyArray<Event> = []

/** Takes the fold through one message. */
export const foldMessage = (state: FoldState, decoded: Decoded): Folded => {
  const uuid = uuidOf(decoded)
  const recent = uuid === undefined ? state.recent : addRecent(state.recent, uuid)
  if (uuid !== undefined && recent === state.recent) return [state, none]
  const out: Out = []
  const noted = recent === state.recent ? state : afterDelta(state, recent, state.main)
  const isIdle = !noted.open || noted.resting !== undefined
  const opened = isIdle && opensTurn(noted, decoded) ? openTurn(noted, "agent", out) : noted
  return [tell(opened, decoded, out), out]
}

/**
 * A prompt was sent: a turn begins, unless one is in progress, and the agent owes its end. `uuid` is that of its line, if
 * it has one.
 */
export const foldPrompt = (state: FoldState, said: ReadonlyArray<Said>, uuid?: string): Folded => {
  const out: Out = []
  const opened = openTurn(state, "prompt", out)
  for (const { content, id } of said)
    out.push({ type: "item_started", lane: null, id, item: { kind: "prompt", content } })
  const id = said.at(-1)?.id
  const prompted = id === undefined || uuid === undefined ? undefined : { id, uuid }
  return [{ ...opened, turn: opened.turn ?? emptyTurn, prompted }, out]
}

/**
 * Words are sent into the turn in progress, in a line with this uuid. They are said once the CLI has taken them up: between
 * two calls of its model, or after the `result` of a turn that was answered, which stays open for them; in a turn of their
 * own when it ended otherwise (docs/wire/claude-code.md §5.49).
 */
export const foldSteer = (state: FoldState, said: ReadonlyArray<Said>, uuid: string): FoldState => ({
  ...state,
  steers: withEntry(state.steers, uuid, said)
})

/** Words that were sent into a turn, in a line with this uuid, will not be taken up: nothing stays open for them. */
export const foldUnheard = (state: FoldState, uuid: string): Folded => {
  const out: Out = []
  return [endRest({ ...state, steers: withoutEntry(state.steers, uuid) }, out), out]
}

/**
 * No more messages come, or nobody waits for the agent: closes all that is open. A turn without a `result` has failed,
 * or was cancelled. Another process may continue the conversation.
 */
export const endFold = (state: FoldState, reason: FinishReason): Folded => {
  const out: Out = []
  const { turn } = state
  // A turn that has its result was answered, whatever becomes of what was said to it later.
  const outcome =
    state.resting ??
    (turn === undefined && isOrderly(reason) ? ({ type: "completed" } as const) : outcomeWithout(reason))
  endTasks(state, out)
  const ended = endTurn(state, "session", outcome, turn === undefined ? undefined : spentIn(turn), out)
  return [
    { ...ended, session: undefined, tasks: new Map(), prompted: undefined, steers: new Map() },
    state.open ? out : out.flatMap(withoutWords)
  ]
}

/** Between turns nothing more is said, so that the end of the agent begins nothing. */
const withoutWords = (event: Event): ReadonlyArray<Event> => {
  if (event.type === "item_started" || event.type === "item_grew") return []
  return event.type === "item_ended" ? [{ type: event.type, lane: event.lane, id: event.id }] : [event]
}

const uuidOf = (decoded: Decoded): string | undefined => {
  const message: unknown =
    decoded._tag === "Known" ? decoded.message : decoded._tag === "Unknown" ? decoded.raw : undefined
  const uuid = typeof message === "object" && message !== null && "uuid" in message ? message.uuid : undefined
  return textIn(uuid)
}

const tell = (state: FoldState, decoded: Decoded, out: Out): FoldState => {
  if (decoded._tag === "Known") return tellKnown(state, decoded, out)
  out.push({ type: "unknown", raw: rawOf(decoded.raw), source: "claude-code" })
  return state
}

/** The longest message that is passed on without being understood: clients refuse events above 10 MB. */
const maxRawCharacters = 1_000_000

const rawOf = (raw: unknown): unknown => {
  const characters = (typeof raw === "string" ? raw : (JSON.stringify(raw) ?? "")).length
  return characters > maxRawCharacters ? { omitted: true, characters } : (raw ?? null)
}

const tellKnown = (state: FoldState, known: Known, out: Out): FoldState => {
  switch (known.name) {
    case "stream_event/content_block_delta":
      return blockDelta(state, known.message, out)
    case "stream_event/message_start":
      return messageStart(state, known.message, out)
    case "stream_event/content_block_start":
      return blockStart(state, known.message, out)
    case "stream_event/content_block_stop":
      return blockStop(state, known.message)
    case "stream_event/message_delta":
      return messageDelta(state, known.message, out)
    case "stream_event/message_stop":
      return messageStop(state, known.message, out)
    case "assistant":
      return assistant(state, known.message, out)
    case "user":
      return user(state, known.message, out)
    case "result/success":
    case "result/error_during_execution":
    case "result/error_max_turns":
    case "result/error_max_budget_usd":
    case "result/error_max_structured_output_retries":
      return result(state, known.message, out)
    case "system/init":
      return init(state, known.message, out)
    case "system/status":
      notice(known, out)
      return status(state, known.message.status)
    case "system/compact_boundary":
      notice(known, out)
      out.push({ type: "context_reset", how: "compacted" })
      return withTurn(state, (turn) => ({ ...turn, compacted: true }))
    case "command_lifecycle":
      notice(known, out)
      return lifecycle(state, known.message, out)
    case "conversation_reset":
      notice(known, out)
      out.push({ type: "context_reset", how: "cleared" })
      return { ...state, session: undefined }
    case "system/local_command_output":
      return commandResult(state, known.message.uuid, known.message.content, out)
    case "system/task_started":
      return startTask(state, known.message, out)
    case "system/task_progress":
      return taskProgress(state, known.message, out)
    case "system/task_updated":
      return taskUpdated(state, known.message, out)
    case "system/task_notification":
      return endTask(state, known.message, out)
    case "control_request/can_use_tool":
      return permissionAsked(state, known.message, out)
    case "control_request/elicitation":
      return formAsked(state, known.message, out)
    case "control_request/request_user_dialog":
      question("user_dialog_request", known.message, out)
      return state
    case "control_request/hook_callback":
      hookCallback(known.message, out)
      return state
    case "control_cancel_request":
      return requestWithdrawn(state, withdrawnIdIn(known.raw ?? known.message), out)
    default:
      notice(known, out)
      return state
  }
}

/** A process that is in another session than before has forgotten, even if it does not say so. */
const init = (state: FoldState, message: MessageOf<"system/init">, out: Out): FoldState => {
  const info = sessionInfo(message)
  out.push({ type: "session_changed", info })
  const session = info.sessionId === "" ? state.session : info.sessionId
  if (state.session !== undefined && session !== state.session) out.push({ type: "context_reset", how: "cleared" })
  return anchorPrompt({ ...state, session, turn: state.turn ?? emptyTurn }, out)
}

const status = (state: FoldState, now: unknown): FoldState => {
  if (now !== "compacting" && (now !== "requesting" || state.turn === undefined)) return state
  return withTurn(state, (turn) => (now === "requesting" ? { ...turn, asked: true } : turn))
}

/** What becomes of a line of the host: words that were sent into a turn are said when it starts. */
const lifecycle = (state: FoldState, message: MessageOf<"command_lifecycle">, out: Out): FoldState => {
  const uuid = textIn(message.command_uuid)
  const said = uuid === undefined ? undefined : state.steers.get(uuid)
  if (uuid === undefined || said === undefined || message.state === "queued") return state
  const left = { ...state, steers: withoutEntry(state.steers, uuid) }
  if (message.state === "started") return takenUp(left, said, uuid, out)
  if (message.state !== "completed") return endRest(left, out)
  // Nothing said that it started, and it was answered: an odd line may have been that.
  const heard = takenUp(left, said, uuid, out)
  return left.open
    ? endRest({ ...heard, resting: left.resting }, out)
    : endTurn(heard, "turn", { type: "completed" }, undefined, out)
}

const takenUp = (state: FoldState, said: ReadonlyArray<Said>, uuid: string, out: Out): FoldState => {
  const opened = openTurn(state, "prompt", out)
  for (const { content, id } of said)
    out.push({ type: "item_started", lane: null, id, item: { kind: "prompt", content } })
  const id = said.at(-1)?.id
  // Between two turns of the CLI it is a line like any prompt; several there become one, and which uuid that has is not told.
  const isAlone = (!state.open || state.resting !== undefined) && id !== undefined
  return { ...opened, turn: opened.turn ?? emptyTurn, prompted: isAlone ? { id, uuid } : undefined }
}

const startTask = (state: FoldState, message: MessageOf<"system/task_started">, out: Out): FoldState => {
  const shown = taskStarted(state, message, out)
  const call = textIn(message.tool_use_id)
  if (message.task_type !== "local_agent" || call === undefined) return shown
  const hints = { name: textIn(message.subagent_type), description: textIn(message.description) }
  return openLane(shown, call, hints, out)
}

const endTask = (state: FoldState, message: MessageOf<"system/task_notification">, out: Out): FoldState => {
  // The task knows its call better: 2.1.37 names none at the end, and 2.1.197 may name the call that asked for it.
  const call = textIn(state.tasks.get(message.task_id)?.content["toolCallId"]) ?? textIn(message.tool_use_id)
  const closed =
    call === undefined
      ? state
      : closeSubagent(
          state,
          call,
          // An odd one may lack its status, and then nothing says that the task has failed.
          (message.status ?? "completed") === "completed"
            ? { type: "completed" }
            : { type: "failed", code: String(message.status), message: textIn(message.summary) ?? "" },
          out
        )
  const shown = taskEnded(closed, message, out)
  out.push({ type: "noticed", lane: null, name: "task_notification", value: bareMessage(message) })
  return shown
}
