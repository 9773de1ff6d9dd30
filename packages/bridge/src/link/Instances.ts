/**
 * The sessions of the runtime as the other process names them: each time that a thread is opened is an instance. Whoever means
 * one that is gone is told so, and looks again.
 */
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Session } from "../session/Session.ts"
import { refused, type SessionRefused } from "../session/SessionRefused.ts"
import type { Sessions } from "../session/Sessions.ts"
import { SessionGone } from "./LinkErrors.ts"
import type { Head } from "./Values.ts"

/** The sessions of the runtime, by their instances. */
export interface Instances {
  /** What the other process is told of a session. `knows`: the instance that it has come to already. */
  readonly headOf: (session: Session, knows?: string | undefined) => Effect.Effect<Head, SessionRefused>
  /** The session of an instance. */
  readonly of: (asked: { readonly threadId: string; readonly instance: string }) => Effect.Effect<Session, SessionGone>
  /** The sessions that are open now. */
  readonly open: Effect.Effect<ReadonlyArray<Session>>
}

interface Instance {
  readonly session: Session
  readonly name: string
}

/** No instances yet; those that are opened from now on are known. `boot`: another one for each start of the runtime. */
export const makeInstances = (
  sessions: Sessions["Service"],
  boot: string
): Effect.Effect<Instances, never, Scope.Scope> =>
  Effect.gen(function* () {
    const known = new Map<string, Instance>()
    const opened = new Map<string, Session>()
    let count = 0

    const nameOf = (session: Session): string => {
      const before = known.get(session.threadId)
      // The same session may come as another object, which tells observers what is done with it.
      if (before?.session.log === session.log) return before.name
      const name = `${boot}.${++count}`
      known.set(session.threadId, { session, name })
      return name
    }

    const forgetEnded = Effect.gen(function* () {
      for (const [threadId, session] of [...opened])
        if ((yield* session.status) === "terminated" && opened.get(threadId) === session) {
          opened.delete(threadId)
          if (known.get(threadId)?.session.log === session.log) known.delete(threadId)
        }
    })

    yield* sessions.onOpen?.((session) =>
      Effect.andThen(
        forgetEnded,
        Effect.sync(() => void opened.set(session.threadId, session))
      )
    ) ?? Effect.void

    return {
      headOf: (session, knows) =>
        Effect.gen(function* () {
          const { createdAt, cwd, log, mode, openedAt, threadId } = session
          const instance = nameOf(session)
          const from =
            knows === instance
              ? undefined
              : yield* Effect.mapError(
                  log.look((view, seq) => Effect.succeed({ seq, situation: Model.situationToJson(view.situation) })),
                  refused
                )
          return {
            threadId,
            instance,
            cwd,
            createdAt,
            openedAt,
            mode,
            cutAt: log.cutAt,
            leftAt: log.leftAt,
            next: log.next(),
            from
          }
        }),
      of: ({ instance, threadId }) =>
        Effect.suspend(() => {
          const found = known.get(threadId)
          return found?.name === instance
            ? Effect.succeed(found.session)
            : new SessionGone({ message: `This session of thread ${threadId} is not open any more.` })
        }),
      open: Effect.map(forgetEnded, () => [...opened.values()])
    }
  })
