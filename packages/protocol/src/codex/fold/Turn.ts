/**
 * Turns: what begins one, what is counted in it, and how one ends in order whatever is open.
 */
import type { LaneOutcome, TurnOutcome } from "../../model/Event.ts"
import { withEntry } from "../../model/Situation.ts"
import { addUsage, noUsage } from "../../model/Usage.ts"
import { endTask, startTask } from "./Background.ts"
import { outcomeOf } from "./Ending.ts"
import { type FoldState, newTurn, type Out, remembered } from "./State.ts"
import { closeLane, closeLanes, closeThread } from "./Subagent.ts"
import { usageOf } from "./Usage.ts"

/** Begins a turn, unless one is in progress. */
export const openTurn = (state: FoldState, out: Out, id?: string): FoldState => {
  if (state.turn !== undefined)
    return state.turn.id === undefined && id !== undefined ? { ...state, turn: { ...state.turn, id } } : state
  const isPrompted = state.asked || state.prompts.length > 0
  out.push({ type: "turn_started", cause: isPrompted ? "prompt" : "agent" })
  return { ...state, asked: false, turn: { ...newTurn, id } }
}

/** Codex has begun a turn. One that another turn follows without an end of its own is over. */
export const turnStarted = (state: FoldState, id: string, out: Out): FoldState => {
  const before = state.turn?.id
  if (before === undefined || before === id) return openTurn(state, out, id)
  const ended = endTurn(
    state,
    { type: "failed", code: "superseded", message: "Another turn began before this one had ended." },
    out
  )
  return openTurn(ended, out, id)
}

/** Whether something that belongs to a turn belongs to one that is over. */
export const isOver = ({ over }: FoldState, turn: string | undefined): boolean =>
  turn !== undefined && over.includes(turn)

/** What a model call has cost. */
export const noteSpending = (state: FoldState, turnId: unknown, last: unknown, out: Out): FoldState => {
  const { turn } = state
  // After a thread is resumed, the counts of its last turn come once more.
  if (turn === undefined || (typeof turnId === "string" && turn.id !== undefined && turn.id !== turnId)) return state
  const spent = addUsage(turn.spent, usageOf(last))
  out.push({ type: "spent", usage: spent, ...payer(state) })
  return { ...state, turn: { ...turn, spent } }
}

const payer = ({ provider, session }: FoldState) => ({
  ...(provider !== undefined && { provider }),
  ...(session !== undefined && session.model !== "" && { model: session.model })
})

/** `turn/completed` of the main thread. */
export const turnCompleted = (state: FoldState, id: string, ended: unknown, out: Out): FoldState => {
  const { turn } = state
  if (isOver(state, id) || (turn?.id !== undefined && turn.id !== id)) return state
  const opened = openTurn(state, out, id)
  return endTurn(opened, outcomeOf(ended, opened.turn), out)
}

/** Ends the turn in progress, and closes what it leaves open. */
export const endTurn = (state: FoldState, outcome: TurnOutcome, out: Out): FoldState => {
  const { thread = "", turn } = state
  if (turn === undefined) return state
  const kept = keepCommands(state, thread, out)
  const closed = closeThread(kept, thread, outcome.type !== "completed", out)
  // A sub-agent whose call has its result continues without its parent.
  const settled = closeLanes(closed, (agent) => kept.calls.has(agent.lane), out)
  out.push({
    type: "turn_ended",
    outcome,
    ...(turn.spent !== noUsage && { usage: turn.spent, ...payer(state) })
  })
  return {
    ...settled,
    turn: undefined,
    asked: false,
    over: turn.id === undefined ? settled.over : remembered(settled.over, turn.id)
  }
}

/** How many commands may outlive their turns. */
const maxBackground = 100

/**
 * A command that is running when its turn ends continues, even where the turn was interrupted (§3.13, §3.14): from then on
 * it is a task. One that still waits for leave never began.
 */
const keepCommands = (state: FoldState, thread: string, out: Out): FoldState => {
  const waiting = new Set([...state.requests.values()].map(({ call }) => call))
  let next = state
  for (const call of state.calls.values()) {
    if (call.type !== "commandExecution" || call.thread !== thread || waiting.has(call.id)) continue
    startTask(next, call, out)
    const command = { id: call.id, thread, output: call.output }
    next = { ...next, background: withEntry(next.background, call.id, command) }
    const [oldest] = next.background.keys()
    if (next.background.size > maxBackground && oldest !== undefined) next = endTask(next, oldest, {}, out)
  }
  return next
}

/** `turn/completed` of a sub-agent. */
export const laneCompleted = (state: FoldState, thread: string, ended: unknown, out: Out): FoldState =>
  closeLane(state, thread, laneOutcome(outcomeOf(ended, undefined)), out)

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
