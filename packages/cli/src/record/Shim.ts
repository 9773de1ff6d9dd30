/** A shim that records: an executable that stands in for `claude` and keeps every run on a tape. */
import { basename, join } from "node:path"
import { findProgram } from "@agentwire/bridge/program"
import { writeExecutable } from "../Executable.ts"
import { Failure } from "../Failure.ts"

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
  const purpose = `runs ${basename(program)} and records what goes over its wire`
  return writeExecutable(join(folder, shimName(command)), purpose, [...recorder, "--", ...started])
}

/** `claude` for `claude`, and for what is `claude` under another name: `node cli.js`, `cli.js`. */
const shimName = ([program]: ReadonlyArray<string>): string => {
  const name = basename(program ?? "").replace(script, "")
  return ["node", "bun", "cli", ""].includes(name) ? "claude" : name
}
