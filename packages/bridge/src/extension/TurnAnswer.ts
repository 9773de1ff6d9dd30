/**
 * The answer to a prompt, read from the log of its session: the turn that it caused, what the agent said last in it, and
 * how it ended.
 */
import type * as Model from "@agentwire/protocol/model"

/** How a turn ended, and what was said. */
export interface TurnAnswer {
  readonly outcome: Model.TurnOutcome["type"]
  readonly text: string
  readonly code?: string
  readonly message?: string
}

/** What is known of a turn. */
export interface HeardTurn {
  /** Whether it has begun. */
  readonly isOpen: boolean
  /** The texts of the agent by their ids, as far as they have come; sub-agents' are not among them. */
  readonly texts: ReadonlyMap<string, string>
  readonly last: string | undefined
  readonly answer: TurnAnswer | undefined
}

/** Nothing is known. */
export const nothingHeard: HeardTurn = { isOpen: false, texts: new Map(), last: undefined, answer: undefined }

/** A prompt, by its ticket and by the id of what was said: words that go into an open turn are answered there. */
export interface AskedPrompt {
  readonly ticket: string
  readonly messageId: string
}

/** What is known after one more event. */
export const hearTurn = (prompt: AskedPrompt, heard: HeardTurn, event: Model.Event): HeardTurn => {
  if (heard.answer !== undefined) return heard
  if (!heard.isOpen) return begins(prompt, event) ? { ...heard, isOpen: true } : heard
  switch (event.type) {
    case "item_started":
      return event.lane === null && event.item.kind === "text"
        ? { ...heard, last: event.id, texts: new Map([[event.id, ""]]) }
        : heard
    case "item_grew": {
      const before = heard.texts.get(event.id)
      return before === undefined ? heard : { ...heard, texts: new Map([[event.id, before + event.delta]]) }
    }
    case "turn_ended":
      return { ...heard, answer: answerOf(event.outcome, heard.texts.get(heard.last ?? "") ?? "") }
    default:
      return heard
  }
}

const begins = ({ messageId, ticket }: AskedPrompt, event: Model.Event): boolean =>
  (event.type === "turn_started" && event.ticket === ticket) ||
  (event.type === "item_started" && event.item.kind === "prompt" && event.id === messageId)

const answerOf = (outcome: Model.TurnOutcome, text: string): TurnAnswer => {
  switch (outcome.type) {
    case "completed":
      return { outcome: "completed", text: typeof outcome.result === "string" ? outcome.result : text }
    case "cancelled":
      return { outcome: "cancelled", text }
    case "limited":
    case "failed":
      return { outcome: outcome.type, text, code: outcome.code, message: outcome.message }
  }
}
