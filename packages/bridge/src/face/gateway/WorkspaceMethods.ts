/**
 * What the methods of workspaces do.
 */
import * as Effect from "effect/Effect"
import { Sessions } from "../../session/Sessions.ts"
import { sessionRefused } from "../http/SessionRefusal.ts"
import type { Handlers } from "./Call.ts"
import { foundIn, recordOf, workspaceById, workspaceOf } from "./Finding.ts"

/** What the methods of workspaces do. */
export const workspaceHandlers: Pick<Handlers, Extract<keyof Handlers, `workspace.${string}`>> = {
  "workspace.list": () =>
    Effect.gen(function* () {
      const { workspaces } = yield* Sessions
      return { workspaces: (yield* Effect.mapError(workspaces.list, sessionRefused)).map(workspaceOf) }
    }),
  "workspace.get": ({ workspaceId }) =>
    Effect.map(workspaceById(workspaceId), (workspace) => ({ workspace: workspaceOf(workspace) })),
  "workspace.getOrCreate": ({ cwd, name }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const before = yield* Effect.mapError(sessions.workspaces.list, sessionRefused)
      const workspace = yield* Effect.mapError(sessions.workspaces.ofFolder(cwd, name), sessionRefused)
      const page = yield* Effect.mapError(sessions.page({ workspaceId: workspace.id }), sessionRefused)
      return {
        workspace: workspaceOf(workspace),
        created: before.every(({ id }) => id !== workspace.id),
        sessions: [...page.sessions.map(recordOf), ...(yield* foundIn(workspace))]
      }
    })
}
