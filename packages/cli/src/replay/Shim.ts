/**
 * Writes an executable named `claude` that replays a tape, for programs that can be told which `claude` to start:
 * the official Agent SDK through `pathToClaudeCodeExecutable`, others through `PATH`.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

/** How this very program was started: the runtime, its flags, and the script. */
export const ownCommand = (): ReadonlyArray<string> => [
  process.execPath,
  ...process.execArgv,
  resolve(process.argv[1] ?? "agentwire")
]

/** Writes `claude` into a folder and returns its path. What it is started with comes behind `--`. */
export const writeShim = (folder: string, command: ReadonlyArray<string>): string => {
  mkdirSync(folder, { recursive: true })
  const file = join(resolve(folder), "claude")
  // A host may start it with an empty environment, so nothing is looked up in PATH; `exec` lets signals reach it.
  writeFileSync(file, `#!/bin/sh\nexec ${command.map(quoted).join(" ")} -- "$@"\n`)
  chmodSync(file, 0o755)
  return file
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
