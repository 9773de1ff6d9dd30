/**
 * Who may write which thread: this bridge's claims, its lease, and what it appends.
 *
 * The lease is the bridge's, not the thread's. It is renewed while any thread is claimed; each time the bridge looks
 * whether it has lost one meanwhile.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { InOrder } from "../../eventloop/InOrder.ts"
import { allAtOnce } from "../../eventloop/Turns.ts"
import { ClaimBook } from "../ClaimBook.ts"
import type { Batch, Claim, Store } from "../Store.ts"
import {
  type ClaimLost,
  claimReleased,
  claimRemoved,
  claimTaken,
  outOfOrder,
  type StoreFailed,
  ThreadElsewhere,
  type ThreadMissing,
  threadMissing
} from "../StoreErrors.ts"
import { type BatchTexts, isLongBatch, textsOf, writeTexts } from "./BatchTexts.ts"
import type { CheckpointTable } from "./CheckpointTable.ts"
import type { Connection } from "./Connection.ts"
import type { EntryTable } from "./EntryTable.ts"
import type { EventTable } from "./EventTable.ts"
import type { LogTable } from "./LogTable.ts"
import { type DatabaseNode, Nodes } from "./Nodes.ts"
import type { PieceTable } from "./PieceTable.ts"
import type { ThreadTable } from "./ThreadTable.ts"
import type { Upkeep } from "./Upkeep.ts"

/** The tables of a database. */
export interface Tables {
  readonly threads: ThreadTable
  readonly logs: LogTable
  readonly events: EventTable
  readonly checkpoints: CheckpointTable
  readonly entries: EntryTable
  readonly pieces: PieceTable
}

/** What is done with claims, and what the rest of the store has to tell them. */
export interface Claims extends Pick<Store["Service"], "claim" | "release" | "lost" | "append"> {
  /** A thread was removed. */
  readonly forget: (threadId: string) => void
}

/** What is known of the thread of a claim. */
interface Writing {
  readonly thread: number
  /** Appends that take several turns. */
  readonly appends: InOrder
  /** How many appends are in the journal. */
  unsettled: number
  /** The number of the next piece of a long text. */
  pieces: number
}

/** How many appends of a thread stay in the journal, at most. */
const maxUnsettled = 256

