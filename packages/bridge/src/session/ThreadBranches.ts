/**
 * The branches of a thread, a page at a time: where each left which other one, and what was said on it.
 *
 * One that nothing was said on is left out, unless the conversation is on it: somebody went back, and went back again before
 * they said anything.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import { pageCursor, placeOf } from "../log/PageCursor.ts"
import type { SeenThread } from "./LookAtThread.ts"
import { entryAt } from "./PointTarget.ts"
import { SessionRefused } from "./SessionRefused.ts"
import { titleOf } from "./ThreadTitle.ts"

/** Which branches of a thread are wanted: the newest. */
export interface BranchQuery {
  /** What the page before said. */
  readonly before?: string | undefined
  /** How many at most. Default 100. */
  readonly limit?: number | undefined
}

/** A branch of a thread. */
export interface ThreadBranch {
  readonly branch: number
  /** Whether the conversation is on it. */
  readonly current: boolean
  /** What it continues; undefined: it begins with nothing. */
  readonly after: { readonly branch: number; readonly entry: Model.TranscriptEntry } | undefined
  /** How the first prompt on it begins. */
  readonly firstWords: string | undefined
  /** In milliseconds since 1970. */
  readonly createdAt: number
  /** How many messages were said on it. */
  readonly messages: number
}

/** Branches of a thread, the newest first. */
export interface BranchPage {
  readonly branches: ReadonlyArray<ThreadBranch>
  /** What to ask for the next page with; undefined when there is none. */
  readonly before: string | undefined
}

const defaultLimit = 100

/** How far into a branch its first prompt is looked for: nearly always it is what a branch begins with. */
const firstEntries = 10

/** A page of the branches of a thread. */
export const readBranches = (
  seen: SeenThread,
  { before, limit = defaultLimit }: BranchQuery
): Effect.Effect<BranchPage, SessionRefused> =>
  Effect.gen(function* () {
    const { createdAt, view } = seen
    const count = view.situation.origins.length
    const end = before === undefined ? count : placeOf(createdAt, before, 1)?.[0]
    if (end === undefined || end > count) return yield* badCursor
    const branches: Array<ThreadBranch> = []
    let next = end
    while (next > 0 && branches.length < limit) {
      const branch = yield* readBranch(seen, --next)
      if (branch.messages > 0 || branch.current) branches.push(branch)
    }
    return { branches, before: (yield* isAnyBefore(seen, next)) ? pageCursor(createdAt, next) : undefined }
  })

/** Whether any branch before a number would be listed. */
const isAnyBefore = ({ view }: SeenThread, end: number): Effect.Effect<boolean, SessionRefused> =>
  Effect.gen(function* () {
    for (let branch = end - 1; branch >= 0; branch--)
      if (branch === view.situation.branch || (yield* view.along([{ branch }]).countMessages) > 0) return true
    return false
  })

const readBranch = ({ createdAt, view }: SeenThread, branch: number): Effect.Effect<ThreadBranch, SessionRefused> =>
  Effect.gen(function* () {
    const { beginnings, branch: current, origins } = view.situation
    const origin = origins[branch] ?? null
    const beginning = beginnings[branch] ?? undefined
    const entry = yield* entryAt(view, origin)
    const before = (beginning?.position ?? (origin === null ? 0 : origin.position + 1)) + firstEntries
    const { entries } = yield* view.page({ path: [{ branch }], before, maxEntries: firstEntries })
    return {
      branch,
      current: branch === current,
      after: origin === null || entry === undefined ? undefined : { branch: origin.branch, entry },
      firstWords: entries
        .flatMap(({ entry }) => (entry.kind === "prompt" ? [titleOf(entry.content)] : []))
        .find(Boolean),
      createdAt: beginning?.at ?? createdAt,
      messages: yield* view.along([{ branch }]).countMessages
    }
  })

const badCursor = new SessionRefused({
  code: "BAD_CURSOR",
  message: "`before` is not what a page of this list said. Ask without it for the newest branches."
})
