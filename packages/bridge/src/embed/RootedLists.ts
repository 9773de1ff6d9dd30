/**
 * What sessions list, without what is in folders that are not below a root: a store may be that of many bridges, and a
 * provider keeps the conversations of a whole machine.
 */
import * as Effect from "effect/Effect"
import type { WorkingFolders } from "../process/WorkingFolder.ts"
import { filledPage } from "../session/FilledPage.ts"
import { defaultListLimit } from "../session/SessionList.ts"
import { refused, type SessionRefused } from "../session/SessionRefused.ts"
import type { Sessions } from "../session/Sessions.ts"
import type { Workspaces } from "../session/Workspaces.ts"

/** Where something is. */
interface Located {
  readonly cwd: string | undefined
}

/** How many conversations of the provider a page has, unless it is said. */
const defaultAdoptableLimit = 50

/** The lists of sessions, of what is below the roots. */
export const rootedLists = (
  folders: WorkingFolders,
  sessions: Sessions["Service"]
): Pick<Sessions["Service"], "list" | "page" | "adoptable" | "workspaces"> => {
  const { workspaces } = sessions

  /** Those below a root. */
  const onlyUnder = <A extends Located>(all: ReadonlyArray<A>): Effect.Effect<ReadonlyArray<A>> =>
    Effect.gen(function* () {
      const isUnder = new Map<string | undefined, boolean>([[undefined, true]])
      for (const { cwd } of all)
        if (cwd !== undefined && !isUnder.has(cwd))
          isUnder.set(
            cwd,
            yield* Effect.match(folders.resolve(cwd), {
              // A folder that is gone was below a root all the same.
              onFailure: ({ code }) => code !== "CWD_OUTSIDE_ROOTS",
              onSuccess: () => true
            })
          )
      return all.filter(({ cwd }) => isUnder.get(cwd))
    })

  const ifUnder = <A extends { readonly folder: string }>(found: A | undefined): Effect.Effect<A | undefined> =>
    found === undefined
      ? Effect.undefined
      : Effect.map(onlyUnder([{ cwd: found.folder }]), ({ length }) => (length === 0 ? undefined : found))

  const resolved = (path: string): Effect.Effect<string, SessionRefused> =>
    Effect.mapError(folders.resolve(path), refused)

  const rooted: Workspaces = {
    list: Effect.gen(function* () {
      const all = (yield* workspaces.list).map((workspace) => ({ workspace, cwd: workspace.folder }))
      return (yield* onlyUnder(all)).map(({ workspace }) => workspace)
    }),
    get: (id) => Effect.flatMap(workspaces.get(id), ifUnder),
    ofFolder: (folder, name) => Effect.flatMap(resolved(folder), (real) => workspaces.ofFolder(real, name)),
    change: (id, change) =>
      Effect.flatMap(rooted.get(id), (found) =>
        found === undefined ? Effect.undefined : workspaces.change(id, change)
      ),
    remove: (id) =>
      Effect.flatMap(rooted.get(id), (found) => (found === undefined ? Effect.succeed(false) : workspaces.remove(id)))
  }

  return {
    list: Effect.flatMap(sessions.list, onlyUnder),
    page: ({ before, limit = defaultListLimit, ...query }) =>
      Effect.map(
        filledPage(
          { before, limit },
          (before, limit) =>
            Effect.map(sessions.page({ ...query, before, limit }), (page) => ({
              items: page.sessions,
              before: page.before
            })),
          onlyUnder
        ),
        ({ before, items }) => ({ sessions: items, before })
      ),
    adoptable: ({ before, cwd, limit = defaultAdoptableLimit }) =>
      Effect.gen(function* () {
        const folder = cwd === undefined ? undefined : yield* resolved(cwd)
        const page = yield* filledPage(
          { before, limit },
          (before, limit) =>
            Effect.map(sessions.adoptable({ cwd: folder, before, limit }), (page) => ({
              items: page.conversations,
              before: page.before
            })),
          onlyUnder
        )
        return { conversations: page.items, before: page.before }
      }),
    workspaces: rooted
  }
}
