/**
 * What became of the questions that a person was asked, from the events of a session.
 */
import type * as Model from "@agentwire/protocol/model"

/** What became of a question. `cancelled`: the agent took it back. `unanswered`: the turn or the agent was gone before. */
export type ApprovalDecision = "allow" | "deny" | "expired" | "cancelled" | "unanswered"

/** The question that an event asks; undefined when it asks none. */
export const askedBy = (event: Model.Event): string | undefined =>
  event.type === "request_opened" && event.request.kind !== "page_tool" ? event.request.id : undefined

/** What became of a question that is closed. */
export const decisionOf = ({ by, verdict }: Model.EventOf<"request_closed">): ApprovalDecision => {
  switch (by) {
    case "answered":
      return verdict === "allow" ? "allow" : "deny"
    case "expired":
      return "expired"
    case "withdrawn":
      return "cancelled"
    default:
      return "unanswered"
  }
}
