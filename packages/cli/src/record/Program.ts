/** Finds programs the way a shell does. */
import { accessSync, constants, statSync } from "node:fs"
import { delimiter, dirname, join, resolve } from "node:path"

/** Options of {@link findProgram}. */
export interface FindProgramOptions {
  /** The folders to look in. Default: the PATH. */
  readonly path?: string
  /** A folder that is left out. */
  readonly without?: string
}

/** The absolute path of a program, or nothing when there is none. */
export const findProgram = (
  name: string,
  { path = process.env["PATH"] ?? "", without }: FindProgramOptions = {}
): string | undefined => {
  if (name.includes("/")) return isFile(resolve(name)) ? resolve(name) : undefined
  return path
    .split(delimiter)
    .map((folder) => resolve(join(folder === "" ? "." : folder, name)))
    .find((file) => (without === undefined || dirname(file) !== resolve(without)) && isExecutable(file))
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true

const isExecutable = (file: string): boolean => {
  if (!isFile(file)) return false
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
