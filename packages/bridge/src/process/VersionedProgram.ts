/**
 * Finds the program of an agent and which version it is.
 *
 * Looks at the path that was given, then at a variable, then for its name in the PATH. A `.js` file runs with this very
 * node.
 */
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type AgentExit, LaunchFailed } from "./AgentLife.ts"
import { startProcess } from "./AgentProcess.ts"
import { findProgram, isExecutable } from "./FindProgram.ts"

/** A program that was found. */
export interface FoundProgram {
  /** The absolute path of the program. */
  readonly program: string
  /** What comes before the program's own arguments: its script, when node is the program. */
  readonly args: ReadonlyArray<string>
  readonly version: string
}

/** A program to look for. */
export interface ProgramKind {
  /** Its name in the PATH. */
  readonly name: string
  /** What people call it. */
  readonly title: string
  /** The variable that may hold its path. */
  readonly variable: string
  /** The npm package that has it. */
  readonly package: string
  /** What a path may lead to, in words. */
  readonly paths: string
}

/** Where to look. */
export interface ProgramSearch {
  /** The program's path; a bare name is looked for in the PATH. */
  readonly path?: string | undefined
  /** The environment to look in. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The environment to ask the program for its version in. */
  readonly ownEnv: Readonly<Record<string, string>>
  /** How long it may take to say its version, in milliseconds. Default 15,000. */
  readonly versionLimitMs?: number | undefined
}

/** Versions by path and time of change: asking takes from 20 ms to a second. */
const known = new Map<string, string>()

const script = /\.[cm]?js$/

/** Finds a program. */
export const findVersionedProgram = (
  kind: ProgramKind,
  { env, ownEnv, path, versionLimitMs = 15_000 }: ProgramSearch
): Effect.Effect<FoundProgram, LaunchFailed> =>
  Effect.gen(function* () {
    const fromVariable = env[kind.variable]
    const [wanted, by] =
      path !== undefined && path !== ""
        ? [path, "the path that was given"]
        : fromVariable !== undefined && fromVariable !== ""
          ? [fromVariable, kind.variable]
          : [kind.name, "the PATH"]
    const file = findProgram(wanted, { path: env["PATH"] ?? "" })
    if (file === undefined) return yield* new LaunchFailed({ code: "CLI_NOT_FOUND", message: notFound(kind, wanted) })
    if (!script.test(file) && !isExecutable(file))
      return yield* new LaunchFailed({
        code: "CLI_NOT_EXECUTABLE",
        message: `${file} (from ${by}) may not be executed. Try: chmod +x ${file}`
      })
    const command = script.test(file) ? { program: process.execPath, args: [file] } : { program: file, args: [] }
    const key = `${file} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs}`
    const version = known.get(key) ?? (yield* askVersion(kind, file, command, ownEnv, versionLimitMs))
    known.set(key, version)
    return { ...command, version }
  })

const notFound = (kind: ProgramKind, wanted: string): string => {
  if (wanted === kind.name)
    return `There is no ${kind.name} in the PATH. Install it (npm install -g ${kind.package}), or say where it is with ${kind.variable}.`
  const what = `Give the path of ${kind.paths}.`
  if (!/[\\/]/.test(wanted))
    return `There is no program ${wanted} in the PATH; one in this folder is ./${wanted}. ${what}`
  const isThere = existsSync(resolve(wanted))
  return `${isThere ? `${wanted} is not a file.` : `There is no file ${wanted}.`} ${what}`
}

/** Far more than any version has. */
const maxCharacters = 65_536

/** Asks under guard: a wrapper that hangs has started something that would outlive it. */
const askVersion = (
  { title }: ProgramKind,
  file: string,
  { args, program }: Pick<FoundProgram, "program" | "args">,
  env: Readonly<Record<string, string>>,
  limitMs: number
): Effect.Effect<string, LaunchFailed> =>
  Effect.gen(function* () {
    const command = { program, args: [...args, "--version"], cwd: process.cwd(), env }
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
      message: `${file} --version does not print a version: ${whyNone(ended, said, limitMs)}. Is it ${title}, and does it run here?`
    })
  }).pipe(Effect.scoped)

const whyNone = (ended: AgentExit | undefined, said: string, limitMs: number): string => {
  if (ended === undefined) return `it did not answer within ${limitMs} ms`
  const { code, signal, stderr } = ended
  const last = (stderr.trim() || said.trim()).split("\n").at(-1)?.slice(0, 200) ?? ""
  return code === 0 ? `it printed ${JSON.stringify(last)}` : `it failed with ${code ?? signal}${last && `: ${last}`}`
}
