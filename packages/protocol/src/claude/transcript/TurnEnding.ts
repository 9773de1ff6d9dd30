/**
 * How a turn of a session file ended. No line says so, as the `result` of the wire does: it follows from the last things
 * that were said.
 */
import type { TurnOutcome } from "../../model/Event.ts"
import type { Turn } from "../fold/State.ts"
import type { SaidLine } from "./Node.ts"
import { wordsOf } from "./UserWords.ts"

/** Notes what the lines of one turn say about its end. */
export class TurnEnding {
  /** The last thing that was said lets the turn end: an answer that asks for nothing, or a tool that ends it. */
  #isComplete = false
  #isLimited = false
  #isRefused = false
  #structured: unknown
  /** The words of the last error. */
  #error = ""

  /** Notes a line of the turn. */
  note(said: SaidLine): void {
    switch (said.name) {
      case "assistant": {
        const { isAbortedMidStream, isApiErrorMessage, message } = said.message
        this.#isComplete = message.stop_reason !== "tool_use" && isAbortedMidStream !== true
        this.#isRefused = message.stop_reason === "refusal"
        if (isApiErrorMessage === true)
          this.#error = message.content.map((block) => (block.type === "text" ? block.text : "")).join("")
        break
      }
      case "user":
        this.#isComplete = said.message.toolEndsTurn === true || wordsOf(said.message).kind === "output"
        break
      case "system/local_command":
      case "attachment/hook_deferred_tool":
      case "attachment/hook_stopped_continuation":
        this.#isComplete = true
        break
      case "attachment/max_turns_reached":
        this.#isLimited = true
        break
      case "attachment/structured_output":
        this.#structured = said.message.attachment.data
        break
    }
  }

  /** How the turn ended, with what the fold knows of it. */
  outcome(turn: Turn | undefined): TurnOutcome {
    if (turn?.interrupted === true) return { type: "cancelled" }
    if (turn?.error !== undefined && !turn.recovered)
      return {
        type: "failed",
        code: this.#isRefused ? "refusal" : turn.error,
        message: this.#error || "The model's API returned an error."
      }
    if (this.#isLimited)
      return {
        type: "limited",
        code: "error_max_turns",
        message: "The turn reached the limit on the number of model calls (max turns)."
      }
    if (this.#structured !== undefined) return { type: "completed", result: this.#structured }
    // A command is answered without the model.
    if (this.#isComplete || turn === undefined || turn.spoken) return { type: "completed" }
    return { type: "failed", code: "transcript_ended", message: "The session file has no end of this turn." }
  }
}
