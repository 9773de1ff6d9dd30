/**
 * What the stores of a process share in memory, in place of a database.
 */
import type { Checkpoint } from "../Checkpoint.ts"
import type { ClaimBook } from "../ClaimBook.ts"
import type { PlacedEntry, StoredEvent } from "../Store.ts"
import type { StoredThread, Workspace } from "../StoredThread.ts"

/** A bridge that has the memory open. */
export interface MemoryNode {
  readonly claims: ClaimBook
  /** When it is taken for dead, unless it gives a sign of life. In milliseconds since 1970. */
  expiresAt: number
  closed: boolean
}

/** A thread. */
export interface MemoryThread {
  thread: StoredThread
  readonly events: Array<StoredEvent>
  readonly checkpoints: Array<Checkpoint>
  readonly entries: Map<number, PlacedEntry>
  epoch: number
  /** The number of the first event of the present epoch. */
  since: number
  owner: MemoryNode | undefined
}

/** What stores share. */
export interface Memory {
  readonly threads: Map<string, MemoryThread>
  readonly workspaces: Map<string, Workspace>
  readonly marks: Set<string>
  /** The epoch of the newest claim of any thread: a thread that is made anew must not have those of its predecessor. */
  epochs: number
}

/** Memory with nothing in it. Stores of the same memory are as bridges on one database. */
export const makeMemory = (): Memory => ({ threads: new Map(), workspaces: new Map(), marks: new Set(), epochs: 0 })

/** A copy as JSON has it: what databases give back. Texts are shared: they cannot change, and may have megabytes. */
export const copied = <A>(value: A): A => copyOf(value) as A

const copyOf = (value: unknown): unknown => {
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : copyOf(item)))
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    // To set it would change what the copy inherits from.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: copyOf(item), ...plain })
    else copy[key] = copyOf(item)
  }
  return copy
}

const plain = { configurable: true, enumerable: true, writable: true }

/** Compares texts by their bytes in UTF-8, as databases do; the order of JavaScript is that of UTF-16. */
export const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))
