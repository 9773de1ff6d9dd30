/** Who writes what sessions say: the stores, and plain files as the floor. */
import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { makeMemoryStore } from "../../packages/bridge/src/store/memory/MemoryStore.ts"
import type { Batch, Store } from "../../packages/bridge/src/store/Store.ts"
import type { StoredThread } from "../../packages/bridge/src/store/StoredThread.ts"
import { makeSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"

/** Somebody who writes. */
export interface Contender {
  readonly name: string
  /** Writes what a session says next, and calls back when it is written. */
  readonly append: (session: number, batch: Batch, done: () => void) => void
  readonly close: () => Promise<void>
  /** How many bytes are on disk, after it was closed. */
  readonly bytes: () => number
  readonly remove: () => void
}

/** Makes a contender for some sessions. */
export type MakeContender = (sessions: number) => Promise<Contender>

/** A folder of the system's. */
export const freshFolder = (): string => mkdtempSync(join(tmpdir(), "agentwire-bench-store-"))

/** How many bytes are in a folder. */
export const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

/** A thread. */
export const threadOf = (threadId: string, activeAt = 1): StoredThread => ({
  threadId,
  cwd: "/project",
  title: `What ${threadId} is about, in some words`,
  options: { model: "opus" },
  archived: false,
  createdAt: 1,
  activeAt
})

const overStore = async (
  name: string,
  sessions: number,
  folder: string,
  make: Effect.Effect<Store["Service"], unknown, Scope.Scope>
): Promise<Contender> => {
  const scope = await Effect.runPromise(Scope.make())
  const store = await Effect.runPromise(Scope.provide(make, scope))
  const claims = await Effect.runPromise(
    Effect.forEach(
      Array.from({ length: sessions }, (_, n) => `session-${n}`),
      (id) => Effect.andThen(store.create(threadOf(id)), store.claim(id))
    )
  )
  return {
    name,
    append: (session, batch, done) => {
      const claim = claims[session]
      if (claim === undefined) throw new Error(`no session ${session}`)
      Effect.runCallback(store.append(claim, batch), {
        onExit: (exit) => {
          if (Exit.isFailure(exit)) throw new Error(String(exit.cause))
          done()
        }
      })
    },
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
    bytes: () => bytesIn(folder),
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes nothing, at the next turn of the event loop. */
export const nothing: MakeContender = async () => ({
  name: "nothing",
  append: (_session, _batch, done) => void setImmediate(done),
  close: async () => undefined,
  bytes: () => 0,
  remove: () => undefined
})

/** SQLite. */
export const sqlite =
  (durability: "normal" | "full"): MakeContender =>
  (sessions) => {
    const folder = freshFolder()
    return overStore(`sqlite, ${durability}`, sessions, folder, makeSqliteStore({ folder, durability }))
  }

/** Memory: what the port itself costs. */
export const memory: MakeContender = (sessions) => overStore("memory", sessions, freshFolder(), makeMemoryStore({}))

/** A file for each session and a line for each event; nothing can be found in it again. */
export const files =
  (durability: "normal" | "full"): MakeContender =>
  async (sessions) => {
    const folder = freshFolder()
    mkdirSync(folder, { recursive: true })
    const open = Array.from({ length: sessions }, (_, n) => openSync(join(folder, `${n}.ndjson`), "a"))
    return {
      name: `files, ${durability}`,
      append: (session, { events }, done) => {
        const file = open[session] ?? 0
        for (const event of events) writeSync(file, `${JSON.stringify(event)}\n`)
        if (durability === "full") fdatasyncSync(file)
        done()
      },
      close: async () => {
        for (const file of open) closeSync(file)
      },
      bytes: () => bytesIn(folder),
      remove: () => rmSync(folder, { recursive: true, force: true })
    }
  }
