/**
 * Finds Codex and which version it is: at the path that was given, then at `CODEX_PATH`, then as `codex` in the PATH.
 */
import type * as Effect from "effect/Effect"
import type { LaunchFailed } from "../../process/AgentLife.ts"
import { type FoundProgram, findVersionedProgram, type ProgramKind } from "../../process/VersionedProgram.ts"
import { codexEnvironment } from "./Environment.ts"

/** Where to look. */
export interface CodexFinderOptions {
  /** The path of the program; a bare name is looked for in the PATH. */
  readonly codexPath?: string
  /** The environment to look in, and to ask for the version in. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** How long the program may take to say its version, in milliseconds. Default 15,000. */
  readonly versionLimitMs?: number
}

const codex: ProgramKind = {
  name: "codex",
  title: "Codex",
  variable: "CODEX_PATH",
  package: "@openai/codex",
  paths: "the codex program or of its codex.js"
}

/** Finds Codex. */
export const findCodex = ({
  codexPath,
  env = process.env,
  versionLimitMs
}: CodexFinderOptions = {}): Effect.Effect<FoundProgram, LaunchFailed> =>
  findVersionedProgram(codex, { path: codexPath, env, ownEnv: codexEnvironment({}, env), versionLimitMs })
