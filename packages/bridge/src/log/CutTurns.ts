/**
 * Turns that come to nothing because nobody is there any more: that of a bridge that is gone, and those of prompts that the
 * agent is never told.
 */
import type * as Model from "@agentwire/protocol/model"

/** How a turn ends whose bridge was gone before its end, or before it began: those who asked for it could not be told. */
export const bridgeEnded = {
  type: "failed",
  code: "BRIDGE_ENDED",
  message:
    "The bridge ended before the turn did. What was said is kept; the agent may not have heard all of it. Send a message to continue."
} as const satisfies Model.TurnOutcome

/** A turn that ends as it begins: everybody sees the prompt, and the agent is not told of it. */
export const unheardTurn = (
  ticket: string,
  said: ReadonlyArray<Model.Said>,
  outcome: Model.TurnOutcome
): ReadonlyArray<Model.Event> => [
  { type: "turn_started", cause: "prompt", ticket },
  ...said.map(
    ({ content, id }): Model.Event => ({ type: "item_started", lane: null, id, item: { kind: "prompt", content } })
  ),
  { type: "turn_ended", outcome }
]
