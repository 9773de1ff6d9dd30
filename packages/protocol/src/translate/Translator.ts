/**
 * The translator: messages of Claude Code in, events of AG-UI out, as a pure fold.
 *
 * `initial` makes a state, `step` takes it through one message, `finish` ends what is open. A turn of the CLI is a
 * run; where a run has to end so that somebody outside can act, `suspend` ends it and `begin` opens the next.
 * What arrives when no run is open and does not open one waits for the next one.
 */
import { inDialect } from "../agui/Downgrade.ts"
import type { AguiEvent } from "../agui/Event.ts"
import type { Interrupt } from "../agui/Interrupt.ts"
import type { Decoded, Known } from "../claude/Codec.ts"
import type { MessageOf } from "../claude/Message.ts"
import type { Result } from "../claude/Result.ts"
import { announce, cancelled, canUseTool, hookCallback, question } from "./Ask.ts"
import type { Out } from "./Block.ts"
import { endingOf, endingWithout, type FinishReason, isOrderly } from "./Ending.ts"
import { bareMessage, mappingOf, notice } from "./Notice.ts"
import { interruptOf } from "./Question.ts"
import { remember } from "./Recent.ts"
import { endRun, forget, lastUsage, type RunEnding, type RunRequest, settleUsage, startRun, unanswered } from "./Run.ts"
import { tellSession } from "./Session.ts"
import { assistant, blockDelta, blockStart, blockStop, messageDelta, messageStart, messageStop } from "./Speech.ts"
import { advanced, emptyTurn, type State } from "./State.ts"
import { enter, leave } from "./Subagent.ts"
import { taskEnded, taskProgress, taskStarted, taskUpdated } from "./Task.ts"
import { tokenUsage } from "./Usage.ts"
import { commandResult, isContent, showText, textId, user } from "./UserLine.ts"

/** A state, and the events that led to it. */
export type Stepped = readonly [state: State, events: ReadonlyArray<AguiEvent>]

/** Takes the translation through one message. */
export const step = (state: State, decoded: Decoded): Stepped => {
  const uuid = uuidOf(decoded)
  const recent = uuid === undefined ? state.recent : remember(state.recent, uuid)
  if (uuid !== undefined && recent === state.recent) return [state, none]
  const out: Out = []
  const noted = recent === state.recent ? state : advanced(state, recent, state.main)
  return stepped(arrive(noted, decoded, out), out)
}

/**
 * Opens a run somebody asked for, and delivers what has waited. A run that is open ends first: whatever it was in
 * the middle of goes on in the new one.
 */
export const begin = (state: State, request: RunRequest): Stepped => {
  const out: Out = []
  const idle = state.run === undefined ? state : pause(state, { type: "success" }, out)
  return stepped(quieten(open(idle, request, out), out), out)
}

/**
 * Lets a suspended turn go on without anybody having asked for a run: what it waited for came from elsewhere, or will
 * not come any more. What was held is delivered in a run of the agent's own.
 */
export const release = (state: State): Stepped => {
  const out: Out = []
  return stepped(state.suspended ? quieten(open(state, undefined, out), out) : state, out)
}

/** What a run has to end for. */
export interface Suspension {
  /** Questions somebody has to answer with `resume`. */
  readonly interrupts?: ReadonlyArray<Interrupt>
  /** Calls of frontend tools the application has to make. */
  readonly calls?: ReadonlyArray<string>
}

/**
 * Ends the run at the next quiet point, which may be now: when the answer that is being streamed is complete, so
 * that all its calls are announced. What waits by then is taken together. The turn goes on in the next run.
 */
export const suspend = (state: State, { calls = [], interrupts = [] }: Suspension): Stepped => {
  const out: Out = []
  return stepped(quieten(wait(state, interrupts, calls), out), out)
}

/** Ends what is open when no more messages come. A turn without a `result` has failed, or was cancelled. */
export const finish = (state: State, reason: FinishReason = { type: "end" }): ReadonlyArray<AguiEvent> =>
  abort(state, reason)[1]

/** Ends what is open because the agent is gone, or is not waited for, in a session that another process goes on with. */
export const abort = (state: State, reason: FinishReason): Stepped => {
  const out: Out = []
  // Nobody can answer any more, so nothing that was held may end the run with a question.
  const last: State = { ...state, waiting: undefined, settings: { ...state.settings, approvals: "event" } }
  const owes = state.turn !== undefined || state.held.some(opens)
  const opened = state.run === undefined && owes ? open(last, undefined, out) : last
  const ending = opened.turn === undefined && isOrderly(reason) ? done : runEnding(endingWithout(reason))
  const [settled, usage] = settleUsage(opened)
  const ended = endRun(settled, ending, "session", usage, out)
  return stepped({ ...forget(ended, "session"), settings: state.settings, suspended: false }, out)
}

