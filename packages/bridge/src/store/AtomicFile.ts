/**
 * Writes a file whole or not at all: after a crash at any point it holds the old text or the new one.
 *
 * The text goes to a file beside it, to the disk, and only then takes the name. One writer at a time: see
 * `LockFile.ts`.
 */
import { access, open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A file that could not be read or written. */
export class FileFailed extends Schema.TaggedError<FileFailed>()("FileFailed", {
  /** The system's code for what is wrong, such as `ENOSPC`. */
  code: Schema.String,
  message: Schema.String,
  path: Schema.String
}) {}

/** Does something with a file. What the system reports becomes the failure. */
export const withFile = <A>(path: string, use: () => Promise<A>): Effect.Effect<A, FileFailed> =>
  Effect.tryPromise({
    try: use,
    catch: (error) =>
      new FileFailed({ code: codeOf(error), message: error instanceof Error ? error.message : String(error), path })
  })

/** The system's code for what is wrong. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN"

/** Where the text goes first. What a crash left there is overwritten by the next write. */
export const draftOf = (path: string): string => `${path}.new`

/** Puts a text in place of what a file held. Only this user may read it. */
export const writeAtomic = (path: string, text: string): Effect.Effect<void, FileFailed> => {
  const draft = draftOf(path)
  return withFile(path, async () => {
    // Created afresh, so that it has our mode and is not a link that somebody put there.
    await rm(draft, { force: true })
    try {
      const file = await open(draft, "wx", 0o600)
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
    } catch (error) {
      // Give the space of half a file back to a full disk.
      await rm(draft, { force: true })
      throw error
    }
    await syncFolder(dirname(path))
  }).pipe(Effect.uninterruptible)
}

/** Makes the new name last. Not every system lets folders be synced; the file is whole either way. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, "r").catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** Renames a useless file, so that it can still be looked at, and returns the new name. */
export const setAside = (path: string): Effect.Effect<string, FileFailed> =>
  withFile(path, async () => {
    for (let n = 1; ; n++) {
      const aside = `${path}.corrupt-${n}`
      const free = await access(aside).then(
        () => false,
        () => true
      )
      if (!free) continue
      await rename(path, aside)
      return aside
    }
  })
