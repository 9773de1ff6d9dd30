/**
 * The questions of a session that a person was asked, and what became of each.
 *
 * The events tell that one was asked, the lines that it was answered. A question that is refused without asking
 * anybody is none of these.
 */
import type { Agui } from "@agentwire/protocol"
import { isRecord } from "../face/agui/RunRequest.ts"
import type { PendingQuestion } from "../session/Session.ts"
import type { Traffic } from "./ControlTraffic.ts"

/** What became of a question. `cancelled`: the agent took it back. `unanswered`: the agent was gone before. */
export type ApprovalDecision = "allow" | "deny" | "expired" | "cancelled" | "unanswered"

/** The events that ask somebody who answers while the run goes on. */
const asking: ReadonlySet<string> = new Set(["tool_approval_request", "elicitation_request"])

/** Follows the questions of one session. */
export class Approvals {
  /** When each is refused, where that is known. */
  readonly #open = new Map<string, number>()

  /** The ids of the questions that an event asks for the first time. */
  asked(event: Agui.AguiEvent): ReadonlyArray<string> {
    const fresh = idsIn(event).filter((id) => !this.#open.has(id))
    for (const id of fresh) this.#open.set(id, Number.POSITIVE_INFINITY)
    return fresh
  }

  /** Notes until when questions wait. */
  limits(pending: ReadonlyArray<PendingQuestion>): void {
    for (const { expiresAt, requestId } of pending) if (this.#open.has(requestId)) this.#open.set(requestId, expiresAt)
  }

  /** What became of a question, when a request of the agent came to an end. */
  ended(traffic: Traffic): { readonly id: string; readonly decision: ApprovalDecision } | undefined {
    if (traffic._tag !== "Ended" || traffic.by !== "agent") return undefined
    const { at, id } = traffic
    const expiresAt = this.#open.get(id)
    if (expiresAt === undefined) return undefined
    this.#open.delete(id)
    const decision = decisionOf(traffic)
    return { id, decision: decision === "deny" && at >= expiresAt ? "expired" : decision }
  }
}

const idsIn = (event: Agui.AguiEvent): ReadonlyArray<string> => {
  if (event.type === "RUN_FINISHED")
    return event.outcome?.type === "interrupt" ? event.outcome.interrupts.map(({ id }) => id) : []
  if (event.type !== "CUSTOM" || !asking.has(event.name) || !isRecord(event.value)) return []
  const { requestId } = event.value
  return typeof requestId === "string" ? [requestId] : []
}

/** A permission is `allow` or `deny`, a form is accepted or not. */
const decisionOf = ({ outcome, response }: Extract<Traffic, { _tag: "Ended" }>): ApprovalDecision => {
  if (outcome === "cancelled" || outcome === "unanswered") return outcome
  return response["behavior"] === "allow" || response["action"] === "accept" ? "allow" : "deny"
}
