/**
 * The threads of the bridge as Codex's clients list them.
 */
import type { ParamsOf, ResultOf } from "@agentwire/protocol/codex"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import { type SessionSummary, Sessions } from "../../session/Sessions.ts"
import type { Call } from "./Call.ts"
import { sessionRefused } from "./Refusals.ts"
import { wireIdOf } from "./ThreadIds.ts"
import { listedStatus, threadOf, type WireThread } from "./ThreadView.ts"

type Query = ParamsOf<"thread/list">

/** Codex lists no thread before something was said in it (0.166.0, measured): a client begins one at its start. */
const isUnsaid = ({ createdAt, title, usedAt }: SessionSummary): boolean => title === undefined && usedAt === createdAt

/** What the threads here are said to be, and what is listed where no kind is named. */
const kinds: ReadonlySet<unknown> = new Set(["vscode", "cli"])

/** Whether a list is one that no thread here is in: there are no sections and projects, and sub-agents are in their threads. */
const isOfOthers = ({
  ancestorThreadId,
  attachedToThreadId,
  parentThreadId,
  projectId,
  sectionId,
  sourceKinds
}: Query): boolean =>
  [ancestorThreadId, attachedToThreadId, parentThreadId, projectId, sectionId].some((id) => typeof id === "string") ||
  (sourceKinds !== undefined &&
    sourceKinds !== null &&
    sourceKinds.length > 0 &&
    !sourceKinds.some((kind) => kinds.has(kind)))

/** A page of threads, those with the newest message first. */
export const listThreads = (params: Query, call: Call): Effect.Effect<ResultOf<"thread/list">, Refusal, Sessions> =>
  Effect.gen(function* () {
    const data: Array<WireThread> = []
    if (isOfOthers(params)) return { data, nextCursor: null, backwardsCursor: null, readStates: null }
    const sessions = yield* Sessions
    const { options } = call.client.shared
    const folders = params.cwd === undefined || params.cwd === null ? undefined : [params.cwd].flat().map(String)
    const excluded = new Set(params.excludedThreadIds ?? [])
    const words = params.searchTerm?.toLowerCase()
    const limit = Math.max(1, Math.min(params.limit ?? 25, 100))
    let cursor = params.cursor ?? undefined
    do {
      const page = yield* Effect.mapError(
        sessions.page({ archived: params.archived === true, before: cursor, limit: limit - data.length }),
        sessionRefused
      )
      for (const summary of page.sessions) {
        const cwd = summary.cwd ?? options.cwd
        if (folders !== undefined && !folders.includes(cwd)) continue
        if (isUnsaid(summary)) continue
        if (excluded.has(wireIdOf(summary.threadId)) || call.client.ephemerals.has(summary.threadId)) continue
        if (typeof words === "string" && summary.title?.toLowerCase().includes(words) !== true) continue
        data.push(threadOf({ ...summary, cwd }, options, { status: listedStatus(summary) }))
      }
      cursor = page.before
    } while (cursor !== undefined && data.length < limit)
    return { data, nextCursor: cursor ?? null, backwardsCursor: null, readStates: null }
  })
