/** A shim that records: an executable that stands in for `claude` or `codex` and keeps every run on a tape. */
import { basename, join } from "node:path"
import { findProgram } from "@agentwire/bridge/program"
import { writeExecutable } from "../Executable.ts"
import { Failure } from "../Failure.ts"
import { type RuntimeKind, runtimes } from "../runtime/Runtimes.ts"
import { findRuntime } from "./RuntimeVersion.ts"

/** Options of {@link writeShim}. */
export interface ShimOptions {
  /** The folder the executable is written into. */
  readonly folder: string
  /** The command that is recorded, with the arguments that come before those of the caller. */
  readonly command: readonly [string, ...ReadonlyArray<string>]
  /** The command line of agentwire that records into the right place; `-- COMMAND` is added. */
  readonly recorder: ReadonlyArray<string>
  /** The runtime, where it was named. */
  readonly kind?: RuntimeKind
}

const script = /\.(c|m)?[jt]sx?$/

/** Writes the executable and gives its path. */
export const writeShim = ({ command, folder, kind, recorder }: ShimOptions): string => {
  const [name, ...args] = command
  const program = findProgram(name, { without: folder })
  if (program === undefined) {
    throw new Failure(`Cannot record ${name}: there is no such program. Give its path, or put its folder on the PATH.`)
  }
  // A script has no x bit or not the right interpreter; it is run with the Node that runs us.
  const started = script.test(program) ? [process.execPath, program, ...args] : [program, ...args]
  const purpose = `runs ${basename(program)} and records what goes over its wire`
  return writeExecutable(join(folder, shimName(command, kind)), purpose, [...recorder, "--", ...started])
}

/** `claude` for `claude`, and for what is `claude` under another name: `node cli.js`, `cli.js`. */
const shimName = (command: ReadonlyArray<string>, kind: RuntimeKind | undefined): string => {
  const name = basename(command[0] ?? "").replace(script, "")
  const { program } = kind === undefined ? findRuntime(command).runtime : runtimes[kind]
  return ["node", "bun", "cli", ""].includes(name) ? program : name
}
