/**
 * A folder made ready for a session: files that the agent looks for, put where they are missing.
 *
 * Nothing that is there is changed, whatever it is: the project's own files, and links, also those that lead nowhere.
 * A file appears whole or not at all, and two sessions that begin at once write it once. Nothing is written outside of
 * the folder: a link that leads elsewhere is refused. As with `process/WorkingFolder.ts`, that holds as long as nobody
 * replaces a folder between the look and the write.
 */
import { randomUUID } from "node:crypto"
import { link, lstat, mkdir, realpath, rm, stat, writeFile } from "node:fs/promises"
import { dirname, isAbsolute, join, relative, sep } from "node:path"
import * as Effect from "effect/Effect"
import { asked, refusal, refusedBy, type WorkspaceRefused } from "./WorkspaceRefused.ts"

/** A file that a workspace is to have. */
export interface WorkspaceFile {
  /** From the folder of the workspace, with `/`. */
  readonly path: string
  readonly content: string | Uint8Array
}

/** What became of the files of a workspace, by their paths. */
export interface PreparedWorkspace {
  readonly written: ReadonlyArray<string>
  /** Those that something was there for. */
  readonly kept: ReadonlyArray<string>
}

/** Writes the files that a folder does not have. */
export const prepareWorkspace = Effect.fn("prepareWorkspace")(function* (
  folder: string,
  files: ReadonlyArray<WorkspaceFile>
): Effect.fn.Return<PreparedWorkspace, WorkspaceRefused> {
  const root = yield* realFolder(folder)
  const odd = files.find(({ path }) => !isInside(path))
  if (odd !== undefined) return yield* refusal("WORKSPACE_BAD_PATH", odd.path, "is not a path within the folder")
  const written: Array<string> = []
  const kept: Array<string> = []
  for (const file of files) ((yield* putFile(root, file)) ? written : kept).push(file.path)
  return { written, kept }
})

/** The real path of a folder, which has to be there. */
export const realFolder = (path: string): Effect.Effect<string, WorkspaceRefused> =>
  Effect.gen(function* () {
    const real = yield* Effect.mapError(
      asked(() => realpath(path)),
      refusedBy(path, "read")
    )
    const isFolder = yield* Effect.mapError(
      asked(async () => (await stat(real)).isDirectory()),
      refusedBy(path, "read")
    )
    return isFolder ? real : yield* refusal("WORKSPACE_NOT_A_FOLDER", path, "is not a folder")
  })

const isInside = (path: string): boolean =>
  !isAbsolute(path) && !/[\0\\]/.test(path) && path.split("/").every((part) => !["", ".", ".."].includes(part))

/** Whether the file was written. */
const putFile = Effect.fnUntraced(function* (
  root: string,
  { content, path }: WorkspaceFile
): Effect.fn.Return<boolean, WorkspaceRefused> {
  const parts = path.split("/")
  let folder = root
  for (const part of parts.slice(0, -1)) folder = yield* enterFolder(root, join(folder, part))
  const target = join(folder, parts.at(-1) ?? "")
  const there = yield* asked(() => lstat(target)).pipe(
    Effect.catchIf(
      (errno) => errno === "ENOENT",
      () => Effect.undefined
    ),
    Effect.mapError(refusedBy(target, "written"))
  )
  if (there?.isDirectory()) return yield* refusal("WORKSPACE_NOT_A_FILE", target, "is a folder, and has to be a file")
  return there === undefined && (yield* writeNew(target, content))
})

/** The real path of a folder of the workspace, made where there is none. */
const enterFolder = Effect.fnUntraced(function* (
  root: string,
  path: string
): Effect.fn.Return<string, WorkspaceRefused> {
  yield* asked(() => mkdir(path)).pipe(
    Effect.catchIf(
      (errno) => errno === "EEXIST",
      () => Effect.void
    ),
    Effect.mapError(refusedBy(path, "written"))
  )
  const real = yield* Effect.mapError(
    asked(() => realpath(path)),
    (errno) =>
      errno === "ENOENT"
        ? refusal("WORKSPACE_OUTSIDE", path, "is a link that leads nowhere")
        : refusedBy(path, "read")(errno)
  )
  const way = relative(root, real)
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way))
    return yield* refusal("WORKSPACE_OUTSIDE", path, "is a link that leads out of the folder")
  return yield* realFolder(real)
})

/** Writes beside the target and links it there, which fails when somebody else was first. Whether it was written. */
const writeNew = (target: string, content: string | Uint8Array): Effect.Effect<boolean, WorkspaceRefused> =>
  Effect.acquireUseRelease(
    Effect.sync(() => join(dirname(target), `.agentwire-${randomUUID()}.tmp`)),
    (beside) =>
      asked(() => writeFile(beside, content, { flag: "wx" })).pipe(
        Effect.andThen(asked(() => link(beside, target))),
        Effect.as(true),
        Effect.catchIf(
          (errno) => errno === "EEXIST",
          () => Effect.succeed(false)
        ),
        Effect.mapError(refusedBy(target, "written"))
      ),
    (beside) => Effect.promise(() => rm(beside, { force: true }))
  )
