/**
 * A thread made of another one: with its history up to a point, continued in a copy of the provider's conversation. The
 * old thread is only read, and may be in use meanwhile.
 */
import * as Model from "@agentwire/protocol/model"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { trunk } from "../store/Checkpoint.ts"
import type { Batch, PlacedEntry, Store } from "../store/Store.ts"
import type { StoredThread } from "../store/StoredThread.ts"
import type { LookAtThread, SeenThread } from "./LookAtThread.ts"
import { findTarget, type PointTarget } from "./PointTarget.ts"
import { refused, type SessionRefused } from "./SessionRefused.ts"
import { forkTitle } from "./ThreadTitle.ts"

/** A thread to make of another one. */
export interface ForkRequest {
  /** The new thread. */
  readonly threadId: string
  /** Where it leaves the old one. Default: where that is now. */
  readonly target?: PointTarget | undefined
  /** What a person calls it. Default: as the old one, with a mark. */
  readonly title?: string | undefined
}

/** A thread to be made, with what was said in it. */
export interface ForkedThread {
  readonly thread: StoredThread
  readonly beginning: Pick<Batch, "checkpoint" | "entries">
}

/** The thread that a fork becomes; undefined: there is no old one. */
export const readFork = (
  store: Store["Service"],
  look: LookAtThread,
  from: string,
  { target, threadId, title }: ForkRequest
): Effect.Effect<ForkedThread | undefined, SessionRefused> =>
  Effect.gen(function* () {
    const beginning = yield* look(from, (seen) => readBeginning(seen, target))
    const old = yield* Effect.mapError(store.thread(from), refused)
    if (beginning === undefined || old === undefined) return undefined
    const { cwd, mcpServers, mode, options, state, summary } = old
    const now = yield* Clock.currentTimeMillis
    return {
      thread: {
        threadId,
        cwd,
        options,
        ...(mcpServers !== undefined && { mcpServers }),
        ...(mode !== undefined && { mode }),
        ...(state !== undefined && { state }),
        ...(summary !== undefined && { summary }),
        ...(title === undefined ? forkTitle(old) : { title, titleBy: "person" }),
        forkOf: from,
        archived: false,
        createdAt: now,
        activeAt: now
      },
      beginning
    }
  })

/** How many entries are read at once. */
const pageSize = 1000

const readBeginning = (
  { view }: SeenThread,
  target: PointTarget | undefined
): Effect.Effect<Pick<Batch, "checkpoint" | "entries">, SessionRefused> =>
  Effect.gen(function* () {
    const { from } = yield* findTarget(view, target ?? { branch: view.situation.branch })
    const path = Model.pathThrough(view.situation.origins, from)
    const pages: Array<ReadonlyArray<PlacedEntry>> = []
    for (let before = from === null ? 0 : from.position + 1; ; ) {
      const page = yield* view.page({ path, before, maxEntries: pageSize })
      pages.unshift(page.entries)
      before = page.entries[0]?.position ?? 0
      if (!page.more) break
    }
    const isOpen = ({ id, kind, lane }: Model.TranscriptEntry): boolean =>
      (kind === "task" || lane !== null) && view.situation.items.has(id)
    // What a sub-agent or a task has not ended goes on in the old thread alone.
    const said = pages.flat().flatMap(({ entry }) => (isOpen(entry) ? [] : [entry]))
    const { anchor, entries } = knownPart(target === undefined ? withoutUnanswered(view.situation, said) : said)
    return {
      entries: entries.map((entry, position) => ({ position, branch: 0, entry })),
      checkpoint: {
        seq: 0,
        situation: Model.situationToJson({
          ...Model.emptySituation,
          state: view.situation.state,
          goesOnAt: { anchor }
        }),
        path: trunk,
        nextPosition: entries.length
      }
    }
  })

/** Without the prompts of an open turn that nothing was said to yet: the old thread is about to answer them. */
const withoutUnanswered = (
  { turn }: Model.Situation,
  said: ReadonlyArray<Model.TranscriptEntry>
): ReadonlyArray<Model.TranscriptEntry> => {
  const isAnswer = ({ anchor, kind, lane }: Model.TranscriptEntry): boolean =>
    lane === null && kind !== "prompt" && anchor !== undefined
  return turn === undefined ? said : said.slice(0, said.findLastIndex(isAnswer) + 1)
}

/**
 * What the agent knows of what was said, and the runtime's name for the point after it. In the middle of a turn that is not
 * all of it: a call without a result cannot be continued from.
 */
export const knownPart = (
  said: ReadonlyArray<Model.TranscriptEntry>
): { readonly entries: ReadonlyArray<Model.TranscriptEntry>; readonly anchor: string | null } => {
  const isMain = ({ kind, lane }: Model.TranscriptEntry): boolean => lane === null && kind !== "task"
  const turn = said.findLastIndex((entry) => isMain(entry) && entry.kind === "prompt")
  let end = said.length
  for (;;) {
    const answered = new Set(said.slice(0, end).flatMap(({ id, kind }) => (kind === "result" ? [id] : [])))
    const open = said.findIndex(
      (entry, at) => at > turn && at < end && isMain(entry) && entry.kind === "call" && !answered.has(entry.id)
    )
    if (open === -1) break
    end = open
  }
  const last = said.slice(0, end).findLastIndex((entry) => isMain(entry) && entry.anchor !== undefined)
  return { entries: said.slice(0, last + 1), anchor: said[last]?.anchor ?? null }
}
