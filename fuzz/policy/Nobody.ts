/** Texts that nobody has read are run by nobody: where the tests are root, a slip must not reach the machine. */
import { chmodSync, chownSync, readdirSync } from "node:fs"
import { join } from "node:path"

const nobody = 65_534
const isRoot = process.getuid?.() === 0

/** Who a child process is to be, for the options of `spawn`. */
export const asNobody: { readonly uid?: number; readonly gid?: number } = isRoot ? { uid: nobody, gid: nobody } : {}

/** Gives a file or a folder to whom {@link asNobody} names. */
export const giveToNobody = (path: string): void => {
  if (isRoot) chownSync(path, nobody, nobody)
}

/** Gives a folder with all that is in it. */
export const giveFolderToNobody = (folder: string): void => {
  // A link would give away what it leads to.
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) giveToNobody(join(entry.parentPath, entry.name))
  chmodSync(folder, 0o755)
  giveToNobody(folder)
}
