/** `@agentwire/bridge/store`: what outlives a restart. */
import {
  HistoryStore,
  HistoryStoreFailed,
  SessionIndex,
  SessionIndexFailed,
  StoredSession
} from "@agentwire/bridge/store"
import { Effect, Layer, Schema } from "effect"

// Which threads there are. `layer({ path })` keeps them in a file, of which one bridge at a time is the owner.
const known = Effect.gen(function* () {
  const index = yield* SessionIndex
  yield* index.set("morning", { cwd: "/project", mode: "planner" })
  return yield* index.get("morning")
})
const stored = await Effect.runPromise(known.pipe(Effect.provide(SessionIndex.layerMemory())))
console.log(Schema.is(StoredSession)(stored), stored?.mode) // true planner

// What was said in them. `layer({ path })` keeps a file for each thread.
const said = Effect.gen(function* () {
  const { before, keep } = yield* (yield* HistoryStore).open("morning")
  yield* keep({ ...before, entries: [{ id: "1", lane: null, kind: "prompt", content: "Hello!" }] })
  return before.entries.length
})
console.log(await Effect.runPromise(said.pipe(Effect.scoped, Effect.provide(HistoryStore.layerMemory({}))))) // 0

// Both in files, and what there is to do when they cannot be used.
export const kept = Layer.mergeAll(
  SessionIndex.layer({ path: "state/sessions.json" }),
  HistoryStore.layer({ path: "state/history" })
)
export const advice = (failure: SessionIndexFailed | HistoryStoreFailed): string =>
  failure instanceof SessionIndexFailed && failure.code === "INDEX_LOCKED" ? "End the other bridge." : failure.message
console.log(advice(new HistoryStoreFailed({ code: "HISTORY_DISK_FULL", message: "Make room.", path: "state" }))) // Make room.
