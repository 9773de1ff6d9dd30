/**
 * A shim: an executable that stands in for `claude` wherever a program spawns one, and records every run.
 *
 * A POSIX shell script without an extension: the official Agent SDK starts what does not end in `.js`, `.mjs`,
 * `.ts`, `.jsx` or `.tsx` directly, and so does everything else. It `exec`s the recorder, so that signals reach it.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { Failure } from "../Failure.ts"
import { findProgram } from "./Program.ts"

/** Options of {@link writeShim}. */
export interface ShimOptions {
  /** The folder the executable is written into. */
  readonly folder: string
  /** The command that is recorded, with the arguments that come before those of the caller. */
  readonly command: readonly [string, ...ReadonlyArray<string>]
  /** The command line of agentwire that records into the right place; `-- COMMAND` is added. */
  readonly recorder: ReadonlyArray<string>
}

const script = /\.(c|m)?[jt]sx?$/

/** Writes the executable and gives its path. */
export const writeShim = ({ command, folder, recorder }: ShimOptions): string => {
  const [name, ...args] = command
  const program = findProgram(name, { without: folder })
  if (program === undefined) {
    throw new Failure(`Cannot record ${name}: there is no such program. Give its path, or put its folder on the PATH.`)
  }
  // A script has no x bit or not the right interpreter; it is run with the Node that runs us.
  const started = script.test(program) ? [process.execPath, program, ...args] : [program, ...args]
  const file = join(resolve(folder), shimName(command))
  const line = [...recorder, "--", ...started].map(quote).join(" ")
  const text = `#!/bin/sh\n# Written by \`agentwire record --shim\`: runs ${basename(program)} and records what goes over its wire.\nexec ${line} "$@"\n`
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, text)
    chmodSync(file, 0o755)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure(`Cannot write ${file}: ${reason}.`, { cause: error })
  }
  return file
}

/** `claude` for `claude`, and for what is `claude` under another name: `node cli.js`, `cli.js`. */
const shimName = ([program]: ReadonlyArray<string>): string => {
  const name = basename(program ?? "").replace(script, "")
  return ["node", "bun", "cli", ""].includes(name) ? "claude" : name
}

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
