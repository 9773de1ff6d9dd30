/**
 * The sessions of a bridge without agents: a registry whose maker the test watches.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { LogFailed } from "../src/log/BoundedLog.ts"
import type { EventLog } from "../src/log/EventLog.ts"
import type { ProviderConversations } from "../src/session/ProviderConversations.ts"
import type { WaitingRequest } from "../src/session/Requests.ts"
import type { Session, SessionStatus } from "../src/session/Session.ts"
import { layerSessions, SessionMaker, type SessionRegistryOptions } from "../src/session/SessionRegistry.ts"
import { Sessions } from "../src/session/Sessions.ts"
import { type Memory, makeMemory } from "../src/store/memory/Memory.ts"
import { layerMemoryStore } from "../src/store/memory/MemoryStore.ts"
import { type Claim, Store } from "../src/store/Store.ts"
import { bareSession } from "./BareSession.ts"
import { permission } from "./FakeSessions.ts"
import { testLog } from "./TestLog.ts"

/** A session without an agent, whose state the test sets. */
export interface Fake {
  readonly claim: Claim
  readonly session: Session
  status: SessionStatus
  waiting: ReadonlyArray<WaitingRequest>
  disconnects: number
  closed: boolean
  /** What is said cannot be kept any more. */
  readonly lose: (failure: Pick<LogFailed, "code" | "message">) => void
}

const fakeOf = (claim: Claim): Fake => {
  const lost = Deferred.makeUnsafe<LogFailed>()
  const log: EventLog = { ...testLog(), failure: Deferred.await(lost) }
  const fake: Fake = {
    claim,
    status: "idle",
    waiting: [],
    disconnects: 0,
    closed: false,
    lose: (failure) => void Deferred.doneUnsafe(lost, Effect.succeed(new LogFailed(failure))),
    session: {
      ...bareSession(claim.threadId, log),
      status: Effect.sync(() => fake.status),
      providerSessionId: Effect.succeed(claim.thread.providerSessionId),
      waiting: Effect.sync(() => fake.waiting),
      disconnect: Effect.sync(() => {
        fake.disconnects++
        fake.status = "disconnected"
      })
    }
  }
  return fake
}

/** A question that waits for an answer. */
export const question: WaitingRequest = { request: permission("q"), lane: null, expiresAt: 0 }

/** The sessions of a bridge, with what its maker made, and hooks into making and ending. */
export const world = Effect.fnUntraced(function* (
  options: SessionRegistryOptions = {},
  { making = Effect.void, ending = Effect.void }: { making?: Effect.Effect<void>; ending?: Effect.Effect<void> } = {},
  memory: Memory = makeMemory(),
  conversations?: ProviderConversations
) {
  const made: Array<Fake> = []
  const maker = Layer.succeed(SessionMaker, {
    agentName: "Fake Agent",
    agents: [],
    folder: Effect.succeed,
    conversations,
    terms: ({ agent = {}, cwd = "/work", mode }) => ({ cwd, options: agent, ...(mode !== undefined && { mode }) }),
    make: (claim) =>
      Effect.gen(function* () {
        yield* making
        const fake = fakeOf(claim)
        yield* Effect.addFinalizer(() =>
          Effect.andThen(
            ending,
            Effect.sync(() => (fake.closed = true))
          )
        )
        made.push(fake)
        return fake.session
      })
  })
  const scope = yield* Scope.fork(yield* Effect.scope)
  const context = yield* Layer.build(
    layerSessions(options).pipe(Layer.provide(maker), Layer.provideMerge(layerMemoryStore({ memory })))
  ).pipe(Scope.provide(scope))
  const get = <A, E>(effect: Effect.Effect<A, E, Sessions | Store>) => Effect.provide(effect, context)
  return {
    made,
    fake: (threadId: string): Fake => {
      const fake = made.findLast(({ claim }) => claim.threadId === threadId)
      if (fake === undefined) throw new Error(`No session was made for ${threadId}`)
      return fake
    },
    sessions: yield* get(
      Effect.gen(function* () {
        return yield* Sessions
      })
    ),
    store: yield* get(
      Effect.gen(function* () {
        return yield* Store
      })
    ),
    close: Scope.close(scope, Exit.void)
  }
})
