/** A Claude Code CLI that somebody names by its path: how it is started, and which version it is. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { promisify } from "node:util"
import type { CliCommand } from "@agentwire/fixtures"
import { Failure } from "../../../Failure.ts"

/** A CLI that runs. */
export interface CliProgram {
  readonly cli: CliCommand
  /** As it says itself; undefined when it says nothing of the kind. */
  readonly version: string | undefined
}

/** The CLI at a path: a program, or a script for node. Throws a {@link Failure} when there is none that runs. */
export const cliAt = async (which: string): Promise<CliProgram> => {
  const path = resolve(which)
  if (!existsSync(path)) throw new Failure(`There is no program ${which}.`)
  const cli = /\.[cm]?js$/.test(path) ? { program: process.execPath, args: [path] } : { program: path, args: [] }
  const env = { PATH: process.env["PATH"] ?? "" }
  try {
    const { stdout } = await promisify(execFile)(cli.program, [...cli.args, "--version"], { env, timeout: 15_000 })
    return { cli, version: /\d+\.\d+\.\d+/.exec(stdout)?.[0] }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new Failure(`${which} does not run: \`--version\` failed: ${text.split("\n")[0]}`)
  }
}