/** Notes that a prompt was sent: a turn is to come, and an agent that ends before it begins has failed it. */
export const expect = (state: State): State => (state.turn === undefined ? { ...state, turn: emptyTurn } : state)

/** Ends a run that was asked for and has nothing to wait for: no turn of the agent goes on. */
export const rest = (state: State): Stepped => {
  const out: Out = []
  return stepped(state.turn === undefined ? endRun(state, done, "turn", undefined, out) : state, out)
}

const none: ReadonlyArray<AguiEvent> = []

const done: RunEnding = { type: "finished", outcome: { type: "success" } }

const stepped = (state: State, out: Out): Stepped => {
  const { dialect } = state.settings
  return [state, dialect === "1.0" ? out : out.map((event) => inDialect(event, dialect))]
}

const uuidOf = (decoded: Decoded): string | undefined => {
  const message: unknown =
    decoded._tag === "Known" ? decoded.message : decoded._tag === "Unknown" ? decoded.raw : undefined
  const uuid = typeof message === "object" && message !== null && "uuid" in message ? message.uuid : undefined
  return typeof uuid === "string" ? uuid : undefined
}

const arrive = (state: State, decoded: Decoded, out: Out): State => {
  if (state.run !== undefined) return quieten(translate(state, decoded, out), out)
  if (state.suspended || !opens(decoded)) return hold(state, decoded, out)
  if (isHidden(state, decoded)) return state
  // What has waited comes first, and may have ended the run again.
  return arrive(open(state, undefined, out), decoded, out)
}

/** Whether a message begins a run when there is none. */
const opens = (decoded: Decoded): boolean => {
  if (decoded._tag !== "Known") return false
  switch (decoded.name) {
    case "system/init":
    case "stream_event/message_start":
    case "assistant":
    case "control_request/can_use_tool":
      return true
    case "system/status":
      return decoded.message.status === "compacting"
    case "user":
      return isContent(decoded.message)
    default:
      return decoded.name.startsWith("result/")
  }
}

/** Whether a message belongs to a sub-agent that is not to be shown. */
const isHidden = (state: State, decoded: Decoded): boolean =>
  state.settings.subagents === "hide" &&
  decoded._tag === "Known" &&
  (decoded.name === "assistant" || decoded.name === "user" || decoded.name.startsWith("stream_event/")) &&
  "parent_tool_use_id" in decoded.message &&
  typeof decoded.message.parent_tool_use_id === "string"

/** Keeps a message for the next run. When too many wait, that run begins now: nothing is dropped. */
const hold = (state: State, decoded: Decoded, out: Out): State => {
  if (decoded._tag === "Known" && !state.suspended && mappingOf(decoded.name).events.length === 0) return state
  if (decoded._tag !== "Known" && state.settings.unknown === "drop") return state
  const held = [...state.held, decoded]
  if (held.length <= state.settings.maxHeld) return { ...state, held }
  const opened = open({ ...state, held }, undefined, out)
  return opened.run !== undefined && opened.turn === undefined ? endRun(opened, done, "turn", undefined, out) : opened
}

/** Opens a run and delivers what has waited for it. */
const open = (state: State, request: RunRequest | undefined, out: Out): State => {
  const { held } = state
  return held.reduce((next, decoded) => arrive(next, decoded, out), startRun({ ...state, held: [] }, request, out))
}

/** Ends the run in the middle of its turn. */
const pause = (state: State, outcome: Extract<RunEnding, { type: "finished" }>["outcome"], out: Out): State => {
  const [settled, usage] = settleUsage(state)
  return endRun(settled, { type: "finished", outcome }, "run", usage, out)
}

const wait = (state: State, interrupts: ReadonlyArray<Interrupt>, calls: ReadonlyArray<string>): State => {
  const before = state.waiting ?? { interrupts: [], calls: [] }
  return {
    ...state,
    waiting: {
      interrupts: [
        ...before.interrupts,
        ...interrupts.filter(({ id }) => before.interrupts.every((known) => known.id !== id))
      ],
      calls: [...new Set([...before.calls, ...calls])]
    }
  }
}

/** Ends the run if something waits and the answer that is being streamed is complete. */
const quieten = (state: State, out: Out): State => {
  const { main, run, waiting } = state
  if (waiting === undefined || run === undefined) return state
  if (main.current !== undefined && !main.current.stopped && !main.current.superseded) return state
  const { interrupts } = waiting
  const pendingToolCallIds = unanswered(state)
  const outcome =
    interrupts.length > 0
      ? { type: "interrupt" as const, interrupts }
      : { type: "success" as const, ...(pendingToolCallIds.length === 0 ? {} : { pendingToolCallIds }) }
  return { ...pause(state, outcome, out), waiting: undefined, suspended: true }
}

