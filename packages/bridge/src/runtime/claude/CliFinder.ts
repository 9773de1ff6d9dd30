/**
 * Finds the Claude Code CLI and which version it is.
 *
 * Looks at the path that was given, then at `CLAUDE_PATH`, then for `claude` in the PATH. A `.js` file (2.1.112 and
 * before are one) runs with this very node.
 */
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { startProcess } from "../../process/AgentProcess.ts"
import { findProgram, isExecutable } from "../../process/FindProgram.ts"
import { type AgentExit, LaunchFailed } from "./Agent.ts"
import { agentEnvironment } from "./Environment.ts"

/** A CLI that was found. */
export interface FoundCli {
  /** The absolute path of the program. */
  readonly program: string
  /** What comes before the CLI's own arguments: its script, when node is the program. */
  readonly args: ReadonlyArray<string>
  readonly version: string
}

/** Where to look. */
export interface CliFinderOptions {
  /** The CLI's path; a bare name is looked for in the PATH. */
  readonly cliPath?: string
  /** The environment to look in, and to ask the CLI for its version in. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** How long the CLI may take to say its version, in milliseconds. Default 15,000. */
  readonly versionLimitMs?: number
}

/** Versions by path and time of change: asking takes from 20 ms to a second. */
const known = new Map<string, string>()

const script = /\.[cm]?js$/

/** Finds the CLI. */
export const findCli = ({
  cliPath,
  env = process.env,
  versionLimitMs = 15_000
}: CliFinderOptions = {}): Effect.Effect<FoundCli, LaunchFailed> =>
  Effect.gen(function* () {
    const [wanted, by] =
      cliPath !== undefined && cliPath !== ""
        ? [cliPath, "the path that was given"]
        : env["CLAUDE_PATH"] !== undefined && env["CLAUDE_PATH"] !== ""
          ? [env["CLAUDE_PATH"], "CLAUDE_PATH"]
          : ["claude", "the PATH"]
    const file = findProgram(wanted, { path: env["PATH"] ?? "" })
    if (file === undefined) return yield* new LaunchFailed({ code: "CLI_NOT_FOUND", message: notFound(wanted) })
    if (!script.test(file) && !isExecutable(file))
      return yield* new LaunchFailed({
        code: "CLI_NOT_EXECUTABLE",
        message: `${file} (from ${by}) may not be executed. Try: chmod +x ${file}`
      })
    const command = script.test(file) ? { program: process.execPath, args: [file] } : { program: file, args: [] }
    const key = `${file} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs}`
    const version = known.get(key) ?? (yield* askVersion(file, command, env, versionLimitMs))
    known.set(key, version)
    return { ...command, version }
  })

const notFound = (wanted: string): string => {
  if (wanted === "claude")
    return "There is no claude in the PATH. Install it (npm install -g @anthropic-ai/claude-code), or say where it is with CLAUDE_PATH."
  const what = "Give the path of the claude program or of its cli.js."
  if (!/[\\/]/.test(wanted))
    return `There is no program ${wanted} in the PATH; one in this folder is ./${wanted}. ${what}`
  const isThere = existsSync(resolve(wanted))
  return `${isThere ? `${wanted} is not a file.` : `There is no file ${wanted}.`} ${what}`
}

/** Far more than any version has. */
const maxCharacters = 65_536

/** Asks under guard: a wrapper that hangs has started something that would outlive it. */
const askVersion = (
  file: string,
  { args, program }: Pick<FoundCli, "program" | "args">,
  env: NonNullable<CliFinderOptions["env"]>,
  limitMs: number
): Effect.Effect<string, LaunchFailed> =>
  Effect.gen(function* () {
    const command = { program, args: [...args, "--version"], cwd: process.cwd(), env: agentEnvironment({}, env) }
    const { exit, stdin, stdout } = yield* startProcess(command, "close-stdin", { graceMs: 0 })
    let said = ""
    stdout.on("data", (chunk: Uint8Array) => {
      if (said.length < maxCharacters) said += String(chunk)
    })
    stdin.end()
    const ended = Option.getOrUndefined(yield* Effect.timeoutOption(exit, Duration.millis(limitMs)))
    const version = ended?.code === 0 ? /\d+\.\d+\.\d+/.exec(said)?.[0] : undefined
    if (version !== undefined) return version
    return yield* new LaunchFailed({
      code: "CLI_VERSION_UNKNOWN",
      message: `${file} --version does not print a version: ${whyNone(ended, said, limitMs)}. Is it Claude Code, and does it run here?`
    })
  }).pipe(Effect.scoped)

const whyNone = (ended: AgentExit | undefined, said: string, limitMs: number): string => {
  if (ended === undefined) return `it did not answer within ${limitMs} ms`
  const { code, signal, stderr } = ended
  const last = (stderr.trim() || said.trim()).split("\n").at(-1)?.slice(0, 200) ?? ""
  return code === 0 ? `it printed ${JSON.stringify(last)}` : `it failed with ${code ?? signal}${last && `: ${last}`}`
}
