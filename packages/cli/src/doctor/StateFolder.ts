/**
 * Looks at the folder of `agentwire serve` without touching it: opening the database would bring it to the newest
 * version, and a bridge may be using it.
 */

import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs"
import { dirname, join } from "node:path"

/** What there is. */
export type StateLook = { readonly path: string } & (
  | { readonly _tag: "Usable"; readonly bytes: number }
  /** It will be made. */
  | { readonly _tag: "Absent" }
  /** It is the file of something else. */
  | { readonly _tag: "Foreign" }
  /** It can be neither used nor made, for this reason. */
  | { readonly _tag: "Unusable"; readonly reason: string }
)

/** Looks at the database in a folder. */
export const inspectState = (folder: string): StateLook => {
  const path = join(folder, "agentwire.db")
  const reason = whyNotWritable(folder)
  if (reason !== undefined) return { _tag: "Unusable", path, reason }
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return { _tag: "Absent", path }
    if (!stats.isFile()) return { _tag: "Unusable", path, reason: `${path} is not a file` }
    accessSync(path, constants.R_OK | constants.W_OK)
    return isOurs(path, stats.size) ? { _tag: "Usable", path, bytes: stats.size } : { _tag: "Foreign", path }
  } catch (error) {
    return { _tag: "Unusable", path, reason: `${path} cannot be read and written (${codeOf(error)})` }
  }
}

/** Why nothing can be written in a folder, or in the one it would be made in. */
const whyNotWritable = (folder: string): string | undefined => {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats === undefined)
      return dirname(folder) === folder ? `there is no ${folder}` : whyNotWritable(dirname(folder))
    if (!stats.isDirectory()) return `${folder} is not a folder`
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return codeOf(error) === "ENOTDIR"
      ? whyNotWritable(dirname(folder))
      : `${folder} may not be written (${codeOf(error)})`
  }
}

/** What every SQLite database begins with, and where it says whose it is: https://sqlite.org/fileformat.html §1.3 */
const sqlite = "SQLite format 3\0"
const ownerAt = 68
const owner = "agwr"
const nobody = "\0\0\0\0"

/** Whether a file is a database of agentwire, or an empty one that becomes one. */
const isOurs = (path: string, size: number): boolean => {
  if (size === 0) return true
  const header = Buffer.alloc(ownerAt + owner.length)
  const file = openSync(path, "r")
  try {
    readSync(file, header, 0, header.length, 0)
  } finally {
    closeSync(file)
  }
  // What a bridge has just made may be in the write-ahead log only: then the file is nobody's yet.
  const named = header.toString("latin1", ownerAt)
  return header.toString("latin1", 0, sqlite.length) === sqlite && (named === owner || named === nobody)
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)
