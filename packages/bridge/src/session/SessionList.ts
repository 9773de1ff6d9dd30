/**
 * Threads as a list shows them, in pages: that with the newest message first.
 */
import * as Effect from "effect/Effect"
import type { ListedThread, Store } from "../store/Store.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import type { SessionStatus } from "./Session.ts"
import { SessionRefused } from "./SessionRefused.ts"

/** A session as a list shows it. */
export interface SessionSummary {
  readonly threadId: string
  readonly status: SessionStatus
  readonly providerSessionId: string | undefined
  readonly cwd: string | undefined
  readonly mode: string | undefined
  /** What a person has called it, else the provider, else the beginning of the first prompt. */
  readonly title: string | undefined
  /** What it is about, where somebody has said so. */
  readonly summary: string | undefined
  /** The workspace of its folder. */
  readonly workspaceId: string | undefined
  readonly archived: boolean
  /** It was begun elsewhere, such as in a terminal, and continued here. */
  readonly adopted: boolean
  /** The thread that it was made of, where it is a fork. */
  readonly forkOf: string | undefined
  /** When the thread was made, in milliseconds since 1970. */
  readonly createdAt: number
  /** When the last message was said in it, in milliseconds since 1970. Being looked at does not count. */
  readonly usedAt: number
}

/** Which threads are wanted. */
export interface SessionQuery {
  /** Only those of a workspace. */
  readonly workspaceId?: string | undefined
  /** Only archived ones, or only others. Default: both. */
  readonly archived?: boolean | undefined
  /** What the page before said. */
  readonly before?: string | undefined
  /** How many at most. Default 100. */
  readonly limit?: number | undefined
}

/** Threads of a list. */
export interface SessionPage {
  readonly sessions: ReadonlyArray<SessionSummary>
  /** What to ask for the next page with; undefined when there is none. */
  readonly before: string | undefined
}

type Place = Pick<ListedThread, "activeAt" | "threadId">

/** The cursor of a place in the list: a text that means nothing to others. */
export const listCursor = ({ activeAt, threadId }: Place): string =>
  Buffer.from(JSON.stringify([activeAt, threadId])).toString("base64url")

const placeOf = (cursor: string): Place | undefined => {
  try {
    const [activeAt, threadId, ...more]: ReadonlyArray<unknown> = JSON.parse(
      Buffer.from(cursor, "base64url").toString()
    )
    if (typeof activeAt === "number" && typeof threadId === "string" && more.length === 0) return { activeAt, threadId }
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof TypeError)) throw cause
  }
  return undefined
}

/** How many threads a page has, unless it is said. */
export const defaultListLimit = 100

/** A page of the list. `statusOf`: what the session of a thread is doing. */
export const readSessionPage = (
  store: Pick<Store["Service"], "threads">,
  statusOf: (threadId: string) => Effect.Effect<SessionStatus>,
  { archived, before, limit = defaultListLimit, workspaceId }: SessionQuery
): Effect.Effect<SessionPage, SessionRefused | StoreFailed> =>
  Effect.gen(function* () {
    const after = before === undefined ? undefined : placeOf(before)
    if (before !== undefined && after === undefined) return yield* badCursor
    const { more, threads } = yield* store.threads({
      limit,
      ...(workspaceId !== undefined && { workspaceId }),
      ...(archived !== undefined && { archived }),
      ...(after !== undefined && { after })
    })
    const sessions = yield* Effect.forEach(threads, (thread) =>
      Effect.map(statusOf(thread.threadId), (status) => summaryOf(thread, status))
    )
    const last = threads.at(-1)
    return { sessions, before: more && last !== undefined ? listCursor(last) : undefined }
  })

/** A thread as a list shows it. */
export const summaryOf = (thread: ListedThread, status: SessionStatus): SessionSummary => ({
  threadId: thread.threadId,
  status,
  providerSessionId: thread.providerSessionId,
  cwd: thread.cwd,
  mode: thread.mode,
  title: thread.title,
  summary: thread.summary,
  workspaceId: thread.workspaceId,
  archived: thread.archived,
  adopted: thread.adopted ?? false,
  forkOf: thread.forkOf,
  createdAt: thread.createdAt,
  usedAt: thread.activeAt
})

const badCursor = new SessionRefused({
  code: "BAD_CURSOR",
  message: "`before` is not what a page of this list said. Ask without it for the first page."
})
