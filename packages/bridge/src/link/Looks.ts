/**
 * Looks at transcripts that the other process has open. While one is, nothing of what it sees changes, so each has a time
 * limit, and there are only so many.
 */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { LogFailed } from "../log/BoundedLog.ts"
import type { EntryView } from "../log/EventLog.ts"
import type { Session } from "../session/Session.ts"
import { LookGone } from "./LinkErrors.ts"
import type { Path } from "./Values.ts"

/** A look that is open. */
export interface OpenLook {
  readonly look: number
  readonly seq: number
  readonly view: EntryView<LogFailed>
}

/** The looks of a connection. They end with it. */
export interface Looks {
  readonly open: (session: Session) => Effect.Effect<OpenLook, LogFailed>
  /** What is seen, along the conversation or another path. */
  readonly at: (asked: {
    readonly look: number
    readonly path?: typeof Path.Type | undefined
  }) => Effect.Effect<EntryView<LogFailed>, LookGone>
  readonly close: (look: number) => void
}

/** How many a connection may have open. */
const maxLooks = 256

/** No looks. */
export const makeLooks = (limit: Duration.Input = "1 minute"): Effect.Effect<Looks, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const open = new Map<number, { readonly view: EntryView<LogFailed>; readonly end: Deferred.Deferred<void> }>()
    let count = 0
    return {
      open: (session) =>
        Effect.gen(function* () {
          if (open.size >= maxLooks)
            return yield* new LogFailed({
              code: "LINK_BUSY",
              message: `${maxLooks} transcripts are looked at already.`
            })
          const seen = yield* Deferred.make<OpenLook, LogFailed>()
          const look = ++count
          const held = session.log.look((view, seq) => {
            const end = Deferred.makeUnsafe<void>()
            open.set(look, { view, end })
            Deferred.doneUnsafe(seen, Exit.succeed({ look, seq, view }))
            return Effect.ensuring(
              Effect.timeoutOrElse(Deferred.await(end), { duration: limit, orElse: () => Effect.void }),
              Effect.sync(() => open.delete(look))
            )
          })
          yield* Effect.forkIn(
            Effect.catch(held, (failed) => Effect.asVoid(Deferred.fail(seen, failed))),
            scope
          )
          return yield* Deferred.await(seen)
        }),
      at: ({ look, path }) =>
        Effect.suspend(() => {
          const found = open.get(look)
          if (found === undefined) return new LookGone({ message: "This look at the transcript has ended." })
          return Effect.succeed(path === undefined ? found.view : found.view.along(path))
        }),
      close: (look) => {
        const found = open.get(look)
        if (found !== undefined) Deferred.doneUnsafe(found.end, Exit.void)
      }
    }
  })
