/**
 * How a turn ended, from its `result`.
 *
 * Neither `subtype` nor `is_error` tells by itself (docs/wire/claude-code.md §5.14, §5.15, §6d): an error of the API
 * is a `success` with `is_error`, an interrupt is `error_during_execution`, on 2.1.37 even without `is_error`.
 */
import type { NotNull } from "../agui/Base.ts"
import type { Result } from "../claude/Result.ts"
import type { Turn } from "./State.ts"

/** How a turn, and with it its run, ended. */
export type Ending =
  | { readonly type: "success"; readonly result: NotNull | undefined }
  | { readonly type: "cancelled" }
  | { readonly type: "error"; readonly code: string; readonly message: string }

const interrupted = new Set<string>(["aborted_streaming", "aborted_tools"])

const explanations: Readonly<Record<string, string>> = {
  error_during_execution: "The turn failed before it was complete.",
  error_max_turns: "The turn reached the limit on the number of model calls (max turns).",
  error_max_budget_usd: "The turn reached the limit on its cost (max budget).",
  error_max_structured_output_retries: "The model did not produce output that fits the requested schema.",
  refusal: "The model refused to answer.",
  api_error: "The model's API returned an error."
}

/** How the turn of this `result` ended. */
export const endingOf = (result: Result, turn: Turn): Ending => {
  if (result.subtype === "success") {
    // An odd `result` may lack any of its keys: without its mark, an error of the API that the turn told of is one.
    const isError = result.is_error ?? turn.error !== undefined
    if (!isError) return { type: "success", result: answerOf(result.structured_output, result.result) }
    const code = result.stop_reason === "refusal" ? "refusal" : (turn.error ?? "api_error")
    return { type: "error", code, message: result.result || explain(code) }
  }
  if (
    result.subtype === "error_during_execution" &&
    (turn.interrupted || interrupted.has(String(result.terminal_reason)))
  )
    return { type: "cancelled" }
  const reasons = result.errors.filter((error) => !error.startsWith("[ede_diagnostic]"))
  return {
    type: "error",
    code: String(result.startup_failure_reason ?? result.subtype),
    message: reasons.length === 0 ? explain(result.subtype) : reasons.join("\n")
  }
}

const explain = (code: string): string => explanations[code] ?? explanations["api_error"] ?? code

const answerOf = (structured: unknown, text: string): NotNull | undefined => {
  if (structured !== undefined && structured !== null) return structured as NotNull
  return text === "" ? undefined : text
}

/** Why there are no more messages. */
export type FinishReason =
  /** The input ended. */
  | { readonly type: "end" }
  /** The process ended. `detail` is for people: the last lines of stderr, say. */
  | {
      readonly type: "exit"
      readonly code: number | null
      readonly signal?: string | null
      readonly detail?: string
    }
  /** Somebody stopped the run and the CLI is not waited for. */
  | { readonly type: "cancelled" }
  /** Anything else. */
  | { readonly type: "error"; readonly code: string; readonly message: string }

/** How a run ends whose turn has no `result`. */
export const endingWithout = (reason: FinishReason): Ending => {
  switch (reason.type) {
    case "cancelled":
      return { type: "cancelled" }
    case "error":
      return reason
    case "end":
      return { type: "error", code: "stream_ended", message: "The agent's output ended in the middle of the turn." }
    case "exit": {
      const how = reason.signal ? `was killed by ${reason.signal}` : `exited with code ${reason.code ?? "unknown"}`
      const detail = reason.detail === undefined || reason.detail === "" ? "" : `\n${reason.detail}`
      return { type: "error", code: "process_exited", message: `The agent ${how} in the middle of the turn.${detail}` }
    }
  }
}

/** Whether the session came to its end in order. */
export const isOrderly = (reason: FinishReason): boolean =>
  reason.type === "end" || (reason.type === "exit" && reason.code === 0)
