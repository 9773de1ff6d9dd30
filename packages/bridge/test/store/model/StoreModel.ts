/** The simplest store there can be. */
import type { Checkpoint } from "../../../src/store/Checkpoint.ts"
import type { Batch, Claim, EntryQuery, Happened, PlacedEntry, ThreadQuery } from "../../../src/store/Store.ts"
import type { StoredThread } from "../../../src/store/StoredThread.ts"
import type { Bridge, Id } from "./Steps.ts"

/** What came of it: a value, or the code of a failure. */
export type Outcome = { readonly value: unknown } | { readonly code: string }

/** A thread. */
export interface Kept {
  thread: StoredThread
  readonly events: Array<Happened>
  readonly checkpoints: Array<Checkpoint>
  readonly entries: Array<PlacedEntry>
  epoch: number
  since: number
  owner: Bridge | undefined
  positions: number
}

/** A claim that somebody has or had. */
export interface Held {
  readonly by: Bridge
  readonly id: Id
  readonly epoch: number
  readonly of: Kept
  readonly claim: Claim
}

/** A value as JSON has it. */
export const plain = <A>(value: A): A => JSON.parse(JSON.stringify(value))
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
const utf8 = (text: string): string => Buffer.from(text).toString("hex")

/** The simplest store. */
export class StoreModel {
  readonly threads = new Map<string, Kept>()
  epochs = 0

  create(given: StoredThread): boolean {
    if (this.threads.has(given.threadId)) return false
    this.threads.set(given.threadId, {
      thread: given,
      events: [],
      checkpoints: [],
      entries: [],
      epoch: 0,
      since: 0,
      owner: undefined,
      positions: 0
    })
    return true
  }

  claim(by: Bridge, id: Id): Outcome {
    const kept = this.threads.get(id)
    if (kept === undefined) return { code: "THREAD_MISSING" }
    if (kept.owner !== undefined && kept.owner !== by) return { code: "THREAD_ELSEWHERE" }
    Object.assign(kept, { owner: by, epoch: ++this.epochs, since: kept.events.length })
    return {
      value: {
        threadId: id,
        epoch: kept.epoch,
        next: kept.events.length,
        checkpoint: kept.checkpoints.at(-1),
        thread: kept.thread
      }
    }
  }

  append({ by, epoch, id, of }: Held, batch: Batch): Outcome {
    const kept = this.threads.get(id)
    if (kept !== of || kept.owner !== by || kept.epoch !== epoch) return { code: "CLAIM_LOST" }
    const [next, after] = [kept.events.length, batch.first + batch.events.length]
    if (batch.first < next && batch.first >= kept.since && after <= next) return { value: undefined }
    if (batch.first !== next) return { code: "STORE_OUT_OF_ORDER" }
    kept.events.push(...plain(batch.events))
    for (const entry of batch.entries ?? []) {
      const place = kept.entries.findIndex(({ position }) => position === entry.position)
      kept.entries.splice(place === -1 ? kept.entries.length : place, place === -1 ? 0 : 1, entry)
      kept.positions = Math.max(kept.positions, entry.position + 1)
    }
    if (batch.checkpoint !== undefined) {
      if (kept.checkpoints.at(-1)?.seq === batch.checkpoint.seq) kept.checkpoints.pop()
      kept.checkpoints.push(batch.checkpoint)
    }
    if (batch.thread !== undefined) kept.thread = plain(Object.assign({}, kept.thread, batch.thread))
    return { value: undefined }
  }

  entries(id: Id, { before, maxBytes = 1e9, maxEntries = 1000, path }: EntryQuery) {
    const found = (this.threads.get(id)?.entries ?? [])
      .filter(({ position }) => before === undefined || position < before)
      .filter((entry) =>
        path.some(({ branch, through }) => entry.branch === branch && entry.position <= (through ?? entry.position))
      )
      .sort((one, other) => one.position - other.position)
    const page: Array<PlacedEntry> = []
    for (const entry of found.toReversed()) {
      const whole = [...page, entry].reduce((sum, each) => sum + bytesOf(each.entry), 0)
      if (page.length >= maxEntries || (whole > maxBytes && page.length > 0)) break
      page.unshift(entry)
    }
    return { entries: page, more: page.length < found.length }
  }

  list({ after, archived, limit = 100, workspaceId }: ThreadQuery) {
    const rank = ({ activeAt, threadId }: Pick<StoredThread, "activeAt" | "threadId">): string =>
      `${String(activeAt).padStart(9, "0")} ${utf8(threadId)}`
    const found = [...this.threads.values()]
      .map(({ thread: { state: _, ...listed } }) => listed)
      .filter((listed) => archived === undefined || listed.archived === archived)
      .filter((listed) => workspaceId === undefined || listed.workspaceId === workspaceId)
      .filter((listed) => after === undefined || rank(listed) < rank(after))
      .sort((one, other) => (rank(one) < rank(other) ? 1 : -1))
    return { threads: found.slice(0, limit), more: found.length > limit }
  }
}
