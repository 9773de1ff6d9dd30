/**
 * A store in memory: for tests, and for bridges that need not outlive their process. It is forgotten with its memory.
 */
import { hostname } from "node:os"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Segment } from "../Checkpoint.ts"
import { ClaimBook } from "../ClaimBook.ts"
import { newestThatFit } from "../EntryPages.ts"
import { messageOf } from "../MessageOf.ts"
import {
  type Batch,
  type Claim,
  defaultMaxBytes,
  defaultMaxEntries,
  defaultMaxThreads,
  isBeyond,
  nowhere,
  type PlacedEntry,
  type Span,
  Store
} from "../Store.ts"
import { changeThread, type StoredThread } from "../StoredThread.ts"
import {
  type ClaimLost,
  claimReleased,
  claimRemoved,
  claimTaken,
  outOfOrder,
  StoreFailed,
  ThreadElsewhere,
  type ThreadMissing,
  threadMissing
} from "../StoreErrors.ts"
import { byBytes, copied, type Memory, type MemoryNode, type MemoryThread, makeMemory } from "./Memory.ts"

/** What may be chosen about a store in memory. */
export interface MemoryStoreOptions {
  /** What other stores share. Default: memory of its own. */
  readonly memory?: Memory
  /** How long after its last sign of life another store may take what this one has. Default 15 seconds. */
  readonly lease?: Duration.Input
}

/** A store in memory. */
export const layerMemoryStore = (options: MemoryStoreOptions = {}): Layer.Layer<Store> =>
  Layer.effect(Store, makeMemoryStore(options))

const path = "memory"

/** A store in memory, for as long as the scope is open. */
export const makeMemoryStore = Effect.fnUntraced(function* ({
  lease = "15 seconds",
  memory = makeMemory()
}: MemoryStoreOptions): Effect.fn.Return<Store["Service"], never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const leaseMillis = Duration.toMillis(Duration.fromInputUnsafe(lease))
  const now = (): number => clock.currentTimeMillisUnsafe()
  const node: MemoryNode = { claims: new ClaimBook(), expiresAt: now() + leaseMillis, closed: false }
  const renew = Effect.sync(() => {
    node.expiresAt = now() + leaseMillis
  })
  yield* renew.pipe(Effect.delay(leaseMillis / 3), Effect.forever, Effect.forkScoped)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      node.closed = true
      for (const kept of memory.threads.values()) if (kept.owner === node) kept.owner = undefined
      node.claims.endAll()
    })
  )

  /** Does something unless the store is closed. It happens at once: nothing comes between. */
  const use = <A, E = never>(body: () => Effect.Effect<A, E>): Effect.Effect<A, E | StoreFailed> =>
    Effect.suspend(
      (): Effect.Effect<A, E | StoreFailed> =>
        node.closed
          ? Effect.fail(new StoreFailed({ code: "STORE_CLOSED", path, message: "The store is closed." }))
          : body()
    )
  const read = <A>(body: () => A): Effect.Effect<A, StoreFailed> =>
    use(() => Effect.sync(() => copied({ body: body() }).body as A))

  /** The entries of some names that somebody does not have yet. */
  const named = (
    threadId: string,
    names: ReadonlyArray<string>,
    except: Span = nowhere,
    nameOf: (entry: PlacedEntry["entry"]) => string | undefined
  ): Effect.Effect<ReadonlyArray<PlacedEntry>, StoreFailed> =>
    read(() => {
      const wanted = new Set<string | undefined>(names)
      return inOrder(memory.threads.get(threadId)).filter(
        ({ entry, position }) => isBeyond(position, except) && wanted.has(nameOf(entry))
      )
    })

  return {
    create: (thread, beginning = {}) =>
      use(() =>
        Effect.sync(() => {
          if (memory.threads.has(thread.threadId)) return false
          const kept: MemoryThread = {
            thread: copied(thread),
            events: [],
            checkpoints: [],
            entries: new Map(),
            epoch: 0,
            since: 0,
            owner: undefined
          }
          memory.threads.set(thread.threadId, kept)
          put(kept, { first: 0, events: [], ...beginning })
          return true
        })
      ),
    thread: (threadId) => read(() => memory.threads.get(threadId)?.thread),
    change: (threadId, change) =>
      use(() =>
        Effect.sync(() => {
          const kept = memory.threads.get(threadId)
          if (kept !== undefined) kept.thread = copied(changeThread(kept.thread, change))
          return kept !== undefined
        })
      ),
    threads: ({ after, archived, limit = defaultMaxThreads, workspaceId } = {}) =>
      read(() => {
        const found = [...memory.threads.values()]
          .map(({ thread: { state: _, waiting: __, ...thread } }) => thread)
          .filter((thread) => workspaceId === undefined || thread.workspaceId === workspaceId)
          .filter((thread) => archived === undefined || thread.archived === archived)
          .filter((thread) => after === undefined || compare(after, thread) < 0)
          .sort(compare)
        return { threads: found.slice(0, limit), more: found.length > limit }
      }),
    remove: (threadId) =>
      use(() =>
        Effect.sync(() => {
          memory.threads.get(threadId)?.owner?.claims.end(threadId, claimRemoved(threadId))
          return memory.threads.delete(threadId)
        })
      ),
    claim: (threadId) =>
      use((): Effect.Effect<Claim, ThreadElsewhere | ThreadMissing> => {
        const kept = memory.threads.get(threadId)
        if (kept === undefined) return Effect.fail(threadMissing(threadId))
        const { owner } = kept
        if (owner !== undefined && owner !== node && owner.expiresAt > now()) return Effect.fail(elsewhere(threadId))
        owner?.claims.end(threadId, claimTaken(threadId))
        kept.owner = node
        kept.epoch = ++memory.epochs
        kept.since = kept.events.length
        const claim: Claim = {
          threadId,
          epoch: kept.epoch,
          next: kept.events.length,
          checkpoint: kept.checkpoints.at(-1) && copied(kept.checkpoints.at(-1)),
          thread: copied(kept.thread),
          ...(owner !== undefined && owner !== node && { abandoned: true })
        }
        node.claims.add(claim)
        return Effect.succeed(claim)
      }),
    release: (claim) =>
      use(() =>
        Effect.sync(() => {
          const kept = memory.threads.get(claim.threadId)
          if (kept?.owner === node && kept.epoch === claim.epoch) kept.owner = undefined
          node.claims.end(claim.threadId, claimReleased(claim.threadId), claim.epoch)
        })
      ),
    lost: (claim) => node.claims.lost(claim),
    append: (claim, batch) =>
      use((): Effect.Effect<void, ClaimLost | StoreFailed> => {
        const { epoch, threadId } = claim
        const kept = memory.threads.get(threadId)
        if (kept === undefined) return Effect.fail(claimRemoved(threadId))
        if (kept.epoch !== epoch) return Effect.fail(kept.epoch > epoch ? claimTaken(threadId) : claimRemoved(threadId))
        if (kept.owner !== node) return Effect.fail(claimReleased(threadId))
        const next = kept.events.length
        if (batch.first !== next)
          return batch.first >= kept.since && batch.first + batch.events.length <= next
            ? Effect.void
            : Effect.fail(outOfOrder(path, threadId, batch.first, next))
        return Effect.sync(() => put(kept, batch))
      }),
    events: (threadId, from, limit) => read(() => memory.threads.get(threadId)?.events.slice(from, from + limit) ?? []),
    next: (threadId) => read(() => memory.threads.get(threadId)?.events.length),
    checkpointBefore: (threadId, seq) =>
      read(() => memory.threads.get(threadId)?.checkpoints.findLast((checkpoint) => checkpoint.seq <= seq)),
    entries: (threadId, { before, maxBytes = defaultMaxBytes, maxEntries = defaultMaxEntries, path: segments }) =>
      Effect.gen(function* () {
        const found = yield* read(() => onPath(memory.threads.get(threadId), segments, before))
        const entries = yield* newestThatFit(found, maxEntries, maxBytes)
        return { entries, more: entries.length < found.length }
      }),
    countEntries: (threadId, { before, path: segments }) =>
      read(() => onPath(memory.threads.get(threadId), segments, before).length),
    countMessages: (threadId, { before, path: segments }) =>
      read(() => {
        const all = onPath(memory.threads.get(threadId), segments, before)
        const shared = all.flatMap(({ entry }) => messageOf(entry) ?? [])
        return all.length - shared.length + new Set(shared).size
      }),
    messageParts: (threadId, ids, except) => named(threadId, ids, except, messageOf),
    entriesById: (threadId, ids, except) => named(threadId, ids, except, ({ id }) => id),
    workspaces: read(() =>
      [...memory.workspaces.values()].sort((a, b) => a.createdAt - b.createdAt || byBytes(a.id, b.id))
    ),
    workspace: (id) => read(() => memory.workspaces.get(id)),
    putWorkspace: (workspace) =>
      use(() => Effect.sync(() => void memory.workspaces.set(workspace.id, copied(workspace)))),
    removeWorkspace: (id) => use(() => Effect.sync(() => memory.workspaces.delete(id))),
    mark: (name) =>
      use(() =>
        Effect.sync(() => {
          const isNew = !memory.marks.has(name)
          memory.marks.add(name)
          return isNew
        })
      ),
    isMarked: (name) => use(() => Effect.sync(() => memory.marks.has(name)))
  }
})

