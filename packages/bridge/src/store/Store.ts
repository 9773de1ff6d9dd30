/**
 * The port of what outlives a restart: the log of every thread, its transcript, and what is known of it.
 *
 * The log of a thread is one sequence of events, numbered from 0, which only grows. Whoever writes it has a claim, which
 * is fenced by its epoch: claiming a thread ends the claim before it, whatever became of its owner. Everything is plain
 * JSON: what was put in comes back as `JSON.parse(JSON.stringify(…))` would give it. Ids are well-formed strings without
 * control characters. `test/store/contract.ts` holds every implementation to what is said here.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Checkpoint, Segment } from "./Checkpoint.ts"
import type { StoredThread, ThreadChange, Workspace } from "./StoredThread.ts"
import type { ClaimLost, StoreFailed, ThreadElsewhere, ThreadMissing } from "./StoreErrors.ts"

/** Somebody's right to write a thread. */
export interface Claim {
  readonly threadId: string
  /** Higher than that of every claim of the thread before. */
  readonly epoch: number
  /** The number of the next event, when the thread was claimed. */
  readonly next: number
  /** The newest checkpoint, when the thread was claimed. The events from its number on complete it. */
  readonly checkpoint: Checkpoint | undefined
  /** What was known of the thread, when it was claimed. */
  readonly thread: StoredThread
  /** The bridge that had the thread before did not give it back: it was killed, or gives no sign of life any more. */
  readonly abandoned?: true
}

/** An event to be written. */
export interface Happened {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly event: Model.Event
}

/** An event that is written. */
export interface StoredEvent extends Happened {
  readonly seq: number
}

/** An entry of the transcript in its place. */
export interface PlacedEntry {
  /** A number of the thread that only grows; whoever writes gives it. */
  readonly position: number
  readonly branch: number
  readonly entry: Model.TranscriptEntry
}

/** What is written together: all of it or nothing. */
export interface Batch {
  /**
   * The number of the first event: the next of the thread. Events that were written already under this claim are not
   * written again: the answer to an append may be lost, and the append repeated.
   */
  readonly first: number
  readonly events: ReadonlyArray<Happened>
  readonly checkpoint?: Checkpoint
  /** Entries that are new or have changed. An entry of the same position is replaced. */
  readonly entries?: ReadonlyArray<PlacedEntry>
  readonly thread?: ThreadChange
}

/** Which entries of a transcript are wanted: the newest that fit. */
export interface EntryQuery {
  /** The conversation, as a path through the branches. */
  readonly path: ReadonlyArray<Segment>
  /** Only entries before this position. */
  readonly before?: number
  /** How many entries at most. Default 1,000. */
  readonly maxEntries?: number
  /** How many bytes at most, as JSON in UTF-8. The newest entry is given even when it is larger. Default 8 MB. */
  readonly maxBytes?: number
}

/** Entries of a transcript. */
export interface EntryPage {
  /** In order of their positions. */
  readonly entries: ReadonlyArray<PlacedEntry>
  /** Whether the path has more before them. */
  readonly more: boolean
}

/** Positions from one on, and before another: those that somebody has read already. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** Whether a position is not in a span. */
export const isBeyond = (position: number, { from, until }: Span): boolean => position < from || position >= until

/** No position. */
export const nowhere: Span = { from: 0, until: 0 }

/** Which threads are wanted. */
export interface ThreadQuery {
  readonly workspaceId?: string
  /** Only archived ones, or only others. Default: both. */
  readonly archived?: boolean
  /** Only those after this one in the list: the last of the page before. */
  readonly after?: { readonly activeAt: number; readonly threadId: string }
  /** How many at most. Default 100. */
  readonly limit?: number
}

/** What a list says of a thread: all but the application's state and the prompts that wait. */
export type ListedThread = Omit<StoredThread, "state" | "waiting">

/** Threads, that with the newest message first; of those of the same time, that with the greater id (in UTF-8) first. */
export interface ThreadPage {
  readonly threads: ReadonlyArray<ListedThread>
  readonly more: boolean
}

