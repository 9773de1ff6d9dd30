/**
 * Token usage: parts are parts of their totals, and the totals add up.
 */
import type { TokenUsage } from "../../agui/TokenUsage.ts"
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import type { Checks, Stream } from "../Stream.ts"

const accounting = "1.0 events/lifecycle#token-usage"

/** The rules of usage. */
export const usageRules = rulesOf("usage", {
  "AGUI-USAGE-001": {
    level: "error",
    requirement: "totalTokens is inputTokens plus outputTokens.",
    spec: accounting
  },
  "AGUI-USAGE-002": {
    level: "error",
    requirement: "cachedInputTokens and cacheWriteInputTokens are disjoint parts of inputTokens, not additions to it.",
    spec: accounting
  },
  "AGUI-USAGE-003": {
    level: "error",
    requirement: "reasoningTokens is a part of outputTokens, not an addition to it.",
    spec: accounting
  },
  "AGUI-USAGE-004": {
    level: "warning",
    requirement: "usage has one entry for each provider and model.",
    spec: accounting
  }
})

type Entry = Omit<TokenUsage, "cacheWriteInputTokens"> & { readonly cacheWriteInputTokens?: unknown }

const count = (value: unknown): number => (typeof value === "number" ? value : 0)

const checkUsage = (usage: ReadonlyArray<Entry> | undefined, stream: Stream): void => {
  if (usage === undefined) return
  const seen = new Set<string>()
  for (const entry of usage) {
    const { cachedInputTokens, cacheWriteInputTokens, inputTokens, model, outputTokens, provider } = entry
    const { reasoningTokens, totalTokens } = entry
    if (totalTokens !== undefined) {
      const known = count(inputTokens) + count(outputTokens)
      const both = inputTokens !== undefined && outputTokens !== undefined
      if (both ? totalTokens !== known : totalTokens < known)
        stream.report(
          usageRules["AGUI-USAGE-001"],
          `totalTokens is ${totalTokens}, inputTokens and outputTokens are ${known} together.`
        )
    }
    const cached = count(cachedInputTokens) + count(cacheWriteInputTokens)
    if (inputTokens !== undefined && cached > inputTokens)
      stream.report(
        usageRules["AGUI-USAGE-002"],
        `${cached} input tokens were read from or written to a cache, and inputTokens is ${inputTokens}.`
      )
    if (outputTokens !== undefined && count(reasoningTokens) > outputTokens)
      stream.report(
        usageRules["AGUI-USAGE-003"],
        `reasoningTokens is ${reasoningTokens}, and outputTokens is ${outputTokens}.`
      )
    if (provider === undefined && model === undefined) continue
    const key = JSON.stringify([provider, model])
    if (seen.has(key))
      stream.report(usageRules["AGUI-USAGE-004"], `usage has two entries for ${quote(model ?? provider)}.`)
    seen.add(key)
  }
}

/** Looks at the usage of runs. */
export const usageChecks: Checks = {
  on: {
    RUN_FINISHED: ({ usage }, stream) => checkUsage(usage, stream),
    RUN_ERROR: ({ usage }, stream) => checkUsage(usage, stream)
  }
}
