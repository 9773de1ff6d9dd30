/**
 * What the endpoints do that need no agent: lists of sessions, what was said in them, workspaces, and conversations that
 * were begun elsewhere.
 */
import * as Agui from "@agentwire/protocol/agui"
import * as Effect from "effect/Effect"
import type { ListedConversation } from "../../session/ProviderConversations.ts"
import { Sessions } from "../../session/Sessions.ts"
import { checkAllowed } from "../http/AllowedOptions.ts"
import { beforeIn, checkThread, existing } from "../http/Finding.ts"
import { sessionRefused } from "../http/SessionRefusal.ts"
import type { OutputOf } from "./Api.ts"
import type { Handlers } from "./Handler.ts"
import { listed, view } from "./SessionViews.ts"

const adoptable = ({
  activeAt,
  titleBy: _,
  writtenAt: _at,
  ...conversation
}: ListedConversation): OutputOf<"sessions.adoptable">["conversations"][number] => ({
  ...conversation,
  usedAt: activeAt
})

/** What each of these endpoints does. */
export const libraryHandlers: Pick<
  Handlers,
  | "sessions.list"
  | "sessions.change"
  | "sessions.messages"
  | "sessions.adoptable"
  | "sessions.adopt"
  | `workspaces.${"list" | "open" | "get" | "change" | "remove"}`
> = {
  "sessions.list": ({ query }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const page = yield* Effect.mapError(sessions.page(query), sessionRefused)
      return { sessions: page.sessions.map(listed), ...beforeIn(page) }
    }),
  "sessions.change": ({ body, params: { threadId } }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      yield* checkThread(threadId)
      const changed = yield* Effect.mapError(sessions.change(threadId, body), sessionRefused)
      return listed(yield* existing("SESSION_NOT_FOUND", changed))
    }),
  "sessions.messages": ({ params: { threadId }, query }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      yield* checkThread(threadId)
      const found = yield* Effect.mapError(sessions.history(threadId, query), sessionRefused)
      const { entries, total, ...page } = yield* existing("SESSION_NOT_FOUND", found)
      return {
        messages: [...Agui.messagesOf({ entries, omitted: 0 })],
        ...beforeIn(page),
        ...(total !== undefined && { total })
      }
    }),
  "sessions.adoptable": ({ query }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const page = yield* Effect.mapError(sessions.adoptable(query), sessionRefused)
      return { conversations: page.conversations.map(adoptable), ...beforeIn(page) }
    }),
  "sessions.adopt": ({ asked, body: { mode, threadId, ...agent }, params: { providerSessionId } }) =>
    Effect.gen(function* () {
      yield* checkAllowed(asked.options, agent)
      const sessions = yield* Sessions
      const session = yield* Effect.mapError(
        sessions.adopt({ providerSessionId, threadId, mode, agent }),
        sessionRefused
      )
      return yield* view(session)
    }),
  "workspaces.list": () =>
    Effect.gen(function* () {
      const { workspaces } = yield* Sessions
      return { workspaces: yield* Effect.mapError(workspaces.list, sessionRefused) }
    }),
  "workspaces.open": ({ body: { folder, name } }) =>
    Effect.gen(function* () {
      const { workspaces } = yield* Sessions
      return yield* Effect.mapError(workspaces.ofFolder(folder, name), sessionRefused)
    }),
  "workspaces.get": ({ params: { workspaceId } }) =>
    Effect.gen(function* () {
      const { workspaces } = yield* Sessions
      return yield* existing("WORKSPACE_NOT_FOUND", yield* Effect.mapError(workspaces.get(workspaceId), sessionRefused))
    }),
  "workspaces.change": ({ body, params: { workspaceId } }) =>
    Effect.gen(function* () {
      const { workspaces } = yield* Sessions
      return yield* existing(
        "WORKSPACE_NOT_FOUND",
        yield* Effect.mapError(workspaces.change(workspaceId, body), sessionRefused)
      )
    }),
  "workspaces.remove": ({ params: { workspaceId } }) =>
    Effect.gen(function* () {
      const { workspaces } = yield* Sessions
      const removed = yield* Effect.mapError(workspaces.remove(workspaceId), sessionRefused)
      yield* existing("WORKSPACE_NOT_FOUND", removed ? true : undefined)
      return { removed: true }
    })
}
