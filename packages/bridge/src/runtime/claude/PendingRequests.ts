/**
 * What a CLI still asks after its connection broke.
 *
 * A control request that was written into the cut is never sent again, and the CLI waits for its answer without a limit.
 * But it lists the permissions it waits for in its answer to a second `initialize`; up to 2.1.120 that answer is the
 * error "Already initialized" (docs/wire/claude-code.md §2).
 */
import { randomUUID } from "node:crypto"
import { type Decoded, decodeLine } from "@agentwire/protocol/claude"

/** A question to the CLI: what it still waits for. */
export interface PendingRequests {
  /** The line that asks. */
  readonly question: object
  /** What a message tells: the requests that wait, where it is the answer; undefined for every other message. */
  readonly read: (decoded: Decoded) => ReadonlyArray<Decoded> | undefined
}

/** Asks once. `isKnown`: a request that was heard before is not told again. */
export const askPending = (isKnown: (requestId: string) => boolean): PendingRequests => {
  const id = `pending-${randomUUID()}`
  return {
    question: { type: "control_request", request_id: id, request: { subtype: "initialize" } },
    read: (decoded) => {
      if (decoded._tag !== "Known") return undefined
      if (decoded.name !== "control_response/success" && decoded.name !== "control_response/error") return undefined
      const { response } = decoded.message
      if (response.request_id !== id) return undefined
      const { pending_elicitation_requests: forms = [], pending_permission_requests: permissions = [] } = response
      return [...permissions, ...forms]
        .filter(({ request_id }) => !isKnown(request_id))
        .map((request) => decodeLine(JSON.stringify(request)))
    }
  }
}
