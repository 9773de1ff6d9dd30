/** A folder of templates as the files of a workspace. Links in it are not followed, and nothing else than files is taken. */
import { readdir, readFile, stat } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import * as Effect from "effect/Effect"
import { realFolder, type WorkspaceFile } from "./Workspace.ts"
import { asked, refusal, refusedBy, type WorkspaceRefused } from "./WorkspaceRefused.ts"

/** More files than this are no templates. */
const maxFiles = 1000
/** Claude Code reads no file of an agent that is larger. */
const maxBytes = 1024 * 1024

/** The files below a folder, by their paths from it, sorted. `ending`: only those whose name ends so. */
export const readTemplates = Effect.fn("readTemplates")(function* (
  folder: string,
  ending = ""
): Effect.fn.Return<ReadonlyArray<WorkspaceFile>, WorkspaceRefused> {
  const root = yield* realFolder(folder)
  const entries = yield* Effect.mapError(
    asked(() => readdir(root, { recursive: true, withFileTypes: true })),
    refusedBy(folder, "read")
  )
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  if (paths.length > maxFiles) return yield* refusal("WORKSPACE_TOO_LARGE", folder, `has more than ${maxFiles} files`)
  return yield* Effect.forEach(paths, (path) =>
    Effect.gen(function* () {
      const { size } = yield* Effect.mapError(
        asked(() => stat(path)),
        refusedBy(path, "read")
      )
      if (size > maxBytes) return yield* refusal("WORKSPACE_TOO_LARGE", path, `has more than ${maxBytes} bytes`)
      const content = yield* Effect.mapError(
        asked(() => readFile(path)),
        refusedBy(path, "read")
      )
      return { path: relative(root, path).split(sep).join("/"), content }
    })
  )
})
