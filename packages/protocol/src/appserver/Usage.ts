/**
 * What was spent, as `thread/tokenUsage/updated` says it: by the newest model call, and by the thread so far. The input
 * of Codex's accounting includes what was read from a cache and written into one, as the model's does.
 */
import type { TokenUsageBreakdown } from "../codex/generated/Shared.ts"
import { addUsage, subtractUsage, type Usage } from "../model/Usage.ts"
import { type Draft, set, tell } from "./Draft.ts"

/** A count in Codex's words. What is thought is part of the output, and nobody says how much of it. */
export const breakdownOf = ({ cachedInput, cacheWriteInput, input, output }: Usage): TokenUsageBreakdown => ({
  totalTokens: input + output,
  inputTokens: input,
  cachedInputTokens: cachedInput,
  cacheWriteInputTokens: cacheWriteInput,
  outputTokens: output,
  reasoningOutputTokens: 0
})

/**
 * The turn has spent this much so far. What was told is never taken back, and nothing is told where there is no news.
 *
 * Claude Code counts the input of a model call when it begins, and the output when it ends: what comes without input is
 * of the call before. Clients show the newest call's count as that of their turn (ai-sdk-provider-codex-cli 2.2.1).
 */
export const spend = (draft: Draft, usage: Usage): void => {
  const { spending, threadId, turn } = draft.cursor
  const spent = atLeast(usage, spending.turn)
  const news = subtractUsage(spent, spending.turn)
  if (turn === undefined || (news.input === 0 && news.output === 0)) return
  const last = news.input === 0 ? addUsage(spending.last, news) : news
  set(draft, { spending: { ...spending, turn: spent, last } })
  tell(draft, "thread/tokenUsage/updated", {
    threadId,
    turnId: turn.turn,
    tokenUsage: {
      total: breakdownOf(addUsage(spending.before, spent)),
      last: breakdownOf(last),
      modelContextWindow: null
    }
  })
}

/** A count that is nowhere smaller than an earlier one: the end of a turn that was cut off may count less. */
const atLeast = (one: Usage, other: Usage): Usage => ({
  input: Math.max(one.input, other.input),
  output: Math.max(one.output, other.output),
  cachedInput: Math.max(one.cachedInput, other.cachedInput),
  cacheWriteInput: Math.max(one.cacheWriteInput, other.cacheWriteInput)
})
