/** One bridge after the other on the thread of a store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { layerClaudeRuntime } from "../src/runtime/claude/ClaudeRuntime.ts"
import { openThread } from "../src/session/OpenThread.ts"
import type { Runtime } from "../src/session/Runtime.ts"
import type { Accepted, Session } from "../src/session/Session.ts"
import { makeSession } from "../src/session/SessionActor.ts"
import { layerMemoryStore } from "../src/store/memory/MemoryStore.ts"
import { Store } from "../src/store/Store.ts"
import { type Behaviour, type FakeAgents, fakeAgents } from "./FakeAgent.ts"
import { testThread } from "./TestLog.ts"

/** Opens the thread. The bridge that had it is as good as killed: it writes nothing any more. */
export const openAgain: Effect.Effect<Session, never, Runtime | Store | Scope.Scope> = Effect.gen(function* () {
  const claim = yield* openThread(yield* Store, testThread("t"))
  return yield* makeSession({ claim, sessionKey: "t", cwd: "/", busy: "queue" })
}).pipe(Effect.orDie)

/** Uses a store, with agents that do what a test wants. */
export const inStoreOf =
  (behave: Behaviour) =>
  <A, E>(use: (agents: FakeAgents) => Effect.Effect<A, E, Runtime | Store | Scope.Scope>): Effect.Effect<A, E> => {
    const { agents, layer } = fakeAgents(behave)
    return use(agents).pipe(
      Effect.scoped,
      Effect.provide(Layer.merge(Layer.provide(layerClaudeRuntime, layer), layerMemoryStore()))
    )
  }

/** Says something as a program does. */
export const send = (session: Session, ticket: string, content: string): Effect.Effect<Accepted> =>
  Effect.orDie(
    session.submit(() =>
      Result.succeed({
        ticket,
        answers: [],
        results: [],
        tools: [],
        prompt: { type: "prompt", said: [{ id: `m-${ticket}`, content }] }
      })
    )
  )
