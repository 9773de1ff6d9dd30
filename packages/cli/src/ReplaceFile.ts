/**
 * Files that are written anew, and never through a link: what is written goes to a file beside it that nobody else can
 * have put there, which then takes the name. So a link or a file that others can read is replaced, and what it led to
 * stays as it is. Pipes, devices and what is below `/dev` are written to as they are.
 */
import { chmodSync, closeSync, constants, lstatSync, openSync, renameSync, rmSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { resolve } from "node:path"

/** The mode of a file that has what was said in a session: only this user may read it. */
export const privateMode = 0o600

/** The mode of a folder that is made for such files. */
export const privateFolderMode = 0o700

/** What a folder says that takes no new file, though it may have one that can be written: a file mounted into it, too. */
const foreign: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EBUSY", "EROFS"])

/** Replaces a file by what `write` writes into the one it is given. */
export const replaceFile = (path: string, mode: number, write: (path: string) => void): void => {
  if (isWrittenAsItIs(path)) {
    write(path)
    return
  }
  const beside = besideOf(path)
  try {
    closeSync(openSync(beside, "wx", mode))
    write(beside)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    if (!isForeign(error) || kindOf(path)?.isFile() !== true) throw error
    chmodSync(path, mode)
    write(path)
  }
}

/** Opens a file that only this user may read, empty, in place of what had its name. */
export const openPrivate = async (path: string): Promise<FileHandle> => {
  const { O_NOFOLLOW, O_NONBLOCK, O_TRUNC, O_WRONLY } = constants
  // Without O_NONBLOCK a pipe that nobody reads would block a thread for ever, and with it the end of the process.
  if (isWrittenAsItIs(path)) return open(path, O_WRONLY | O_TRUNC | (O_NONBLOCK ?? 0))
  const beside = besideOf(path)
  let file: FileHandle | undefined
  try {
    file = await open(beside, "wx", privateMode)
    renameSync(beside, path)
    return file
  } catch (error) {
    await file?.close()
    rmSync(beside, { force: true })
    if (!isForeign(error) || kindOf(path)?.isFile() !== true) throw error
    const own = await open(path, O_WRONLY | (O_NOFOLLOW ?? 0))
    // Before anything is in it.
    await own.chmod(privateMode)
    await own.truncate()
    return own
  }
}

const isForeign = (error: unknown): boolean => error instanceof Error && "code" in error && foreign.has(error.code)

const kindOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })

/** `/dev/stdout` is a link, and leads where it should. */
const isWrittenAsItIs = (path: string): boolean => {
  if (resolve(path).startsWith("/dev/")) return true
  const kind = kindOf(path)
  return kind !== undefined && (kind.isFIFO() || kind.isCharacterDevice() || kind.isSocket())
}

let files = 0

/** Ends as the file does, since its name says whether it is gzipped. */
const besideOf = (path: string): string => `${path}.${process.pid}-${files++}.part${path.endsWith(".gz") ? ".gz" : ""}`
