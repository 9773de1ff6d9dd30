/**
 * Turns: what begins one, and how one ends in order whatever is open.
 */
import type { EventOf, TurnOutcome } from "../../model/Event.ts"
import { addUsage, type Usage } from "../../model/Usage.ts"
import type { Decoded } from "../Codec.ts"
import type { Result } from "../Result.ts"
import type { Out } from "./Block.ts"
import { outcomeOf } from "./Ending.ts"
import { fieldsIn, speakerOf } from "./Fields.ts"
import { closeLane } from "./Lane.ts"
import { bareMessage } from "./Notice.ts"
import { addRecent } from "./Recent.ts"
import { endRequests, speakerOfRequest } from "./Request.ts"
import { type Call, emptyLane, emptyTurn, type FoldState, type Lane, type Subagent } from "./State.ts"
import { closeOutlived, outlives, type Reach } from "./Subagent.ts"
import { provider, usageOf } from "./Usage.ts"
import { showText, textId, toolResults } from "./UserLine.ts"

/**
 * Whether a message begins a turn when none is in progress: the main thread works. A sub-agent in the background that speaks
 * between turns does so outside of any.
 */
export const opensTurn = (state: FoldState, decoded: Decoded): boolean => {
  if (decoded._tag !== "Known") return false
  switch (decoded.name) {
    case "system/init":
      return true
    case "stream_event/message_start":
    case "assistant":
      return speakerOf(decoded.message) === null
    case "control_request/can_use_tool":
      return speakerOfRequest(state, decoded.message) === null
    case "system/status":
      return decoded.message.status === "compacting"
    case "user":
      return (
        speakerOf(decoded.message) === null &&
        toolResults(decoded.message).some(({ tool_use_id }) => (state.calls.get(tool_use_id)?.lane ?? null) === null)
      )
    default:
      return decoded.name.startsWith("result/")
  }
}

/** Begins a turn, unless one is in progress. One that rests goes on. */
export const openTurn = (state: FoldState, cause: EventOf<"turn_started">["cause"], out: Out): FoldState => {
  if (state.open) return state.resting === undefined ? state : { ...state, resting: undefined }
  out.push({ type: "turn_started", cause })
  return { ...state, open: true }
}

/**
 * A `result`: the turn is over. One that was answered stays open for what it was told and the CLI has not taken up: the CLI
 * begins with that at once (docs/wire/claude-code.md §5.49), and whoever said it to this turn reads this turn.
 */
export const result = (state: FoldState, message: Result, out: Out): FoldState => {
  const turn = state.turn ?? emptyTurn
  const outcome = outcomeOf(message, turn)
  const { result: text, structured_output, uuid } = fieldsIn(message)
  const answered = turn.spoken || message.subtype !== "success" || structured_output !== undefined
  if (outcome.type === "completed" && !answered && typeof text === "string" && text !== "")
    showText(textId(state, uuid), text, out)
  // The text of the answer is in its item.
  const { result: _, ...stats } = bareMessage({ ...message, outcome: message.subtype })
  out.push({ type: "noticed", lane: null, name: "result_stats", value: stats })
  const usage = addUsage(turn.earlier, usageOf(message.usage))
  if (outcome.type !== "completed" || state.steers.size === 0) return endTurn(state, "turn", outcome, usage, out)
  return {
    ...closeReached(state, "turn", out),
    turn: { ...emptyTurn, model: turn.model, earlier: usage, settled: usage },
    resting: outcome
  }
}

/** Ends a turn that has its result and waits for nothing any more. */
export const endRest = (state: FoldState, out: Out): FoldState =>
  state.resting === undefined || state.steers.size > 0
    ? state
    : endTurn(state, "turn", state.resting, state.turn?.earlier, out)

/** Closes what an end reaches, and ends the turn in progress, if any. */
export const endTurn = (
  state: FoldState,
  reach: Reach,
  outcome: TurnOutcome,
  usage: Usage | undefined,
  out: Out
): FoldState => {
  const closed = closeReached(state, reach, out)
  if (state.open)
    out.push({
      type: "turn_ended",
      outcome,
      ...(usage !== undefined && { usage, provider }),
      ...(state.turn?.model !== undefined && { model: state.turn.model })
    })
  return { ...closed, turn: undefined, open: false, resting: undefined }
}

/** Closes what an end reaches. */
const closeReached = (state: FoldState, reach: Reach, out: Out): FoldState => {
  const isOver = (lane: string | null): boolean => {
    const agent = lane === null ? undefined : state.subagents.get(lane)
    return agent === undefined || !outlives(state, agent, reach)
  }
  closeLane(state.main, out)
  for (const [parent, lane] of state.lanes) if (isOver(parent)) closeLane(lane, out)
  const settled = endRequests(state, isOver, out)
  closeOutlived(state, reach, out)
  return forget(settled, reach)
}

/** The state without what an end takes with it. */
const forget = (state: FoldState, reach: Reach): FoldState => {
  const subagents = new Map<string, Subagent>()
  for (const [call, agent] of state.subagents)
    if (agent.phase !== "ended" && outlives(state, agent, reach)) subagents.set(call, agent)
  const lanes = new Map<string, Lane>()
  for (const [parent, lane] of state.lanes) if (subagents.has(parent)) lanes.set(parent, lane)
  const calls = new Map<string, Call>()
  let { answered } = state
  for (const [id, call] of state.calls)
    if (call.lane !== null && subagents.has(call.lane)) calls.set(id, call)
    // Another process may report it again: the one that resumes a conversation whose agent was killed.
    else answered = addRecent(answered, id)
  return {
    ...state,
    main: emptyLane(null),
    subagents,
    lanes,
    calls,
    answered,
    ended: state.ended + (state.open ? 1 : 0)
  }
}
