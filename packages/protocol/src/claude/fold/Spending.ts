/**
 * What is noted of a turn while the main thread speaks: that it has spoken, and what its replies cost.
 */
import { addUsage, type Usage } from "../../model/Usage.ts"
import type { Out } from "./Block.ts"
import { textIn } from "./Fields.ts"
import { emptyTurn, type FoldState, type Turn } from "./State.ts"
import { laterUsage, provider, usageOf } from "./Usage.ts"

/** The state with its turn changed. */
export const withTurn = (state: FoldState, change: (turn: Turn) => Turn): FoldState => ({
  ...state,
  turn: change(state.turn ?? emptyTurn)
})

/** Notes that the main thread has said something. */
export const noteSpoken = (state: FoldState): FoldState =>
  state.turn?.spoken === true ? state : withTurn(state, (turn) => ({ ...turn, spoken: true }))

/** Notes what a reply of the main thread has cost so far. `model`: undefined when it is not repeated. */
export const noteSpending = (state: FoldState, reply: string, given: unknown, model: unknown, out: Out): FoldState => {
  const turn = state.turn ?? emptyTurn
  const before = turn.spending
  const now = usageOf(given)
  const isNew = before === undefined || before.id !== reply
  const next: Turn = {
    ...turn,
    model: textIn(model) ?? turn.model,
    settled: isNew && before !== undefined ? addUsage(turn.settled, before.usage) : turn.settled,
    spending: { id: reply, usage: isNew ? now : laterUsage(before.usage, now) }
  }
  out.push({ type: "spent", usage: spentIn(next), provider, ...(next.model !== undefined && { model: next.model }) })
  return { ...state, turn: next }
}

/** All that a turn has spent. */
export const spentIn = ({ settled, spending }: Turn): Usage =>
  spending === undefined ? settled : addUsage(settled, spending.usage)