/** The order of lists: the newest message first. */
const compare = (
  one: Pick<StoredThread, "activeAt" | "threadId">,
  other: Pick<StoredThread, "activeAt" | "threadId">
): number => other.activeAt - one.activeAt || byBytes(other.threadId, one.threadId)

const inOrder = (kept: MemoryThread | undefined): ReadonlyArray<PlacedEntry> =>
  [...(kept?.entries.values() ?? [])].sort((a, b) => a.position - b.position)

const onPath = (
  kept: MemoryThread | undefined,
  segments: ReadonlyArray<Segment>,
  before = Number.POSITIVE_INFINITY
): ReadonlyArray<PlacedEntry> =>
  inOrder(kept).filter(
    ({ branch, position }) =>
      position < before &&
      segments.some((segment) => segment.branch === branch && position <= (segment.through ?? Number.POSITIVE_INFINITY))
  )

const put = (kept: MemoryThread, { checkpoint, entries = [], events, thread }: Batch): void => {
  for (const happened of events) kept.events.push({ seq: kept.events.length, ...copied(happened) })
  if (checkpoint !== undefined) {
    const others = kept.checkpoints.filter(({ seq }) => seq !== checkpoint.seq)
    kept.checkpoints.splice(
      0,
      kept.checkpoints.length,
      ...[...others, copied(checkpoint)].sort((a, b) => a.seq - b.seq)
    )
  }
  for (const placed of entries) kept.entries.set(placed.position, copied(placed))
  if (thread !== undefined) kept.thread = copied(changeThread(kept.thread, thread))
}

const elsewhere = (threadId: string): ThreadElsewhere =>
  new ThreadElsewhere({
    threadId,
    owner: { pid: process.pid, host: hostname() },
    message: `Another bridge of this process has thread ${threadId}. Close the thread there, or use that bridge.`
  })
