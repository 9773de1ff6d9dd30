/**
 * How a turn ended, in the model's words.
 */
import type { TurnOutcome } from "../../model/Event.ts"
import { fieldsIn, textIn } from "../../wire/Fields.ts"
import type { Turn } from "./State.ts"

/** Ends at a limit that somebody set, by what Codex calls them. All other errors are failures. */
const limits: ReadonlySet<string> = new Set(["sessionBudgetExceeded", "usageLimitExceeded", "tooManyDenials"])

/** The code of an error: a word, or an object whose only key is the word (§3.9). */
export const errorCode = (info: unknown): string => textIn(info) ?? Object.keys(fieldsIn(info))[0] ?? "error"

/** What an error of the server says. */
export const errorOf = (error: unknown): { readonly code: string; readonly message: string } => {
  const { codexErrorInfo, message } = fieldsIn(error)
  return { code: errorCode(codexErrorInfo), message: textIn(message) || "The turn failed." }
}

/** How a turn ended, from what `turn/completed` says of it; the error that came before tells what it leaves out. */
export const outcomeOf = (ended: unknown, turn: Turn | undefined): TurnOutcome => {
  const { error, status } = fieldsIn(ended)
  if (status === "interrupted") return { type: "cancelled" }
  const said = error === undefined || error === null ? turn?.error : errorOf(error)
  // Nothing else but an error says how a turn without a status went.
  const isFailed = status === "failed" || (status !== "completed" && said !== undefined)
  if (!isFailed) return { type: "completed" }
  const { code, message } = said ?? { code: "error", message: "The turn failed." }
  return { type: limits.has(code) ? "limited" : "failed", code, message }
}
