/**
 * Why a runtime has no more to say, and what becomes of a turn that it leaves without an end.
 */
import type { TurnOutcome } from "./Event.ts"

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
  /** Somebody stopped the turn, and nobody waits for the agent. */
  | { readonly type: "cancelled" }
  /** Anything else. */
  | { readonly type: "error"; readonly code: string; readonly message: string }

/** The outcome of a turn whose agent never said how it ended. */
export const outcomeWithout = (reason: FinishReason): TurnOutcome => {
  switch (reason.type) {
    case "cancelled":
      return { type: "cancelled" }
    case "error":
      return { type: "failed", code: reason.code, message: reason.message }
    case "end":
      return { type: "failed", code: "stream_ended", message: "The agent's output ended in the middle of the turn." }
    case "exit": {
      const how = reason.signal ? `was killed by ${reason.signal}` : `exited with code ${reason.code ?? "unknown"}`
      const detail = reason.detail === undefined || reason.detail === "" ? "" : `\n${reason.detail}`
      return { type: "failed", code: "process_exited", message: `The agent ${how} in the middle of the turn.${detail}` }
    }
  }
}

/** Whether the session ended in an orderly way. */
export const isOrderly = (reason: FinishReason): boolean =>
  reason.type === "end" || (reason.type === "exit" && reason.code === 0)
