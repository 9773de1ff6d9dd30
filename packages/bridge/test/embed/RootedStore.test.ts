/**
 * A store among other bridges' threads keeps the contract of all stores: it is as if they were not there.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { rootedStore } from "../../src/embed/RootedStore.ts"
import { makeMemory } from "../../src/store/memory/Memory.ts"
import { makeMemoryStore } from "../../src/store/memory/MemoryStore.ts"
import type { Workspace } from "../../src/store/StoredThread.ts"
import { storeContract } from "../store/contract.ts"
import { batch, checkpoint, grew, type OpenStore, said, thread } from "../store/Samples.ts"

const theirs = "/theirs"
const folders = { contains: (folder: string) => Effect.succeed(folder !== theirs) }

const workspace = (id: string, folder: string): Workspace => ({ id, name: id, folder, createdAt: 1 })

/** Threads of others, before, between and after those that the contract makes, and in their workspaces. */
const addTheirs = (store: OpenStore): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (const [n, id] of ["!", "aa", "b-", "zz", "🙀"].entries())
      yield* store.create(thread(id, { cwd: theirs, activeAt: n, workspaceId: n % 2 === 0 ? "w" : "v" }))
    yield* store.putWorkspace(workspace("0", theirs))
    yield* store.putWorkspace(workspace("zz", theirs))
  }).pipe(Effect.orDie)

storeContract(
  "among threads of others,",
  Effect.gen(function* () {
    const memory = makeMemory()
    yield* addTheirs(yield* makeMemoryStore({ memory }))
    return {
      open: (options) => Effect.map(makeMemoryStore({ memory, ...options }), (store) => rootedStore(folders, store))
    }
  })
)

/** All that can be asked about a thread, by its id. */
const answers = (store: OpenStore, id: string, workspaceId: string) => {
  const path = [{ branch: 0 }]
  return Effect.all([
    store.thread(id),
    store.change(id, { title: "Mine" }),
    store.remove(id),
    Effect.map(Effect.flip(store.claim(id)), ({ _tag }) => _tag),
    store.events(id, 0, 10),
    store.next(id),
    store.checkpointBefore(id, 10),
    store.entries(id, { path }),
    store.countEntries(id, { path }),
    store.countMessages(id, { path }),
    store.messageParts(id, ["p0"]),
    store.entriesById(id, ["p0"]),
    store.workspace(workspaceId),
    store.removeWorkspace(workspaceId)
  ])
}

describe("a thread of others", () => {
  it.effect("is answered for as one that there is not, stays as it was, and keeps its id", () =>
    Effect.gen(function* () {
      const memory = makeMemory()
      const other = yield* makeMemoryStore({ memory })
      yield* other.create(thread("t", { cwd: theirs }))
      yield* other.putWorkspace(workspace("w", theirs))
      const claim = yield* other.claim("t")
      yield* other.append(claim, batch(0, grew("m", "a"), { entries: [said(0)], checkpoint: checkpoint(1) }))
      const before = JSON.stringify(yield* Effect.all([other.thread("t"), other.events("t", 0, 10), other.workspaces]))
      const rooted = rootedStore(folders, yield* makeMemoryStore({ memory }))
      const nothing = yield* answers(rooted, "none", "none")
      assert.deepStrictEqual(yield* answers(rooted, "t", "w"), nothing)
      assert.isFalse(yield* rooted.create(thread("t")))
      yield* other.release(claim)
      assert.deepStrictEqual(yield* answers(rooted, "t", "w"), nothing)
      assert.deepStrictEqual(yield* rooted.threads(), { threads: [], more: false })
      assert.deepStrictEqual(yield* rooted.workspaces, [])
      const after = JSON.stringify(yield* Effect.all([other.thread("t"), other.events("t", 0, 10), other.workspaces]))
      assert.strictEqual(after, before)
    })
  )
})

describe("a thread that was taken", () => {
  it.effect("is there until it is given back, whatever its path leads to meanwhile", () =>
    Effect.gen(function* () {
      let isBelow = true
      const rooted = rootedStore({ contains: () => Effect.sync(() => isBelow) }, yield* makeMemoryStore({}))
      yield* rooted.create(thread("t"))
      const first = yield* rooted.claim("t")
      const claim = yield* rooted.claim("t")
      isBelow = false
      // What was lost says nothing about what is held.
      yield* rooted.release(first)
      assert.isDefined(yield* rooted.thread("t"))
      assert.strictEqual((yield* rooted.threads()).threads.length, 1)
      yield* rooted.append(claim, batch(0, grew("m", "a")))
      assert.strictEqual((yield* rooted.events("t", 0, 10)).length, 1)
      yield* rooted.release(claim)
      assert.isUndefined(yield* rooted.thread("t"))
      assert.deepStrictEqual(yield* rooted.threads(), { threads: [], more: false })
    })
  )
})

describe("a page of threads", () => {
  it.effect("is read in few parts, however many threads there are of others", () =>
    Effect.gen(function* () {
      const store = yield* makeMemoryStore({})
      for (let n = 0; n < 2500; n++)
        yield* store.create(thread(`t${n}`, { activeAt: n, cwd: n % 1000 === 0 ? "/mine" : theirs }))
      let [reads, asked] = [0, 0]
      const threads: OpenStore["threads"] = (query) => {
        reads++
        return store.threads(query)
      }
      const contains = (folder: string) => {
        asked++
        return folders.contains(folder)
      }
      const page = yield* rootedStore({ contains }, { ...store, threads }).threads({ limit: 2 })
      assert.deepStrictEqual([page.threads.map(({ threadId }) => threadId), page.more], [["t2000", "t1000"], true])
      assert.isAtMost(reads, 4)
      assert.strictEqual(asked, 2, "once for each folder")
    })
  )
})
