/**
 * Turns: what begins one, and how one ends in order. The status of the thread comes before both, as Codex has it, and a
 * failure is told twice: as an error, and in the turn (docs/wire/codex.md, §3.8, §3.9).
 */
import type { CodexErrorInfo } from "../codex/generated/TurnState.ts"
import type { EventOf, TurnOutcome } from "../model/Event.ts"
import { addUsage, noUsage } from "../model/Usage.ts"
import { textIn } from "../wire/Fields.ts"
import { closeCalls } from "./Call.ts"
import type { OpenTurn } from "./Cursor.ts"
import { type Draft, passItem, set, tell } from "./Draft.ts"
import { turnIdOf } from "./Ids.ts"
import { closeSpeeches } from "./Speech.ts"
import { statusChanged } from "./Status.ts"
import { completedTurn, startedTurn, type TurnEnd } from "./TurnObject.ts"
import { spend } from "./Usage.ts"

/** The agent begins to work. */
export const startTurn = (draft: Draft): void => {
  // One that has no end is over all the same.
  if (draft.cursor.turn !== undefined) endTurn(draft, { type: "turn_ended", outcome: { type: "cancelled" } })
  const { threadId, turns } = draft.cursor
  const id = turnIdOf(threadId, turns + 1)
  const turn = { thread: threadId, turn: id, root: id, startedAt: draft.at, said: undefined }
  set(draft, { turns: turns + 1, turn })
  statusChanged(draft, null)
  tell(draft, "turn/started", { threadId, turn: startedTurn(turn) })
}

/** The turn is over. Whatever the main conversation has open is closed before. */
export const endTurn = (draft: Draft, { outcome, usage }: EventOf<"turn_ended">): void => {
  if (draft.cursor.turn === undefined) return
  closeSpeeches(draft, (lane) => lane === null)
  closeCalls(draft, (lane) => lane === null)
  if (usage !== undefined) spend(draft, usage)
  const { spending, threadId, turn } = draft.cursor
  if (turn === undefined) return
  tellReview(draft, turn)
  const end = endOf(outcome)
  tell(draft, "thread/status/changed", {
    threadId,
    status: end.status === "failed" ? { type: "systemError" } : { type: "idle" }
  })
  if (end.error !== null) tell(draft, "error", { error: end.error, willRetry: false, threadId, turnId: turn.turn })
  tell(draft, "turn/completed", { threadId, turn: completedTurn(turn, end, draft.at) })
  set(draft, {
    turn: undefined,
    spending: { before: addUsage(spending.before, spending.turn), turn: noUsage, last: noUsage },
    plans: new Map(),
    diffs: []
  })
}

/** A review ends with its turn: what it came to is the newest message. */
const tellReview = (draft: Draft, turn: OpenTurn): void => {
  if (turn.review === undefined) return
  const review = turn.said?.type === "agentMessage" && "text" in turn.said ? textIn(turn.said.text) : undefined
  passItem(draft, null, turn, { type: "exitedReviewMode", id: `${turn.review}:exited`, review: review ?? "" })
}

const endOf = (outcome: TurnOutcome): TurnEnd => {
  switch (outcome.type) {
    case "completed":
      return { status: "completed", error: null }
    case "cancelled":
      return { status: "interrupted", error: null }
    default: {
      const { code, message, type } = outcome
      const info = errorInfoOf(code, type === "limited")
      // What Codex has no word for is told beside the words for people.
      const details = info === code ? null : code
      return { status: "failed", error: { message, codexErrorInfo: info, additionalDetails: details } }
    }
  }
}

/** Codex's own words for what went wrong, and what Claude Code calls it. */
const errorInfos: Readonly<Record<string, CodexErrorInfo>> = {
  contextWindowExceeded: "contextWindowExceeded",
  sessionBudgetExceeded: "sessionBudgetExceeded",
  usageLimitExceeded: "usageLimitExceeded",
  rateLimitExceeded: "rateLimitExceeded",
  serverOverloaded: "serverOverloaded",
  modelNotFound: "modelNotFound",
  tooManyDenials: "tooManyDenials",
  internalServerError: "internalServerError",
  unauthorized: "unauthorized",
  badRequest: "badRequest",
  sandboxError: "sandboxError",
  rate_limit: "rateLimitExceeded",
  overloaded: "serverOverloaded",
  authentication_failed: "unauthorized",
  invalid_request: "badRequest",
  model_not_found: "modelNotFound",
  server_error: "internalServerError",
  billing_error: "usageLimitExceeded"
}

/** A limit that somebody set is a budget, whatever it counts. */
const errorInfoOf = (code: string, isLimit: boolean): CodexErrorInfo =>
  (Object.hasOwn(errorInfos, code) ? errorInfos[code] : undefined) ?? (isLimit ? "sessionBudgetExceeded" : "other")
