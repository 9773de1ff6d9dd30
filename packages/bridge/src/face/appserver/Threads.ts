/**
 * The threads that requests are about: by the id of the client, or the refusal that there is none.
 */
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import { type SessionSummary, Sessions } from "../../session/Sessions.ts"
import type { Call, Follow } from "./Call.ts"
import { sessionRefused } from "./Refusals.ts"
import type { ThreadFacts } from "./ThreadView.ts"

/** The name of the thread that an id stands for. */
export const nameOf = (call: Call, wireId: string): Effect.Effect<string, Refusal, Sessions> =>
  Effect.mapError(call.client.shared.nameOf(wireId), sessionRefused)

/** What is known of a thread without opening it. */
export const summaryOf = (
  call: Call,
  wireId: string,
  missing: (wireId: string) => Refusal
): Effect.Effect<SessionSummary, Refusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const summary = yield* Effect.mapError(sessions.summary(yield* nameOf(call, wireId)), sessionRefused)
    return summary ?? (yield* missing(wireId))
  })

/** The session of a thread, opened where it is not. */
export const sessionOf = (
  call: Call,
  wireId: string,
  missing: (wireId: string) => Refusal
): Effect.Effect<Session, Refusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const session = yield* Effect.mapError(sessions.find(yield* nameOf(call, wireId)), sessionRefused)
    return session ?? (yield* missing(wireId))
  })

/**
 * How the client follows a session: as it did, or from now on. A session that has ended meanwhile, because its place was
 * needed, is another one when it is opened again.
 */
export const followed = ({ client }: Call, session: Session): Effect.Effect<Follow> =>
  Effect.suspend(() => {
    const follow = client.follows.get(session.threadId)
    return follow?.session === session ? Effect.succeed(follow) : client.follow(session)
  })

/** What a session says of its thread. */
export const factsOf = (session: Session): Effect.Effect<ThreadFacts, Refusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const summary = yield* Effect.mapError(sessions.summary(session.threadId), sessionRefused)
    const { createdAt, cwd, threadId } = session
    return summary === undefined
      ? { threadId, createdAt, usedAt: createdAt, cwd, title: yield* session.title, forkOf: undefined }
      : { ...summary, cwd }
  })
