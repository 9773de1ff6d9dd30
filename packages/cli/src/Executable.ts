/**
 * Executables that start agentwire again: shims that stand in for `claude` wherever a program spawns one.
 *
 * A POSIX shell script without an extension: the official Agent SDK starts what does not end in `.js`, `.mjs`,
 * `.ts`, `.jsx` or `.tsx` directly, and so does everything else. A host may start it with an empty environment, so
 * nothing is looked up in PATH; it `exec`s, so that signals reach what it starts.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { writeFailure } from "./Failure.ts"
import { replaceFile } from "./ReplaceFile.ts"

/** How this very program was started: the runtime, its flags, and the script. */
export const ownCommand = (): ReadonlyArray<string> => [
  process.execPath,
  ...process.execArgv,
  resolve(process.argv[1] ?? "agentwire")
]

/** Writes an executable that runs a command line with what it is given itself, and gives its path. */
export const writeExecutable = (path: string, purpose: string, command: ReadonlyArray<string>): string => {
  const file = resolve(path)
  try {
    mkdirSync(dirname(file), { recursive: true })
    const script = `#!/bin/sh\n# Written by agentwire: ${purpose}.\nexec ${command.map(quote).join(" ")} "$@"\n`
    // A link of that name may well lead to the real program.
    replaceFile(file, 0o755, (at) => writeFileSync(at, script))
  } catch (error) {
    throw writeFailure(file, error)
  }
  return file
}

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
