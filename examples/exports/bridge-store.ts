/** `@agentwire/bridge/store`: what outlives a restart. */
import {
  Checkpoint,
  ClaimLost,
  changeThread,
  importOldFiles,
  layerMemoryStore,
  layerSqliteStore,
  makeMemory,
  Segment,
  Store,
  StoredThread,
  StoreFailed,
  ThreadElsewhere,
  ThreadMissing,
  trunk,
  Workspace
} from "@agentwire/bridge/store"
import { emptySituation, situationToJson } from "@agentwire/protocol/model"
import { Effect, Schema } from "effect"

const morning: StoredThread = {
  threadId: "morning",
  cwd: "/project",
  options: { model: "opus" },
  archived: false,
  createdAt: 0,
  activeAt: 0
}
console.log(Schema.is(StoredThread)(morning), changeThread(morning, { title: "Morning" }).title) // true Morning

// A thread is written by whoever has claimed it: its events in order, and now and then what it is at that point.
const writing = Effect.gen(function* () {
  const store = yield* Store
  yield* store.create(morning)
  const claim = yield* store.claim("morning")
  const checkpoint = { seq: 1, situation: situationToJson(emptySituation), path: trunk, nextPosition: 0 }
  yield* store.append(claim, {
    first: 0,
    events: [{ at: 1, event: { type: "context_reset", how: "cleared" } }],
    checkpoint
  })
  const [event] = yield* store.events("morning", 0, 10)
  return [Schema.is(Checkpoint)(checkpoint), Schema.is(Segment)(trunk[0]), event?.seq]
})
console.log(await Effect.runPromise(writing.pipe(Effect.provide(layerMemoryStore())))) // [ true, true, 0 ]

// Two bridges on one store: a thread is one bridge's at a time. In a database, `layerSqliteStore({ folder })`.
const memory = makeMemory()
const claimed = Effect.flatMap(Store, (store) =>
  Effect.andThen(store.create(morning), Effect.flip(Effect.andThen(store.claim("morning"), store.claim("evening"))))
).pipe(Effect.provide(layerMemoryStore({ memory })))
console.log((await Effect.runPromise(claimed)) instanceof ThreadMissing) // true
export const onDisk = layerSqliteStore({ folder: "data", durability: "full" })

// What earlier versions kept is taken over once.
const old = importOldFiles({ index: "no-such-file.json", cwd: "/project" })
console.log((await Effect.runPromise(old.pipe(Effect.provide(layerMemoryStore())))).threads.length) // 0

// Folders that people work in.
console.log(Schema.is(Workspace)({ id: "w", name: "Project", folder: "/project", createdAt: 0 })) // true

// What there is to do when something fails.
export const advice = (failure: StoreFailed | ThreadElsewhere | ClaimLost): string => {
  if (failure instanceof ThreadElsewhere) return `Process ${failure.owner.pid} has it.`
  return failure instanceof ClaimLost ? "Open it again." : failure.message
}
console.log(advice(new StoreFailed({ code: "STORE_DISK_FULL", message: "Make room.", path: "data" }))) // Make room.
