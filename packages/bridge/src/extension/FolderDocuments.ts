/**
 * Documents in a folder: a folder for each owner, a file for each key. A file is written beside its place and then put
 * there, so that one is either as it was or as it is to be, however the process ends.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { parseJson } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import type { Document, Documents } from "./Documents.ts"
import { type ExtensionFailed, extensionFailed } from "./ExtensionFailed.ts"

const ending = ".json"

/** Where extensions keep things, in the folder in which a bridge keeps its threads. */
export const extensionFolder = (data: string): string => join(data, "extensions")

/** Documents that outlive the bridge. The folder is made when there is something to keep. */
export const folderDocuments = (folder: string): Documents => {
  let written = 0
  const placeOf = (owner: string, key: string): string => join(folder, owner, `${key}${ending}`)
  const trying = <A>(what: string, use: () => Promise<A>): Effect.Effect<A, ExtensionFailed> =>
    Effect.tryPromise({
      try: use,
      catch: (error) =>
        extensionFailed(
          "EXTENSION_STORE_FAILED",
          `${what}: ${(error as NodeJS.ErrnoException).code ?? "something broke"}. Look at the folder ${folder}.`
        )
    })
  const read = async (owner: string, key: string): Promise<unknown> => {
    try {
      return parseJson(await readFile(placeOf(owner, key), "utf8"))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
      throw error
    }
  }
  const keysOf = async (owner: string): Promise<ReadonlyArray<string>> => {
    try {
      const files = await readdir(join(folder, owner))
      return files.flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : [])).sort()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
      throw error
    }
  }
  return {
    list: (owner) =>
      trying("It cannot be listed", async () => {
        const found: Array<Document> = []
        for (const key of await keysOf(owner)) {
          const value = await read(owner, key)
          if (value !== undefined) found.push({ key, value })
        }
        return found
      }),
    get: (owner, key) => trying("It cannot be read", () => read(owner, key)),
    put: (owner, key, value) =>
      trying("It cannot be written", async () => {
        await mkdir(join(folder, owner), { recursive: true, mode: 0o700 })
        const beside = `${placeOf(owner, key)}.${process.pid}.${++written}`
        await writeFile(beside, JSON.stringify(value), { mode: 0o600 })
        await rename(beside, placeOf(owner, key))
      }),
    remove: (owner, key) => trying("It cannot be removed", () => rm(placeOf(owner, key), { force: true }))
  }
}
