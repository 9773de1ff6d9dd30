/**
 * Sessions as the management API shows them.
 */
import * as Effect from "effect/Effect"
import { shownOptions } from "../../session/OptionRules.ts"
import type { Session } from "../../session/Session.ts"
import { type SessionSummary, Sessions } from "../../session/Sessions.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { sessionRefused } from "../http/SessionRefusal.ts"
import type { OutputOf } from "./Api.ts"
import { claudeFacts } from "./NativeClaude.ts"

type Listed = OutputOf<"sessions.list">["sessions"][number]

/** A session in a list. */
export const listed = (summary: SessionSummary): Listed => ({
  threadId: summary.threadId,
  status: summary.status,
  ...record(summary),
  ...(summary.providerSessionId !== undefined && { providerSessionId: summary.providerSessionId }),
  ...(summary.cwd !== undefined && { cwd: summary.cwd }),
  ...(summary.mode !== undefined && { mode: summary.mode }),
  ...(summary.title !== undefined && { title: summary.title })
})

/** What the record of a session says, whether it is open or not. */
const record = ({ adopted, archived, createdAt, forkOf, summary, usedAt, workspaceId }: SessionSummary) => ({
  archived,
  createdAt,
  usedAt,
  ...(adopted && { adopted }),
  ...(forkOf !== undefined && { forkOf }),
  ...(summary !== undefined && { summary }),
  ...(workspaceId !== undefined && { workspaceId })
})

/** All about a session. */
export const view = (session: Session): Effect.Effect<OutputOf<"sessions.get">, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const { cwd, mode, openedAt, threadId } = session
    const { greeting, init } = yield* claudeFacts(session)
    const providerSessionId = yield* session.providerSessionId
    const title = yield* session.title
    const summary = yield* Effect.mapError(sessions.summary(threadId), sessionRefused)
    if (summary === undefined) return yield* refuse("SESSION_NOT_FOUND", "This session was just removed.")
    return {
      threadId,
      status: yield* session.status,
      cwd,
      openedAt,
      agent: yield* session.agent,
      options: shownOptions(yield* session.options),
      events: { next: session.log.next() },
      wire: { oldest: yield* session.wire.oldest, next: yield* session.wire.next },
      approvals: (yield* session.waiting).length,
      tools: [...(yield* session.tools)],
      ...record(summary),
      ...(mode !== undefined && { mode }),
      ...(title !== undefined && { title }),
      ...(providerSessionId !== undefined && { providerSessionId }),
      ...(init !== undefined && { init }),
      ...(greeting !== undefined && { greeting })
    }
  })
