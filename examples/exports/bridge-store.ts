/** `@agentwire/bridge/store`: what outlives a restart. */
import {
  Checkpoint,
  ClaimLost,
  changeThread,
  HistoryStore,
  HistoryStoreFailed,
  importOldFiles,
  layerMemoryStore,
  layerSqliteStore,
  makeMemory,
  Segment,
  SessionIndex,
  SessionIndexFailed,
  Store,
  StoredSession,
  StoredThread,
  StoreFailed,
  ThreadElsewhere,
  ThreadMissing,
  trunk,
  Workspace
} from "@agentwire/bridge/store"
import { Effect, Layer, Schema } from "effect"

// A thread is made, and claimed by whoever writes it: a claim ends the one before.
const thread: StoredThread = {
  threadId: "morning",
  cwd: "/project",
  options: {},
  archived: false,
  createdAt: 1,
  activeAt: 1
}
const written = Effect.gen(function* () {
  const store = yield* Store
  yield* store.create(thread)
  const claim = yield* store.claim("morning")
  // Events with their numbers, and what comes with them: all of it or nothing.
  yield* store.append(claim, {
    first: claim.next,
    events: [{ at: 2, event: { type: "turn_started", cause: "prompt" } }],
    entries: [{ position: 0, branch: 0, entry: { id: "1", lane: null, kind: "prompt", content: "Hello!" } }],
    thread: { title: "Hello!", activeAt: 2 }
  })
  const page = yield* store.entries("morning", { path: trunk, maxEntries: 50 })
  return { page, listed: (yield* store.threads({ limit: 10 })).threads, next: yield* store.next("morning") }
})
const { listed, next, page } = await Effect.runPromise(written.pipe(Effect.provide(layerMemoryStore())))
console.log(next, page.entries.length, page.more, listed[0]?.title) // 1 1 false Hello!

// The shapes of what is kept, and a thread with something changed: a key that is undefined goes.
console.log(Schema.is(StoredThread)(changeThread(thread, { mode: "planner", title: undefined }))) // true
console.log(Schema.is(Workspace)({ id: "w", name: "Mine", folder: "/project", createdAt: 1 })) // true
const situation = { turns: 0, items: [], lanes: [], requests: [], resets: 0 }
const path = [{ branch: 0, through: 12 }, { branch: 1 }]
console.log(Schema.is(Checkpoint)({ seq: 0, situation, path, nextPosition: 0 }), path.every(Schema.is(Segment))) // true true

// Bridges that share memory are as bridges on one database: a thread is written by one of them.
const memory = makeMemory()
const oneOf = Layer.fresh(layerMemoryStore({ memory }))
const refused = Effect.gen(function* () {
  const [one, other] = [yield* Layer.build(oneOf), yield* Layer.build(oneOf)]
  const claim = Effect.flatMap(Store, (store) => Effect.andThen(store.create(thread), store.claim("morning")))
  yield* Effect.provide(claim, one)
  return yield* Effect.flip(Effect.provide(claim, other))
})
const refusal = await Effect.runPromise(Effect.scoped(refused))
console.log(refusal instanceof ThreadElsewhere, refusal.code) // true THREAD_ELSEWHERE

// In a SQLite database, with what the bridges of before have kept in files; and what there is to do when it cannot be used.
export const kept = Layer.effectDiscard(importOldFiles({ index: "state/sessions.json", cwd: "/project" })).pipe(
  Layer.provideMerge(layerSqliteStore({ folder: "state", durability: "full" }))
)
export const isOver = (failure: ClaimLost | StoreFailed | ThreadMissing): boolean =>
  failure instanceof ClaimLost || failure instanceof ThreadMissing
console.log(isOver(new StoreFailed({ code: "STORE_DISK_FULL", message: "Make room.", path: "state" }))) // false

// Which threads there are, in one file: as it was before there was a store.
const known = Effect.gen(function* () {
  const index = yield* SessionIndex
  yield* index.set("morning", { cwd: "/project", mode: "planner" })
  return yield* index.get("morning")
})
const stored = await Effect.runPromise(known.pipe(Effect.provide(SessionIndex.layerMemory())))
console.log(Schema.is(StoredSession)(stored), stored?.mode) // true planner

// What was said in them, a file for each thread.
const said = Effect.gen(function* () {
  const { before, keep } = yield* (yield* HistoryStore).open("morning")
  yield* keep({ ...before, entries: [{ id: "1", lane: null, kind: "prompt", content: "Hello!" }] })
  return before.entries.length
})
console.log(await Effect.runPromise(said.pipe(Effect.scoped, Effect.provide(HistoryStore.layerMemory({}))))) // 0

// What there is to do when they cannot be used.
export const advice = (failure: SessionIndexFailed | HistoryStoreFailed): string =>
  failure instanceof SessionIndexFailed && failure.code === "INDEX_LOCKED" ? "End the other bridge." : failure.message
console.log(advice(new HistoryStoreFailed({ code: "HISTORY_DISK_FULL", message: "Make room.", path: "state" }))) // Make room.
