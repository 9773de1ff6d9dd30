/**
 * The names of threads, to a client: whoever gives a thread one, through this face or another, or the agent's own program.
 *
 * The beginning of the first prompt, by which a thread without a name is listed, is none: Codex tells of no such names
 * either, and clients would take it for one that a person chose.
 */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { Sessions, type Titled } from "../../session/Sessions.ts"
import type { Listener } from "./Shared.ts"
import { wireIdOf } from "./ThreadIds.ts"

/** The names that a client is told. */
export interface Titles {
  /** Nothing is told while somebody has it: an answer comes before what follows from it. */
  readonly hold: Effect.Effect<void>
  readonly release: Effect.Effect<void>
}

/** How many names wait for a client that is slow. Older ones are not told: it may read them. */
const maxWaiting = 1000

/** Tells a client of every name, until the scope is closed. */
export const tellTitles = (client: Pick<Listener, "notify">): Effect.Effect<Titles, never, Sessions | Scope.Scope> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const telling = Semaphore.makeUnsafe(1)
    const titles = yield* Queue.sliding<Titled>(maxWaiting)
    yield* sessions.onTitled((titled) => {
      if (titled.titleBy !== "prompt") Queue.offerUnsafe(titles, titled)
    })
    yield* Effect.forkScoped(
      Stream.runForEach(Stream.fromQueue(titles), ({ threadId, title }) =>
        telling.withPermits(1)(
          client.notify("thread/name/updated", { threadId: wireIdOf(threadId), threadName: title })
        )
      )
    )
    return { hold: Effect.asVoid(telling.take(1)), release: Effect.asVoid(telling.release(1)) }
  })
