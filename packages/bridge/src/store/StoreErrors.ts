/**
 * What goes wrong in a store, whichever it is: typed, with stable codes, in words that say what happened, where, and
 * what to do.
 */
import * as Schema from "effect/Schema"

/** The store cannot do what it was asked, for a reason that has nothing to do with who asks. */
export class StoreFailed extends Schema.TaggedError<StoreFailed>()("StoreFailed", {
  code: Schema.Literals([
    /** A later version of agentwire wrote it. */
    "STORE_TOO_NEW",
    /** What is there is not what was written. */
    "STORE_DAMAGED",
    /** The system does not let it be opened or read. */
    "STORE_UNREADABLE",
    "STORE_UNWRITABLE",
    "STORE_DISK_FULL",
    /** Another process has had it to itself for too long. */
    "STORE_BUSY",
    /** Events that do not follow those that are there: the append before them failed. */
    "STORE_OUT_OF_ORDER",
    /** The store was closed. */
    "STORE_CLOSED"
  ]),
  message: Schema.String,
  /** Where it is kept: a file, or the address of a database. */
  path: Schema.String
}) {}

/** Another bridge that is alive has the thread. */
export class ThreadElsewhere extends Schema.TaggedError<ThreadElsewhere>()("ThreadElsewhere", {
  code: Schema.tag("THREAD_ELSEWHERE"),
  threadId: Schema.String,
  message: Schema.String,
  /** The process that has it, and its machine's name for people. */
  owner: Schema.Struct({ pid: Schema.Finite, host: Schema.String })
}) {}

/** There is no such thread. */
export class ThreadMissing extends Schema.TaggedError<ThreadMissing>()("ThreadMissing", {
  code: Schema.tag("THREAD_MISSING"),
  threadId: Schema.String,
  message: Schema.String
}) {}

/** Whoever writes may not do so any more: the thread has another owner, or is gone. Nothing was written. */
export class ClaimLost extends Schema.TaggedError<ClaimLost>()("ClaimLost", {
  code: Schema.tag("CLAIM_LOST"),
  threadId: Schema.String,
  message: Schema.String,
  how: Schema.Literals(["taken", "released", "removed"])
}) {}

/** Somebody else has claimed the thread. */
export const claimTaken = (threadId: string): ClaimLost =>
  new ClaimLost({
    threadId,
    how: "taken",
    message: `Another bridge has taken over thread ${threadId}, because this one gave no sign of life for too long. Open the thread again to continue.`
  })

/** The claim was given back. */
export const claimReleased = (threadId: string): ClaimLost =>
  new ClaimLost({
    threadId,
    how: "released",
    message: `Thread ${threadId} was closed, and nothing can be added to it. Open it again to continue.`
  })

/** The thread was removed. */
export const claimRemoved = (threadId: string): ClaimLost =>
  new ClaimLost({
    threadId,
    how: "removed",
    message: `Thread ${threadId} was removed, and nothing can be added to it.`
  })

/** There is no such thread. */
export const threadMissing = (threadId: string): ThreadMissing =>
  new ThreadMissing({ threadId, message: `There is no thread ${threadId}.` })

/** Events that do not follow those that are there. */
export const outOfOrder = (path: string, threadId: string, first: number, next: number): StoreFailed =>
  new StoreFailed({
    code: "STORE_OUT_OF_ORDER",
    path,
    message: `Events of thread ${threadId} were to be added as number ${first}, but number ${next} is the next. What comes before them was not written; write that first.`
  })
