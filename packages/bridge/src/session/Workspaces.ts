/**
 * Workspaces: the folders that people work in, with what they call them and the session they used last.
 *
 * A folder has one workspace, whose id is made from the folder's path. So whoever makes it twice, or again after it was
 * removed, gets the same one, with the sessions that belong to it.
 */
import { createHash } from "node:crypto"
import { basename } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Store } from "../store/Store.ts"
import type { Workspace } from "../store/StoredThread.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import { refused, SessionRefused } from "./SessionRefused.ts"

/** What changes about a workspace. */
export interface WorkspaceChange {
  readonly name?: string | undefined
  /** A session of the workspace; null: none. */
  readonly activeThreadId?: string | null | undefined
}

/** The workspaces of a bridge. */
export interface Workspaces {
  /** All of them, the oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<Workspace>, SessionRefused>
  readonly get: (id: string) => Effect.Effect<Workspace | undefined, SessionRefused>
  /** The workspace of a folder, made when there is none. `name`: what it is called then. Default: as the folder. */
  readonly ofFolder: (folder: string, name?: string) => Effect.Effect<Workspace, SessionRefused>
  /** Undefined: there is none. Refused when the session is not one of the workspace. */
  readonly change: (id: string, change: WorkspaceChange) => Effect.Effect<Workspace | undefined, SessionRefused>
  /** Forgets a workspace. Its sessions stay. False: there was none. */
  readonly remove: (id: string) => Effect.Effect<boolean, SessionRefused>
}

/** The id of a folder's workspace. */
export const workspaceIdOf = (folder: string): string =>
  `ws_${createHash("sha256").update(folder).digest("hex").slice(0, 20)}`

/** The workspaces of a store, and what sessions do to them. */
export interface WorkspaceKeeper extends Workspaces {
  /** A session was made in a folder: it is the active one now. Gives the workspace's id. */
  readonly enter: (folder: string, threadId: string) => Effect.Effect<string, SessionRefused>
  /** A session is no more. */
  readonly leave: (workspaceId: string, threadId: string) => Effect.Effect<void, SessionRefused>
}

/** The workspaces of a store. */
export const makeWorkspaces = (store: Store["Service"]): WorkspaceKeeper => {
  // A workspace is read, changed and written: one at a time.
  const lock = Semaphore.makeUnsafe(1)
  const locked = <A, E extends SessionRefused | StoreFailed>(effect: Effect.Effect<A, E>) =>
    lock.withPermits(1)(Effect.mapError(effect, refused))

  const found = (folder: string, name: string | undefined): Effect.Effect<Workspace, StoreFailed> =>
    Effect.gen(function* () {
      const id = workspaceIdOf(folder)
      const known = yield* store.workspace(id)
      if (known !== undefined) return known
      const createdAt = yield* Clock.currentTimeMillis
      const made: Workspace = { id, name: name ?? (basename(folder) || folder), folder, createdAt }
      yield* store.putWorkspace(made)
      return made
    })

  const changed = (
    workspace: Workspace,
    { activeThreadId, name }: WorkspaceChange
  ): Effect.Effect<Workspace, StoreFailed> => {
    const { activeThreadId: before, ...rest } = workspace
    const active = activeThreadId === undefined ? before : (activeThreadId ?? undefined)
    const next = {
      ...rest,
      ...(name !== undefined && { name }),
      ...(active !== undefined && { activeThreadId: active })
    }
    return Effect.as(store.putWorkspace(next), next)
  }

  return {
    list: Effect.mapError(store.workspaces, refused),
    get: (id) => Effect.mapError(store.workspace(id), refused),
    ofFolder: (folder, name) => locked(found(folder, name)),
    change: (id, change) =>
      locked(
        Effect.gen(function* () {
          const workspace = yield* store.workspace(id)
          if (workspace === undefined) return undefined
          const { activeThreadId } = change
          if (typeof activeThreadId === "string" && (yield* store.thread(activeThreadId))?.workspaceId !== id)
            return yield* new SessionRefused({
              code: "SESSION_NOT_FOUND",
              message: "The workspace has no session of this id."
            })
          return yield* changed(workspace, change)
        })
      ),
    remove: (id) => locked(store.removeWorkspace(id)),
    enter: (folder, activeThreadId) =>
      locked(
        Effect.flatMap(found(folder, undefined), (workspace) =>
          Effect.as(changed(workspace, { activeThreadId }), workspace.id)
        )
      ),
    leave: (id, threadId) =>
      locked(
        Effect.gen(function* () {
          const workspace = yield* store.workspace(id)
          if (workspace?.activeThreadId === threadId) yield* changed(workspace, { activeThreadId: null })
        })
      )
  }
}
