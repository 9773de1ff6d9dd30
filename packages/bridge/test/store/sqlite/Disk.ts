/** Folders that cannot be written, and disks that are soon full: real ones where this user may make them. */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Driver } from "../../../src/store/sqlite/Database.ts"
import { findDriver } from "../../../src/store/sqlite/Driver.ts"
import { emptyFolder } from "../../Folder.ts"

const run = (program: string, ...args: ReadonlyArray<string>): boolean => spawnSync(program, args).status === 0

/** Mounts something on a folder until the scope closes. False where this user may not. */
const mounted = (folder: string, ...args: ReadonlyArray<string>): Effect.Effect<boolean, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => run("mount", ...args, folder)),
    (isMounted) => Effect.sync(() => void (isMounted && run("umount", "--lazy", folder)))
  )

/** The user who owns nothing. */
const nobody = 65534

/** As a user whom permissions concern: they do not concern root. */
export const asSomebody = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  process.getuid?.() !== 0
    ? effect
    : Effect.acquireUseRelease(
        // What has to be loaded is loaded by the owner of the files.
        Effect.sync(() => void (findDriver() && process.seteuid?.(nobody))),
        () => effect,
        () => Effect.sync(() => process.seteuid?.(0))
      )

/** A folder that others may look at. */
export const openFolder: Effect.Effect<string, never, Scope.Scope> = Effect.map(emptyFolder, (folder) => {
  chmodSync(folder, 0o755)
  const inner = join(folder, "data")
  mkdirSync(inner, { mode: 0o755 })
  return inner
})

/** Makes the file system of a folder read-only until the scope closes. False where this user may not. */
export const readOnly = (folder: string): Effect.Effect<boolean, never, Scope.Scope> =>
  Effect.andThen(mounted(folder, "--bind", folder), mounted(folder, "-o", "remount,bind,ro"))

/** A disk with little room. */
export interface SmallDisk {
  readonly folder: string
  readonly driver: Driver | undefined
  /** Makes room. */
  readonly clear: () => void
}

/** A file system in memory of one megabyte, of which some is taken; a limit of SQLite's own where nothing may be mounted. */
export const smallDisk: Effect.Effect<SmallDisk, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* emptyFolder
  if (yield* mounted(folder, "-t", "tmpfs", "-o", "size=1m", "none")) {
    const ballast = join(folder, "ballast")
    writeFileSync(ballast, Buffer.alloc(500_000))
    return { folder, driver: undefined, clear: () => rmSync(ballast) }
  }
  const limits: Array<(pages: number) => void> = []
  const found = findDriver()
  const driver = found && {
    ...found,
    open: (path: string) => {
      const database = found.open(path)
      const limit = (pages: number): void => database.exec(`PRAGMA max_page_count = ${pages}`)
      limits.push(limit)
      limit(80)
      return database
    }
  }
  const clear = (): void => {
    for (const limit of limits) limit(100_000)
  }
  return { folder, driver, clear }
})
