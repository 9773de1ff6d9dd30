/**
 * What was said in a thread, a page at a time: in the conversation, or along another of its branches.
 */
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import { readHistory } from "../log/MomentReader.ts"
import { pageCursor, placeOf } from "../log/PageCursor.ts"
import type { SeenThread } from "./LookAtThread.ts"
import { noSuchBranch } from "./PointTarget.ts"
import { SessionRefused } from "./SessionRefused.ts"

/** Which messages of a thread are wanted. */
export interface HistoryQuery {
  /** What the page after this one said. Without it, the newest messages are given. */
  readonly before?: string | undefined
  /** About how many messages at most: one comes with the results of its calls. Default 100. */
  readonly limit?: number | undefined
  /** Those of this branch and on the way to it. Default: of the conversation, or of the page after this one. */
  readonly branch?: number | undefined
}

/** Messages of a thread, as the entries that they are made of. */
export interface ThreadHistory {
  readonly entries: ReadonlyArray<Model.TranscriptEntry>
  /** What to ask for the page before this one with; undefined when there is none. */
  readonly before: string | undefined
  /** How many messages there are on the way. Only the newest page says so. */
  readonly total: number | undefined
}

const defaultLimit = 100

/** How large a page is, unless one message is larger. */
const maxBytes = 8_000_000

/** A page of what was said in a thread. */
export const readThreadHistory = (
  { createdAt, view }: SeenThread,
  { before, branch, limit = defaultLimit }: HistoryQuery
): Effect.Effect<ThreadHistory, SessionRefused> =>
  Effect.gen(function* () {
    // A conversation that goes back meanwhile does not change what was said before a page.
    const [branchBefore, position] = (before === undefined ? undefined : placeOf(createdAt, before, 2)) ?? []
    const isOther = branch !== undefined && branchBefore !== branch
    if (before !== undefined && (position === undefined || isOther)) return yield* badCursor
    const { origins } = view.situation
    const wanted = branch ?? branchBefore ?? view.situation.branch
    if (origins[wanted] === undefined) return yield* noSuchBranch
    const query = { before: position, maxMessages: limit, maxBytes, atLeastOne: true }
    const page = yield* readHistory(view.along(Model.pathOf(origins, wanted)), query)
    return {
      entries: page.entries,
      before: page.before === undefined ? undefined : pageCursor(createdAt, wanted, page.before),
      total: page.total
    }
  })

const badCursor = new SessionRefused({
  code: "BAD_CURSOR",
  message: "`before` is not what a page of this thread said. Ask without it for the newest page."
})
