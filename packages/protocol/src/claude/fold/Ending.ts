/**
 * How a turn ended, from its `result`. Without one, `model/FinishReason.ts` tells.
 *
 * Neither `subtype` nor `is_error` tells by itself (docs/wire/claude-code.md §5.14, §5.15, §6d): an error of the API
 * is a `success` with `is_error`, an interrupt is `error_during_execution`, on 2.1.37 even without `is_error`.
 */
import type { TurnOutcome } from "../../model/Event.ts"
import type { Result } from "../Result.ts"
import { fieldsIn, textIn, textsIn } from "./Fields.ts"
import type { Turn } from "./State.ts"

const interrupted = new Set<string>(["aborted_streaming", "aborted_tools"])

/** The ends at a limit that somebody set (docs/wire/claude-code.md §6d). All others that are no success are failures. */
const limits = new Set<string>(["error_max_turns", "error_max_budget_usd", "error_max_structured_output_retries"])

const explanations: Readonly<Record<string, string>> = {
  error_during_execution: "The turn failed before it was complete.",
  error_max_turns: "The turn reached the limit on the number of model calls (max turns).",
  error_max_budget_usd: "The turn reached the limit on its cost (max budget).",
  error_max_structured_output_retries: "The model did not produce output that fits the requested schema.",
  refusal: "The model refused to answer.",
  api_error: "The model's API returned an error."
}

/** How the turn of this `result` ended. What the model said is in its texts: only structured output is a result. */
export const outcomeOf = (result: Result, turn: Turn): TurnOutcome => {
  const told = fieldsIn(result)
  if (result.subtype === "success") {
    // An odd `result` may lack any of its keys: without `is_error`, an API error that was the last word counts.
    if (!(told["is_error"] ?? (turn.error !== undefined && !turn.recovered))) {
      const structured = told["structured_output"]
      return { type: "completed", ...(structured !== undefined && structured !== null && { result: structured }) }
    }
    const code = told["stop_reason"] === "refusal" ? "refusal" : (turn.error ?? "api_error")
    return { type: "failed", code, message: textIn(told["result"]) || explain(code) }
  }
  if (
    result.subtype === "error_during_execution" &&
    (turn.interrupted || interrupted.has(String(told["terminal_reason"])))
  )
    return { type: "cancelled" }
  const reasons = textsIn(told["errors"]).filter((error) => !error.startsWith("[ede_diagnostic]"))
  const code = textIn(told["startup_failure_reason"]) ?? result.subtype
  return {
    type: limits.has(code) ? "limited" : "failed",
    code,
    message: reasons.length === 0 ? explain(result.subtype) : reasons.join("\n")
  }
}

const explain = (code: string): string => explanations[code] ?? explanations["api_error"] ?? code