/** What outlives a restart. */
export class Store extends Context.Service<
  Store,
  {
    /** Makes a thread, with what was said in it before, if anything. False: there is one of this id already. */
    readonly create: (
      thread: StoredThread,
      beginning?: Pick<Batch, "checkpoint" | "entries">
    ) => Effect.Effect<boolean, StoreFailed>
    readonly thread: (threadId: string) => Effect.Effect<StoredThread | undefined, StoreFailed>
    /** Changes what is known of a thread, whoever has it. False: there is none. */
    readonly change: (threadId: string, change: ThreadChange) => Effect.Effect<boolean, StoreFailed>
    readonly threads: (query?: ThreadQuery) => Effect.Effect<ThreadPage, StoreFailed>
    /** Removes a thread with all that was said, whoever has it: its claim is lost. False: there was none. */
    readonly remove: (threadId: string) => Effect.Effect<boolean, StoreFailed>

    /**
     * Takes a thread, to write it. Fails when another bridge that is alive has it. A claim that this store has given
     * before is lost with it.
     */
    readonly claim: (threadId: string) => Effect.Effect<Claim, ThreadElsewhere | ThreadMissing | StoreFailed>
    /** Gives a thread back. Nothing happens when the claim was lost. */
    readonly release: (claim: Claim) => Effect.Effect<void, StoreFailed>
    /** Waits until the claim is lost, also when nothing is written meanwhile. */
    readonly lost: (claim: Claim) => Effect.Effect<ClaimLost>
    /**
     * Writes events and all that comes with them. Done when they are written. Appends of one claim are written in the
     * order in which they are run; none need wait for the one before. When one fails, those that were run after it fail, too.
     */
    readonly append: (claim: Claim, batch: Batch) => Effect.Effect<void, ClaimLost | StoreFailed>

    /** Events from a number on, at most so many. None when there is no such thread, or no more. */
    readonly events: (
      threadId: string,
      from: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredEvent>, StoreFailed>
    /** The number that the next event will have; undefined when there is no such thread. */
    readonly next: (threadId: string) => Effect.Effect<number | undefined, StoreFailed>
    /** The newest checkpoint whose number is not greater than this one. Old ones may have been dropped, never the newest. */
    readonly checkpointBefore: (threadId: string, seq: number) => Effect.Effect<Checkpoint | undefined, StoreFailed>
    readonly entries: (threadId: string, query: EntryQuery) => Effect.Effect<EntryPage, StoreFailed>
    /** How many entries a path has, before a position. */
    readonly countEntries: (
      threadId: string,
      query: Pick<EntryQuery, "path" | "before">
    ) => Effect.Effect<number, StoreFailed>
    /**
     * How many messages a path has, before a position: a text and the calls that hang on it are one, and so are calls that
     * hang on one message without a text. Everything else is a message of its own.
     */
    readonly countMessages: (
      threadId: string,
      query: Pick<EntryQuery, "path" | "before">
    ) => Effect.Effect<number, StoreFailed>
    /** All texts with these ids and all calls that hang on them, on any branch, in order of their positions. */
    readonly messageParts: (
      threadId: string,
      ids: ReadonlyArray<string>,
      except?: Span
    ) => Effect.Effect<ReadonlyArray<PlacedEntry>, StoreFailed>
    /** All entries with these ids, on any branch, in order of their positions: a call and its result have the same. */
    readonly entriesById: (
      threadId: string,
      ids: ReadonlyArray<string>,
      except?: Span
    ) => Effect.Effect<ReadonlyArray<PlacedEntry>, StoreFailed>

    /** All workspaces, the oldest first; of those of the same time, that with the smaller id (in UTF-8). */
    readonly workspaces: Effect.Effect<ReadonlyArray<Workspace>, StoreFailed>
    readonly workspace: (id: string) => Effect.Effect<Workspace | undefined, StoreFailed>
    /** Makes a workspace, or replaces the one of the same id. */
    readonly putWorkspace: (workspace: Workspace) => Effect.Effect<void, StoreFailed>
    /** Removes a workspace. Its threads stay. False: there was none. */
    readonly removeWorkspace: (id: string) => Effect.Effect<boolean, StoreFailed>

    /** Notes for ever that something was done. False: it was noted before. */
    readonly mark: (name: string) => Effect.Effect<boolean, StoreFailed>
    readonly isMarked: (name: string) => Effect.Effect<boolean, StoreFailed>
  }
>()("@agentwire/bridge/Store") {}

/** How many entries a page has, unless it is said. */
export const defaultMaxEntries = 1000

/** How large a page of entries is, unless it is said: an AG-UI client takes no event above 10 MB. */
export const defaultMaxBytes = 8 * 1024 * 1024

/** How many threads a page has, unless it is said. */
export const defaultMaxThreads = 100
