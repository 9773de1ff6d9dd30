/**
 * The ends of requests: each closes once, by the answer, when the server resolves it, with its call, or with the turn.
 */
import type { Closing } from "../../model/Request.ts"
import { withoutEntry } from "../../model/Situation.ts"
import { type Asked, type FoldState, laneOf, type Out, remembered, withoutCall } from "./State.ts"

/** Closes some requests. */
export const closeRequests = (state: FoldState, which: (asked: Asked) => boolean, by: Closing, out: Out): FoldState => {
  let next = state
  for (const [id, asked] of state.requests) {
    if (!which(asked)) continue
    out.push({ type: "request_closed", lane: laneOf(state, asked.thread), id, by })
    next = withoutVirtualCall({ ...next, requests: withoutEntry(next.requests, id) }, asked, by, out)
  }
  return next
}

/** What was asked about a call is answered, because the call is over. */
export const settleRequests = (state: FoldState, call: string, out: Out): FoldState =>
  closeRequests(state, (asked) => asked.call === call, "answered", out)

/** A call that nothing but its request speaks of is over with it. */
const withoutVirtualCall = (state: FoldState, asked: Asked, by: Closing, out: Out): FoldState => {
  const call = asked.call === undefined ? undefined : state.calls.get(asked.call)
  if (call?.isRequestOnly !== true) return state
  out.push({
    type: "call_answered",
    lane: laneOf(state, call.thread),
    id: call.id,
    content: by === "answered" ? "" : "Nobody answered.",
    failed: by !== "answered"
  })
  return { ...withoutCall(state, call.id), complete: remembered(state.complete, call.id) }
}
