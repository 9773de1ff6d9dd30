/**
 * The program for a session: found in the environment of the bridge's owner, for a folder that is there, with options that
 * it knows.
 */
import { statSync } from "node:fs"
import * as Effect from "effect/Effect"
import { LaunchFailed } from "../../process/AgentLife.ts"
import type { FoundProgram } from "../../process/VersionedProgram.ts"
import type { AgentOptions } from "../../session/AgentOptions.ts"
import { type CodexFinderOptions, findCodex } from "./CodexFinder.ts"
import { codexEnvironment } from "./Environment.ts"

/** Where Codex is, and what it starts with. */
export interface CodexProgramOptions extends Omit<CodexFinderOptions, "env"> {
  /** Added to the environment of Codex. */
  readonly env?: Readonly<Record<string, string>>
  /** What its environment is made from. Default: the environment of the bridge. */
  readonly inherit?: Readonly<Record<string, string | undefined>>
}

/** A program to start for a session. */
export interface ProgramRequest {
  /** An existing folder. */
  readonly cwd: string
  readonly options: AgentOptions
}

/** The program, and the environment for it. */
export interface SessionProgram extends FoundProgram {
  readonly env: Readonly<Record<string, string>>
}

/** Finds the program of a session. `problemOf`: why this version is not started with these options. */
export const sessionProgram = (
  options: CodexProgramOptions,
  { cwd, options: chosen }: ProgramRequest,
  problemOf: (chosen: AgentOptions, version: string) => LaunchFailed | undefined
): Effect.Effect<SessionProgram, LaunchFailed> =>
  Effect.gen(function* () {
    if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
      return yield* new LaunchFailed({
        code: "CWD_MISSING",
        message: `The working folder ${cwd} does not exist. Make it, or choose another one.`
      })
    // Asked in the environment of the bridge's owner: what a session brings must not choose the program.
    const found = yield* findCodex({ ...options, env: codexEnvironment(options.env, options.inherit) })
    const problem = problemOf(chosen, found.version)
    if (problem !== undefined) return yield* problem
    return { ...found, env: codexEnvironment({ ...options.env, ...chosen.env }, options.inherit) }
  })
