/**
 * The sessions and workspaces that requests are about, and how a client sees them.
 */
import type { SessionRecord, WorkspaceRecord } from "@agentwire/protocol/gateway"
import * as Effect from "effect/Effect"
import type { ListedConversation } from "../../session/ProviderConversations.ts"
import type { Session } from "../../session/Session.ts"
import { type SessionSummary, Sessions } from "../../session/Sessions.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { sessionRefused } from "../http/SessionRefusal.ts"
import type { Client } from "./Call.ts"

/** A session that was there a moment ago. */
export const removed = refuse("SESSION_NOT_FOUND", "This session was just removed.")

/** The session that a request names, or that its connection is on. */
export const sessionIdOf = (
  { sessionId }: { readonly sessionId?: string | undefined },
  { current }: Client
): Effect.Effect<string, HttpRefusal> => {
  const id = sessionId ?? current
  return id === undefined
    ? Effect.fail(
        refuse(
          "SESSION_NOT_FOUND",
          "Say which session: `sessionId`. This connection has neither made one nor switched to one."
        )
      )
    : Effect.succeed(id)
}

/** A session of a conversation that was begun elsewhere. */
const adopted = (id: string): Effect.Effect<Session, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    return yield* Effect.mapError(sessions.adopt({ providerSessionId: id }), (refused) =>
      refused.code === "SESSION_NOT_FOUND" || refused.code === "AGENT_UNSUPPORTED"
        ? refuse("SESSION_NOT_FOUND", "There is no such session. `session.list` has those there are.")
        : sessionRefused(refused)
    )
  })

/** The session of an id. A conversation that was begun elsewhere is continued from now on. */
export const sessionOf = (id: string): Effect.Effect<Session, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    return (yield* Effect.mapError(sessions.find(id), sessionRefused)) ?? (yield* adopted(id))
  })

/** What is known of a session without opening it. A conversation that was begun elsewhere is continued from now on. */
export const summaryOf = (id: string): Effect.Effect<SessionSummary, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const known = Effect.mapError(sessions.summary(id), sessionRefused)
    const summary = (yield* known) ?? (yield* Effect.andThen(adopted(id), known))
    return summary ?? (yield* removed)
  })

/** A time as clients read it. */
export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** A session, as lists have it. */
export const recordOf = (summary: SessionSummary): SessionRecord => ({
  id: summary.threadId,
  workspaceId: summary.workspaceId ?? null,
  ccSessionId: summary.providerSessionId ?? null,
  status: summary.archived ? "archived" : "active",
  title: summary.title ?? null,
  summary: summary.summary ?? null,
  lastActivity: timeOf(summary.usedAt),
  createdAt: timeOf(summary.createdAt),
  activity: summary.status,
  cwd: summary.cwd ?? null
})

/** A conversation that was begun elsewhere, as lists have it. */
export const foundOf = (
  { activeAt, createdAt, cwd, providerSessionId, title }: ListedConversation,
  workspaceId: string
): SessionRecord => ({
  id: providerSessionId,
  workspaceId,
  ccSessionId: providerSessionId,
  status: "active",
  title: title ?? null,
  summary: null,
  lastActivity: timeOf(activeAt),
  createdAt: timeOf(createdAt),
  activity: "disconnected",
  cwd,
  found: true
})

/** The record of a session. */
export const recordById = (id: string): Effect.Effect<SessionRecord, HttpRefusal, Sessions> =>
  Effect.map(summaryOf(id), recordOf)

type Workspace = Effect.Success<Sessions["Service"]["workspaces"]["list"]>[number]

/** A workspace, as clients see it. */
export const workspaceOf = ({ activeThreadId, createdAt, folder, id, name }: Workspace): WorkspaceRecord => ({
  id,
  name,
  cwd: folder,
  activeSessionId: activeThreadId ?? null,
  createdAt: timeOf(createdAt)
})

/** The workspace of an id. */
export const workspaceById = (id: string): Effect.Effect<Workspace, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const { workspaces } = yield* Sessions
    const found = yield* Effect.mapError(workspaces.get(id), sessionRefused)
    return (
      found ??
      (yield* refuse(
        "WORKSPACE_NOT_FOUND",
        "There is no such workspace. `workspace.getOrCreate` makes that of a folder."
      ))
    )
  })

/** How many conversations that were begun elsewhere are listed with a workspace. */
const maxFound = 50

/** The conversations of a folder that no session continues. Where the agents keep none, there are none. */
export const foundIn = ({ folder, id }: Workspace): Effect.Effect<ReadonlyArray<SessionRecord>, never, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const { conversations } = yield* sessions.adoptable({ cwd: folder, limit: maxFound })
    return conversations.map((each) => foundOf(each, id))
  }).pipe(
    // A list of what is kept here does not depend on what others keep.
    Effect.catch(({ code, message }) =>
      Effect.as(
        Effect.annotateLogs(Effect.logWarning("What agents keep cannot be listed."), { code, reason: message }),
        []
      )
    )
  )
