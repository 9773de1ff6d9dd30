/**
 * What most endpoints begin with: the session of a thread, or the refusal that there is none.
 */
import * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import { threadIdProblem } from "../../session/SessionRegistry.ts"
import { Sessions } from "../../session/Sessions.ts"
import { type HttpRefusal, refuse } from "./HttpRefusal.ts"
import { sessionRefused } from "./SessionRefusal.ts"

/** What lies before a page. */
export const beforeIn = ({ before }: { readonly before: string | undefined }) => ({
  hasMore: before !== undefined,
  ...(before !== undefined && { before })
})

/** What was asked for, or the refusal that there is none. */
export const existing = <A>(
  code: "SESSION_NOT_FOUND" | "WORKSPACE_NOT_FOUND",
  found: A | undefined
): Effect.Effect<A, HttpRefusal> =>
  found === undefined ? Effect.fail(refuse(code, missing[code])) : Effect.succeed(found)

const missing = {
  SESSION_NOT_FOUND: "This thread has no session. Make one with POST /api/sessions.",
  WORKSPACE_NOT_FOUND: "There is no workspace with this id. Find or make one with POST /api/workspaces."
} as const

/** Refuses what cannot be the name of a thread. */
export const checkThread = (threadId: string): Effect.Effect<void, HttpRefusal> => {
  const problem = threadIdProblem(threadId)
  return problem === undefined ? Effect.void : Effect.fail(refuse("BAD_THREAD_ID", problem))
}

/** The session of a thread. */
export const sessionOf = ({
  params: { threadId }
}: {
  readonly params: { readonly threadId: string }
}): Effect.Effect<Session, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    yield* checkThread(threadId)
    return yield* existing("SESSION_NOT_FOUND", yield* Effect.mapError(sessions.find(threadId), sessionRefused))
  })
