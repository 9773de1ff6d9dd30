/**
 * The log of a thread in memory, for tests that need nothing else of a bridge.
 */
import { Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { type EventLog, type EventLogLimits, openEventLog } from "../src/log/EventLog.ts"
import { trunk } from "../src/store/Checkpoint.ts"
import { makeMemoryStore } from "../src/store/memory/MemoryStore.ts"
import type { Batch, Store } from "../src/store/Store.ts"
import type { StoredThread } from "../src/store/StoredThread.ts"

/** What a test thread is known as. */
export const testThread = (threadId: string, more: Partial<StoredThread> = {}): StoredThread => ({
  threadId,
  cwd: "/",
  options: {},
  archived: false,
  createdAt: 0,
  activeAt: 0,
  ...more
})

/** What a thread begins with in which this was said. */
export const beginningOf = ({
  entries,
  session
}: Model.Transcript): Required<Pick<Batch, "checkpoint" | "entries">> => ({
  entries: entries.map((entry, position) => ({ position, branch: 0, entry })),
  checkpoint: {
    seq: 0,
    situation: Model.situationToJson({ ...Model.emptySituation, session }),
    path: trunk,
    nextPosition: entries.length
  }
})

/** A store in memory for the time of a test. */
export const testStore = (): Store["Service"] => Effect.runSync(Scope.provide(makeMemoryStore({}), Scope.makeUnsafe()))

/** The log of a thread of a store, which is made when there is none. Opened again, it is as after a restart. */
export const openLog = (
  store: Store["Service"],
  limits: EventLogLimits = {},
  threadId = "t",
  before: Model.Transcript = Model.emptyTranscript
): Effect.Effect<EventLog> =>
  Effect.gen(function* () {
    yield* store.create(testThread(threadId), beginningOf(before))
    const claim = yield* store.claim(threadId)
    return yield* Scope.provide(openEventLog({ store, claim, now: () => 0, limits }), Scope.makeUnsafe())
  }).pipe(Effect.orDie)

/** A log in memory that begins with what was said before. */
export const testLog = (limits: EventLogLimits = {}, before?: Model.Transcript): EventLog =>
  Effect.runSync(openLog(testStore(), limits, "t", before))
