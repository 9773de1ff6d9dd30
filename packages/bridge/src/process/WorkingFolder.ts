/**
 * Where agents may work: in folders under the allowed roots, once every symbolic link and every `..` is followed.
 *
 * The result is the real path, without links, and it is the one to start the agent in: the path that was
 * asked for may lead elsewhere a moment later. Between the check and the start a folder of the real path itself can
 * still be replaced; that takes somebody who may write below a root as this user, and no check by path can prevent
 * it. So: resolve right before the start, and do not keep the answer.
 */
import { lstat, realpath } from "node:fs"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A folder an agent may not work in. */
export class WorkingFolderRefused extends Schema.TaggedError<WorkingFolderRefused>()("WorkingFolderRefused", {
  code: Schema.Literals([
    /** Empty, too long, or with a NUL. */
    "CWD_BAD_PATH",
    /** Relative, or with a `~` that only shells understand. */
    "CWD_NOT_ABSOLUTE",
    "CWD_OUTSIDE_ROOTS",
    "CWD_MISSING",
    "CWD_NOT_A_FOLDER",
    /** Not readable, a loop of links, or changed while it was looked at. */
    "CWD_UNREADABLE",
    /** A root is not a folder that exists. */
    "CWD_BAD_ROOT"
  ]),
  message: Schema.String,
  /** What was asked for. */
  path: Schema.String
}) {}

/** The folders agents may work in. */
export interface WorkingFolders {
  /** The roots, without links. */
  readonly roots: ReadonlyArray<string>
  /** The real path of a folder under a root. */
  readonly resolve: (path: string) => Effect.Effect<string, WorkingFolderRefused>
  /** Whether a folder is under a root, or was before it was gone. */
  readonly contains: (path: string) => Effect.Effect<boolean>
}

/** Longer paths are refused by the systems this runs on. */
const maxPathLength = 4096

/** The folders under some roots, which have to exist. No roots: no folders. */
export const makeWorkingFolders = Effect.fn("makeWorkingFolders")(function* (
  roots: ReadonlyArray<string>
): Effect.fn.Return<WorkingFolders, WorkingFolderRefused> {
  const real: Array<string> = []
  for (const root of roots) real.push(yield* realRoot(root))
  return { roots: real, resolve: (path) => resolveUnder(real, path), contains: (path) => containsPath(real, path) }
})

const realRoot = (root: string): Effect.Effect<string, WorkingFolderRefused> =>
  checkPath(root).pipe(
    Effect.andThen(realPath(root)),
    Effect.flatMap(checkFolder),
    Effect.mapError(
      ({ message, path }) =>
        new WorkingFolderRefused({
          code: "CWD_BAD_ROOT",
          message: `A root for working folders is wrong: ${message}`,
          path
        })
    )
  )

const resolveUnder = Effect.fn("WorkingFolders.resolve")(function* (
  roots: ReadonlyArray<string>,
  path: string
): Effect.fn.Return<string, WorkingFolderRefused> {
  yield* checkPath(path)
  const outside = new WorkingFolderRefused({
    code: "CWD_OUTSIDE_ROOTS",
    message: `${shown(path)} is not under a folder that this bridge may work in.`,
    path
  })
  const within = (real: string) => roots.some((root) => isUnder(root, real))
  // Only those who asked below a root learn that something is missing: else this would reveal what exists elsewhere.
  const real = yield* realPath(path).pipe(Effect.mapError((refused) => (within(resolve(path)) ? refused : outside)))
  if (!within(real)) return yield* outside
  return yield* checkFolder(real)
})

/** As far as there is something, links are followed; nobody knows where the rest of a path led. */
const containsPath = (roots: ReadonlyArray<string>, path: string, rest = ""): Effect.Effect<boolean> =>
  Effect.matchEffect(Effect.andThen(checkPath(path), realPath(path)), {
    onSuccess: (real) => Effect.succeed(roots.some((root) => isUnder(root, join(real, rest)))),
    onFailure: ({ code }) => {
      const above = dirname(path)
      return above === path || code === "CWD_BAD_PATH" || code === "CWD_NOT_ABSOLUTE"
        ? Effect.succeed(false)
        : Effect.suspend(() => containsPath(roots, above, join(basename(path), rest)))
    }
  })

const checkPath = (path: string): Effect.Effect<void, WorkingFolderRefused> => {
  if (path === "" || path.length > maxPathLength || path.includes("\0"))
    return refuse("CWD_BAD_PATH", path, `${shown(path)} cannot be the path of a folder.`)
  if (path === "~" || path.startsWith("~/"))
    return refuse("CWD_NOT_ABSOLUTE", path, `${shown(path)}: ~ is not expanded here, write the whole path.`)
  if (!isAbsolute(path)) return refuse("CWD_NOT_ABSOLUTE", path, `${shown(path)} is not an absolute path.`)
  return Effect.void
}

const isUnder = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Fails when a real path is not a folder, or when a link has been put into it since. */
const checkFolder = Effect.fnUntraced(function* (real: string): Effect.fn.Return<string, WorkingFolderRefused> {
  const isFolder = yield* Effect.callback<boolean, WorkingFolderRefused>((resume) =>
    lstat(real, (error, stats) => resume(error === null ? Effect.succeed(stats.isDirectory()) : failed(error, real)))
  )
  if (!isFolder) return yield* refuse("CWD_NOT_A_FOLDER", real, `${shown(real)} is not a folder.`)
  if ((yield* realPath(real)) !== real) return yield* refuse("CWD_UNREADABLE", real, `${shown(real)} just changed.`)
  return real
})

// `native`, because the other one takes `..` off before it follows links, and so ends up elsewhere than the system.
const realPath = (path: string): Effect.Effect<string, WorkingFolderRefused> =>
  Effect.callback((resume) =>
    realpath.native(path, (error, real) => resume(error === null ? Effect.succeed(real) : failed(error, path)))
  )

const failed = (error: NodeJS.ErrnoException, path: string): Effect.Effect<never, WorkingFolderRefused> =>
  error.code === "ENOENT" || error.code === "ENOTDIR"
    ? refuse("CWD_MISSING", path, `${shown(path)} does not exist.`)
    : refuse("CWD_UNREADABLE", path, `${shown(path)} cannot be looked at (${error.code ?? "unknown error"}).`)

const refuse = (
  code: WorkingFolderRefused["code"],
  path: string,
  message: string
): Effect.Effect<never, WorkingFolderRefused> => Effect.fail(new WorkingFolderRefused({ code, message, path }))

// As JSON, so that what a stranger sent cannot fake a line of a log.
const shown = (path: string): string => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
