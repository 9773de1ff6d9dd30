/**
 * Turns: what begins one, what is counted in it, and how one ends in order whatever is open.
 */
import type { LaneOutcome, TurnOutcome } from "../../model/Event.ts"
import { withEntry } from "../../model/Situation.ts"
import { addUsage, noUsage, subtractUsage } from "../../model/Usage.ts"
import { fieldsIn } from "../../wire/Fields.ts"
import { isRecord } from "../../wire/Json.ts"
import { endTask, startTask } from "./Background.ts"
import { answerCall } from "./Call.ts"
import { declined } from "./CallTable.ts"
import { outcomeOf } from "./Ending.ts"
import { type FoldState, newTurn, type Out, remembered } from "./State.ts"
import { closeLane, closeLanes, closeThread } from "./Subagent.ts"
import { usageOf } from "./Usage.ts"

/** Begins a turn, unless one is in progress: then it has one more id. */
export const openTurn = (state: FoldState, out: Out, id?: string): FoldState => {
  const { turn } = state
  if (turn !== undefined)
    return id === undefined || turn.ids.includes(id)
      ? state
      : { ...state, turn: { ...turn, ids: remembered(turn.ids, id) } }
  const isPrompted = state.asked || state.prompts.length > 0
  out.push({ type: "turn_started", cause: isPrompted ? "prompt" : "agent" })
  return { ...state, asked: false, turn: { ...newTurn, ids: id === undefined ? [] : [id] } }
}

/** Whether something that belongs to a turn belongs to one that is over. */
export const isOver = ({ over }: FoldState, turn: string | undefined): boolean =>
  turn !== undefined && over.includes(turn)

/**
 * What the thread has spent, all together. It is said once more where nothing was spent, by a compaction and after a
 * resume, so the turn is charged with the difference.
 */
export const noteSpending = (state: FoldState, usage: unknown, out: Out): FoldState => {
  const { last, total: told } = fieldsIn(usage)
  const call = usageOf(last)
  const total = isRecord(told) ? usageOf(told) : addUsage(state.total ?? noUsage, call)
  const before = state.total ?? subtractUsage(total, call)
  const { turn } = state
  const charged = subtractUsage(total, before)
  if (turn === undefined || (charged.input === 0 && charged.output === 0)) return { ...state, total }
  const spent = addUsage(turn.spent, charged)
  out.push({ type: "spent", usage: spent, ...payer(state) })
  return { ...state, total, turn: { ...turn, spent } }
}

const payer = ({ provider, session }: FoldState) => ({
  ...(provider !== undefined && { provider }),
  ...(session !== undefined && session.model !== "" && { model: session.model })
})

/** `turn/completed` of the main thread. */
export const turnCompleted = (state: FoldState, id: string, ended: unknown, out: Out): FoldState => {
  const ids = state.turn?.ids ?? []
  if (isOver(state, id) || (ids.length > 0 && !ids.includes(id))) return state
  const opened = openTurn(state, out, id)
  const outcome = outcomeOf(ended, opened.turn)
  return endTurn(opened, outcome, out, undoneBy(outcome))
}

/** What the end of a turn makes of a call without a result: the rollout says the same of it (§7). */
const undoneBy = ({ type }: TurnOutcome): string =>
  type === "cancelled" ? declined : "The turn ended before it was done."

/**
 * Ends the turn in progress, and closes what it leaves open. `undone`: what became of calls without a result; where
 * nobody knows, because Codex itself is gone, they have none.
 */
export const endTurn = (state: FoldState, outcome: TurnOutcome, out: Out, undone?: string): FoldState => {
  const { thread = "", turn } = state
  if (turn === undefined) return state
  const kept = keepCommands(state, thread, out)
  const closed = closeThread(kept, thread, outcome.type !== "completed", out, undone)
  // A sub-agent whose call has its result continues without its parent.
  const settled = closeLanes(closed, (agent) => kept.calls.has(agent.lane), out, undone)
  out.push({
    type: "turn_ended",
    outcome,
    ...(turn.spent !== noUsage && { usage: turn.spent, ...payer(state) })
  })
  return {
    ...settled,
    turn: undefined,
    asked: false,
    over: turn.ids.reduce(remembered, settled.over)
  }
}

/** How many commands may outlive their turns. */
const maxBackground = 100

/**
 * A command that is running when its turn ends continues, even where the turn was interrupted (§3.13, §3.14): what it has
 * put out so far is its result, and from then on it is a task. One that still waits for leave never began.
 */
const keepCommands = (state: FoldState, thread: string, out: Out): FoldState => {
  const waiting = new Set([...state.requests.values()].map(({ call }) => call))
  let next = state
  for (const call of state.calls.values()) {
    if (call.type !== "commandExecution" || call.thread !== thread || waiting.has(call.id)) continue
    const answered = answerCall(next, call, { content: call.output, failed: false }, out)
    startTask(next, call, out)
    const command = { id: call.id, thread, output: call.output }
    next = { ...answered, complete: next.complete, background: withEntry(next.background, call.id, command) }
    const [oldest] = next.background.keys()
    if (next.background.size > maxBackground && oldest !== undefined) next = endTask(next, oldest, {}, out)
  }
  return next
}

/** `turn/completed` of a sub-agent. */
export const laneCompleted = (state: FoldState, thread: string, ended: unknown, out: Out): FoldState => {
  const outcome = outcomeOf(ended, undefined)
  return closeLane(state, thread, laneOutcome(outcome), out, undoneBy(outcome))
}

const laneOutcome = (outcome: TurnOutcome): LaneOutcome => {
  switch (outcome.type) {
    case "completed":
      return { type: "completed" }
    case "cancelled":
      return { type: "failed", code: "interrupted", message: "The sub-agent was interrupted." }
    default:
      return { type: "failed", code: outcome.code, message: outcome.message }
  }
}
