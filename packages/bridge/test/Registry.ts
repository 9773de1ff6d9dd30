/**
 * The sessions of a bridge without agents: a registry whose maker the test watches.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { makeEventLog } from "../src/log/EventLog.ts"
import type { WaitingRequest } from "../src/session/Requests.ts"
import type { Session, SessionStatus } from "../src/session/Session.ts"
import {
  layerSessions,
  SessionMaker,
  type SessionRegistryOptions,
  type SessionRequest
} from "../src/session/SessionRegistry.ts"
import { Sessions } from "../src/session/Sessions.ts"
import { SessionIndex } from "../src/store/SessionIndex.ts"
import { bareSession } from "./BareSession.ts"
import { permission } from "./FakeSessions.ts"

/** A session without an agent, whose state the test sets. */
export interface Fake {
  readonly request: SessionRequest
  readonly session: Session
  status: SessionStatus
  waiting: ReadonlyArray<WaitingRequest>
  disconnects: number
  closed: boolean
}

const fakeOf = (request: SessionRequest): Fake => {
  const log = makeEventLog(() => 0)
  const fake: Fake = {
    request,
    status: "idle",
    waiting: [],
    disconnects: 0,
    closed: false,
    session: {
      ...bareSession(request.threadId, log),
      status: Effect.sync(() => fake.status),
      providerSessionId: Effect.succeed(request.stored?.providerSessionId),
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
  { making = Effect.void, ending = Effect.void }: { making?: Effect.Effect<void>; ending?: Effect.Effect<void> } = {}
) {
  const made: Array<Fake> = []
  const maker = Layer.succeed(SessionMaker, {
    agentName: "Fake Agent",
    make: (request) =>
      Effect.gen(function* () {
        yield* making
        const fake = fakeOf(request)
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
    layerSessions(options).pipe(Layer.provide(maker), Layer.provideMerge(SessionIndex.layerMemory()))
  ).pipe(Scope.provide(scope))
  const get = <A, E>(effect: Effect.Effect<A, E, Sessions | SessionIndex>) => Effect.provide(effect, context)
  return {
    made,
    fake: (threadId: string): Fake => {
      const fake = made.findLast(({ request }) => request.threadId === threadId)
      if (fake === undefined) throw new Error(`No session was made for ${threadId}`)
      return fake
    },
    sessions: yield* get(
      Effect.gen(function* () {
        return yield* Sessions
      })
    ),
    index: yield* get(
      Effect.gen(function* () {
        return yield* SessionIndex
      })
    ),
    close: Scope.close(scope, Exit.void)
  }
})

/** What is stored of a thread. */
export const stored = (providerSessionId: string) => ({ providerSessionId, cwd: "/work" })