const translate = (state: State, decoded: Decoded, out: Out): State => {
  if (decoded._tag !== "Known") {
    if (state.settings.unknown === "raw") out.push({ type: "RAW", event: rawOf(decoded.raw), source: "claude-code" })
    return state
  }
  if (isHidden(state, decoded)) return state
  return conversation(state, decoded, out)
}

/** The longest message that is passed on without being understood: clients refuse events above 10 MB. */
const maxRawCharacters = 1_000_000

const rawOf = (raw: unknown): unknown => {
  const characters = (typeof raw === "string" ? raw : (JSON.stringify(raw) ?? "")).length
  return characters > maxRawCharacters ? { omitted: true, characters } : (raw ?? null)
}

const conversation = (state: State, known: Known, out: Out): State => {
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
      return messageDelta(state, known.message)
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
      tellSession(state, known.message, out)
      return { ...state, turn: state.turn ?? emptyTurn }
    case "system/status":
      notice(known, out)
      return status(state, known.message.status)
    case "system/compact_boundary":
      notice(known, out)
      return { ...state, turn: { ...(state.turn ?? emptyTurn), compacted: true } }
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
      if (state.settings.approvals === "event") return canUseTool(state, known.message, out)
      return ask(announce(state, known.message, out), known.message)
    case "control_request/elicitation":
      if (state.settings.approvals === "interrupt") return ask(state, known.message)
      question("elicitation_request", known.message, out)
      return state
    case "control_request/request_user_dialog":
      question("user_dialog_request", known.message, out)
      return state
    case "control_request/hook_callback":
      hookCallback(known.message, out)
      return state
    case "control_cancel_request":
      return cancelled(state, known.message, out)
    default:
      notice(known, out)
      return state
  }
}

const status = (state: State, now: MessageOf<"system/status">["status"]): State => {
  if (now !== "compacting" && (now !== "requesting" || state.turn === undefined)) return state
  const turn = state.turn ?? emptyTurn
  return { ...state, turn: now === "requesting" ? { ...turn, asked: true } : turn }
}

const ask = (
  state: State,
  message: MessageOf<"control_request/can_use_tool"> | MessageOf<"control_request/elicitation">
): State => {
  const interrupt = interruptOf(message)
  const tag = interrupt.toolCallId === undefined ? undefined : state.calls.get(interrupt.toolCallId)?.tag
  return wait(state, [tag === undefined ? interrupt : { ...interrupt, subagentRunId: tag }], [])
}

const startTask = (state: State, message: MessageOf<"system/task_started">, out: Out): State => {
  const shown = taskStarted(state, message, out)
  if (message.task_type !== "local_agent" || message.tool_use_id === undefined) return shown
  return enter(shown, message.tool_use_id, { name: message.subagent_type, description: message.description }, out)
}

const endTask = (state: State, message: MessageOf<"system/task_notification">, out: Out): State => {
  // The task knows its call better: 2.1.37 names none at the end, and 2.1.197 may name the call that asked for it.
  const known = state.tasks.get(message.task_id)?.content["toolCallId"]
  const call = typeof known === "string" ? known : message.tool_use_id
  const left =
    call === undefined
      ? state
      : leave(
          state,
          call,
          // An odd one may lack its status, and then nothing says that the task has failed.
          (message.status ?? "completed") === "completed"
            ? { type: "success" }
            : { type: "error", code: String(message.status), message: message.summary ?? "" },
          out
        )
  const shown = taskEnded(left, message, out)
  out.push({ type: "CUSTOM", name: "task_notification", value: bareMessage(message) })
  return shown
}

const result = (state: State, message: Result, out: Out): State => {
  const turn = state.turn ?? emptyTurn
  const ending = endingOf(message, turn)
  const answered = turn.spoken || message.subtype !== "success" || message.structured_output !== undefined
  if (ending.type === "success" && !answered && message.result)
    showText(textId(state, message.uuid), message.result, out)
  out.push({ type: "CUSTOM", name: "result_stats", value: bareMessage({ ...message, outcome: message.subtype }) })
  return endRun(state, runEnding(ending), "turn", lastUsage(state, tokenUsage(message.usage)), out)
}

const runEnding = (ending: ReturnType<typeof endingOf>): RunEnding => {
  switch (ending.type) {
    case "error":
      return ending
    case "cancelled":
      return { type: "finished", outcome: { type: "cancelled" } }
    case "success":
      return { type: "finished", outcome: { type: "success" }, result: ending.result }
  }
}