/** Claims for as long as the scope is open; then this bridge has none. */
export const makeClaims = Effect.fnUntraced(function* (
  connection: Connection,
  { checkpoints, entries, events, logs, pieces, threads }: Tables,
  upkeep: Upkeep,
  lease: Duration.Input
): Effect.fn.Return<Claims, StoreFailed, Scope.Scope> {
  const clock = yield* Clock.Clock
  const leaseMillis = Duration.toMillis(Duration.fromInputUnsafe(lease))
  const now = (): number => clock.currentTimeMillisUnsafe()
  const nodes = new Nodes(connection)
  const book = new ClaimBook()
  const known = new WeakMap<Claim, Writing>()

  const { isAlone, node } = yield* connection.write(() => {
    // What a bridge had that was killed belongs to nobody.
    for (const other of nodes.all()) if (nodes.isGone(other)) nodes.bury(other.node)
    return Result.succeed({ isAlone: nodes.all().length === 0, node: nodes.add(now() + leaseMillis) })
  })
  // Two connections that move the log into the database at the same moment can damage it, in SQLite before 3.51.3
  // (https://sqlite.org/wal.html#walresetbug), which `libsql` has. So the first does it, the others only when it does not.
  connection.limitLog(isAlone ? 2000 : 20_000)
  yield* Effect.addFinalizer(() =>
    connection
      .write(() => {
        nodes.remove(node)
        return Result.succeed(nodes.all().length === 0)
      })
      .pipe(
        Effect.flatMap((isLast) => (isLast ? Effect.sync(() => connection.emptyLog()) : Effect.void)),
        Effect.catch(({ message }) => Effect.logWarning(`Threads could not be given back: ${message}`)),
        Effect.andThen(Effect.sync(() => book.endAll()))
      )
  )

  const renew = Effect.gen(function* () {
    if (book.held().length === 0) return
    const owned = yield* connection.write(() => {
      nodes.renew(node, now() + leaseMillis)
      return Result.succeed(logs.owned(node))
    })
    for (const claim of book.held()) {
      const thread = known.get(claim)?.thread
      if (thread === undefined || owned.get(thread) === claim.epoch) continue
      // Asked once more: it may have been claimed a moment ago, and be its own.
      const loss = yield* connection.read(() => lossOf(claim, thread))
      if (loss !== undefined) book.end(claim.threadId, loss, claim.epoch)
    }
  }).pipe(
    Effect.catch(({ code, message }) =>
      Effect.annotateLogs(Effect.logWarning(`The lease could not be renewed: ${message}`), { code })
    )
  )
  yield* renew.pipe(Effect.delay(leaseMillis / 3), Effect.forever, Effect.forkScoped)

  /** How a claim was lost; undefined when it holds. */
  const lossOf = ({ epoch, threadId }: Claim, thread: number): ClaimLost | undefined => {
    const head = logs.head(thread)
    if (head === undefined) return claimRemoved(threadId)
    if (head.epoch !== epoch) return claimTaken(threadId)
    return head.owner === node ? undefined : claimReleased(threadId)
  }

  /** The node that has a thread and may be alive; undefined when it can be taken. */
  const ownerOf = (owner: number | undefined): DatabaseNode | undefined => {
    const found = owner === undefined || owner === node ? undefined : nodes.find(owner)
    return found === undefined || found.expiresAt <= now() || nodes.isGone(found) ? undefined : found
  }

  const claim = (threadId: string): Effect.Effect<Claim, ThreadElsewhere | ThreadMissing | StoreFailed> =>
    connection
      .write((): Result.Result<readonly [Claim, Writing], ThreadElsewhere | ThreadMissing> => {
        const found = allAtOnce(threads.find(threadId))
        const head = found && logs.head(found.thread)
        if (found === undefined || head === undefined) return Result.fail(threadMissing(threadId))
        const owner = ownerOf(head.owner)
        if (owner !== undefined) return Result.fail(elsewhere(threadId, owner, now()))
        nodes.renew(node, now() + leaseMillis)
        const epoch = logs.take(found.thread, node)
        const checkpoint = allAtOnce(checkpoints.find(found.thread))
        // What a bridge that was killed has written of a long text, and nobody tells of.
        pieces.deleteLoose(found.thread, head.pieces)
        const isAbandoned = head.owner !== undefined && head.owner !== node
        return Result.succeed([
          {
            threadId,
            epoch,
            next: head.next,
            checkpoint,
            thread: found.known,
            ...(isAbandoned && { abandoned: true })
          },
          { thread: found.thread, appends: new InOrder(), unsettled: 0, pieces: head.pieces }
        ])
      })
      .pipe(
        Effect.map(([given, writing]) => {
          known.set(given, writing)
          // What a bridge that was killed has left there.
          upkeep.settle(writing.thread)
          book.add(given)
          return given
        })
      )

  const release = (claim: Claim): Effect.Effect<void, StoreFailed> =>
    Effect.suspend(() => {
      const thread = known.get(claim)?.thread
      book.end(claim.threadId, claimReleased(claim.threadId), claim.epoch)
      return thread === undefined
        ? Effect.void
        : connection.write(() => Result.succeed(logs.release(thread, claim.epoch)))
    })

  /** Writes a batch, or says why it may not be written. False: it was written before. */
  const put = (
    claim: Claim,
    { pieces: keptPieces, thread }: Writing,
    batch: Batch,
    texts: BatchTexts
  ): Result.Result<boolean, ClaimLost | StoreFailed> => {
    const { first } = batch
    const count = batch.events.length
    if (!logs.advance(thread, node, claim.epoch, first, count)) {
      const loss = lossOf(claim, thread)
      if (loss !== undefined) return Result.fail(loss)
      const { next = 0, since = 0 } = logs.head(thread) ?? {}
      return first >= since && first + count <= next
        ? Result.succeed(false)
        : Result.fail(outOfOrder(connection.path, claim.threadId, first, next))
    }
    if (texts.pieces > keptPieces) logs.keepPieces(thread, texts.pieces)
    if (count > 0) events.add(thread, first, count, texts.chunk)
    for (const [n, entry] of (batch.entries ?? []).entries()) {
      if (keptPieces > 0) entries.free(thread, entry.position)
      entries.put(thread, entry, texts.entries[n] ?? "")
    }
    if (batch.thread !== undefined) threads.change(claim.threadId, batch.thread, texts)
    if (batch.checkpoint !== undefined) checkpoints.put(thread, batch.checkpoint.seq, texts.checkpoint ?? "")
    return Result.succeed(true)
  }

  /** Writes a batch whose texts are written. */
  const write = (
    claim: Claim,
    writing: Writing,
    batch: Batch,
    texts: BatchTexts
  ): Effect.Effect<void, ClaimLost | StoreFailed> =>
    connection
      .write(() => put(claim, writing, batch, texts))
      .pipe(
        Effect.tap((isNew) =>
          Effect.sync(() => {
            if (isNew) writing.pieces = texts.pieces
            const appends = writing.unsettled + 1
            const isMuch = appends >= maxUnsettled || batch.checkpoint !== undefined
            writing.unsettled = isMuch ? 0 : appends
            if (isMuch) upkeep.settle(writing.thread)
          })
        ),
        Effect.asVoid
      )

  /** Writes the long texts of a batch, and then the batch. */
  const writeLong = (claim: Claim, writing: Writing, batch: Batch): Effect.Effect<void, ClaimLost | StoreFailed> =>
    writeTexts(batch, writing.pieces, (first, group) =>
      connection.write(() => {
        const loss = lossOf(claim, writing.thread)
        if (loss !== undefined) return Result.fail(loss)
        return Result.succeed(pieces.add(writing.thread, first, group))
      })
    ).pipe(Effect.flatMap((texts) => write(claim, writing, batch, texts)))

  const append = (claim: Claim, batch: Batch): Effect.Effect<void, ClaimLost | StoreFailed> =>
    Effect.suspend(() => {
      const writing = known.get(claim)
      if (writing === undefined) return Effect.fail(claimTaken(claim.threadId))
      const { appends } = writing
      const isLong = isLongBatch(batch)
      const now = isLong
        ? Effect.suspend(() => writeLong(claim, writing, batch))
        : Effect.suspend(() => write(claim, writing, batch, textsOf(batch, writing.pieces)))
      return (isLong || !appends.isIdle ? appends.run(now) : now).pipe(
        Effect.tapError((error) =>
          Effect.sync(() => {
            if (error._tag === "ClaimLost") book.end(claim.threadId, error, claim.epoch)
          })
        )
      )
    })

  return {
    claim,
    release,
    append,
    lost: (claim) => book.lost(claim),
    forget: (threadId) => book.end(threadId, claimRemoved(threadId))
  }
})

const elsewhere = (threadId: string, { expiresAt, host, pid }: DatabaseNode, now: number): ThreadElsewhere =>
  new ThreadElsewhere({
    threadId,
    owner: { pid, host },
    message: `Process ${pid} on ${host} has thread ${threadId}, and is alive. Close the thread there, or end that process; should it not answer any more, the thread can be taken over in ${Math.ceil((expiresAt - now) / 1000)} s.`
  })
