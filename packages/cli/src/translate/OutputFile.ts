/**
 * Where `agentwire translate` writes: what the file of an input is called, and the writing of it.
 */
import { mkdir } from "node:fs/promises"
import { basename, join } from "node:path"
import { UsageFailure, writeFailure } from "../Failure.ts"
import { openPrivate, privateFolderMode } from "../ReplaceFile.ts"

/** Takes text in order. Resolves when more can be taken, so that a slow disk slows the reader. */
export interface Output {
  readonly write: (text: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** The name of an input without its folder and without what says that it is a session. */
export const stemOf = (file: string): string =>
  file === "-"
    ? "stdin"
    : basename(file)
        .replace(/\.gz$/i, "")
        .replace(/(?<=.)\.(?:ndjson|jsonl|tape)$/i, "")

/** The output of every input. Throws when two would be one: the second would overwrite the first. */
export const outputNames = (
  files: ReadonlyArray<string>,
  folder: string,
  extension: string
): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  const inputs = new Map<string, string>()
  for (const file of files) {
    const name = join(folder, `${stemOf(file)}${extension}`)
    const other = inputs.get(name)
    if (other !== undefined)
      throw new UsageFailure(
        other === file
          ? `${file} is given twice.`
          : `${other} and ${file} would both be written to ${name}: translate them into different folders.`
      )
    inputs.set(name, file)
    names.set(file, name)
  }
  return names
}

/** Makes the folder of the outputs. */
export const makeFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: privateFolderMode }).catch((error: unknown) => {
    throw writeFailure(folder, error)
  })
}

/** A file to write to, which only this user may read. What it held before is gone. */
export const openOutput = async (path: string): Promise<Output> => {
  const failed = (error: unknown): never => {
    throw writeFailure(path, error)
  }
  const handle = await openPrivate(path).catch(failed)
  return {
    write: async (text) => {
      await handle.appendFile(text).catch(failed)
    },
    close: () => handle.close().catch(failed)
  }
}
