/**
 * Tokens as runs report them. A turn may span several runs, each of which reports its own part.
 */
import type { OpenTurn } from "../../model/Situation.ts"
import { subtractUsage, type Usage } from "../../model/Usage.ts"
import type { TokenUsage } from "../TokenUsage.ts"

/** A count as the terminal event of a run has it: nothing when nothing was spent. */
export const tokenUsage = (
  spent: Usage,
  reported: Usage,
  { model, provider }: Partial<Pick<OpenTurn, "model" | "provider">>
): ReadonlyArray<TokenUsage> | undefined => {
  const { cachedInput, cacheWriteInput, input, output } = subtractUsage(spent, reported)
  if (input + output === 0) return undefined
  return [
    {
      ...(provider !== undefined && { provider }),
      ...(model !== undefined && { model }),
      inputTokens: input,
      outputTokens: output,
      totalTokens: input + output,
      cachedInputTokens: cachedInput,
      cacheWriteInputTokens: cacheWriteInput
    }
  ]
}
