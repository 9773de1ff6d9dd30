/** Finds programs as a shell does. Loads nothing but Node, for commands that must start quickly (`agentwire record`). */
import { accessSync, constants, statSync } from "node:fs"
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path"

/** Where to look. */
export interface FindProgramOptions {
  /** The folders to look in. Default: the process's PATH. */
  readonly path?: string
  /** A folder that is left out. */
  readonly without?: string
}

/**
 * The absolute path of a program, or undefined when there is none. A name with a slash is a path already.
 *
 * Like a shell, what may not be executed is passed over while something else may. Unlike one, folders of the PATH that
 * are not absolute are passed over, too: which program starts must not depend on the current folder.
 */
export const findProgram = (
  name: string,
  { path = process.env["PATH"] ?? "", without }: FindProgramOptions = {}
): string | undefined => {
  if (/[\\/]/.test(name)) return isFile(resolve(name)) ? resolve(name) : undefined
  const names = process.platform === "win32" ? [`${name}.exe`, name] : [name]
  const candidates = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => names.map((each) => join(folder, each)))
    .filter((file) => (without === undefined || dirname(file) !== resolve(without)) && isFile(file))
  return candidates.find(isExecutable) ?? candidates[0]
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true

/** Whether this process may execute a file. */
export const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // that is the answer
  }
}
