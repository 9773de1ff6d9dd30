/**
 * Starts the real `codex app-server`: finds it, checks what was asked for, and speaks to it over its standard streams.
 *
 * One process for each thread. One server could have many threads, but then one crash, one `kill -9` or one command that
 * exhausts the memory would end all of them, the environment and the working folder would be shared, and lines of threads
 * would have to be told apart that must never see each other's bytes.
 */
import { lineChannel } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { LaunchFailed } from "../../process/AgentLife.ts"
import { type AgentProcess, describeExit, type ProcessOptions, startProcess } from "../../process/AgentProcess.ts"
import type { AgentTap, TappedProcess } from "../../process/AgentTap.ts"
import { type CodexProgramOptions, sessionProgram } from "./CodexProgram.ts"
import { codexEnvironment } from "./Environment.ts"
import { firstStartIn } from "./FirstStart.ts"
import { optionProblem } from "./Options.ts"
import { rolloutsFolder } from "./RolloutFolder.ts"
import { CodexLauncher, type CodexServer, type ServerRequest } from "./Server.ts"

/** How Codex is started. */
export interface CodexLauncherOptions extends Omit<ProcessOptions, "tap">, CodexProgramOptions {
  /** Makes the tap that sees the raw bytes of a process that is about to start. */
  readonly tap?: (process: TappedProcess) => AgentTap
  /** The longest line that is read, in bytes. Default 64 MiB. */
  readonly maxLineBytes?: number
}

/** The launcher of the real program. */
export const codexLauncher = (options: CodexLauncherOptions = {}): Layer.Layer<CodexLauncher> =>
  Layer.succeed(CodexLauncher, {
    launch: (request) => launch(options, request),
    rollouts: rolloutsFolder(codexEnvironment(options.env, options.inherit))
  })

const launch = (
  options: CodexLauncherOptions,
  request: ServerRequest
): Effect.Effect<CodexServer, LaunchFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const found = yield* sessionProgram(options, request, optionProblem)
    const { env, program } = found
    const args = [...found.args, "app-server", ...(request.options.extraArgs ?? [])]
    const tap = options.tap?.({ version: found.version, transport: "stdio", argv: [program, ...args] })
    const spoke = yield* firstStartIn(env).turn
    const process = yield* startProcess({ program, args, cwd: request.cwd, env }, "close-stdin", { ...options, tap })
    return { version: found.version, channel: channelOf(process, spoke, tap, options), exit: process.exit }
  })

const channelOf = (
  { exited, giveUp, stdin, stdout }: AgentProcess,
  spoke: Effect.Effect<void>,
  tap: AgentTap | undefined,
  { maxLineBytes }: CodexLauncherOptions
) => {
  stdout.once("close", () => giveUp("It closed its standard output and did not end, so it was killed."))
  stdin.once("error", () => giveUp("It closed its standard input and did not end, so it was killed."))
  const heard = Stream.fromAsyncIterable<Uint8Array, unknown>(stdout, (cause) => cause).pipe(
    Stream.tap((chunk) =>
      Effect.suspend(() => {
        tap?.data("agent", "stdout", chunk)
        return spoke
      })
    )
  )
  // It is not waited for until the text is read: whoever sends may be the only one who could end an agent that does not.
  const write = (text: string): Effect.Effect<void, string> =>
    Effect.suspend(() => {
      if (!stdin.writable) return Effect.fail(describeExit(exited()))
      tap?.data("host", "stdin", Buffer.from(text))
      stdin.write(text)
      return Effect.void
    })
  return lineChannel(heard, write, maxLineBytes === undefined ? {} : { maxLineBytes })
}
