/**
 * Finds the Claude Code CLI and which version it is.
 *
 * Looks at the path that was given, then at `CLAUDE_PATH`, then for `claude` in the PATH. A `.js` file (2.1.112 and
 * before are one) runs with this very node.
 */
import type * as Effect from "effect/Effect"
import { type FoundProgram, findVersionedProgram, type ProgramKind } from "../../process/VersionedProgram.ts"
import type { LaunchFailed } from "./Agent.ts"
import { agentEnvironment } from "./Environment.ts"

/** A CLI that was found. */
export type FoundCli = FoundProgram

/** Where to look. */
export interface CliFinderOptions {
  /** The CLI's path; a bare name is looked for in the PATH. */
  readonly cliPath?: string
  /** The environment to look in, and to ask the CLI for its version in. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** How long the CLI may take to say its version, in milliseconds. Default 15,000. */
  readonly versionLimitMs?: number
}

const claude: ProgramKind = {
  name: "claude",
  title: "Claude Code",
  variable: "CLAUDE_PATH",
  package: "@anthropic-ai/claude-code",
  paths: "the claude program or of its cli.js"
}

/** Finds the CLI. */
export const findCli = ({
  cliPath,
  env = process.env,
  versionLimitMs
}: CliFinderOptions = {}): Effect.Effect<FoundCli, LaunchFailed> =>
  findVersionedProgram(claude, { path: cliPath, env, ownEnv: agentEnvironment({}, env), versionLimitMs })
