/**
 * Starts the real `codex exec`, one process for each turn, and reads its events.
 */
import { type ExecDecoded, execCodec } from "@agentwire/protocol/codex"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AgentExit, LaunchFailed } from "../../process/AgentLife.ts"
import { startProcess } from "../../process/AgentProcess.ts"
import { type ProgramRequest, sessionProgram } from "../codex/CodexProgram.ts"
import { firstStartIn } from "../codex/FirstStart.ts"
import type { CodexLauncherOptions } from "../codex/Launcher.ts"
import { spentBefore } from "../codex/SpentBefore.ts"
import { execArguments } from "./ExecArguments.ts"
import { execProblem } from "./ExecOptions.ts"
import { type ExecPrompt, imageName, tempFiles } from "./ExecPrompt.ts"

/** Something to start `codex exec` for. */
export interface ExecRequest extends ProgramRequest {
  /** The bridge has a policy, which nobody will ask. */
  readonly hasPolicy: boolean
}

/** A turn to start. */
export interface ExecTurnRequest extends ExecRequest {
  readonly prompt: ExecPrompt
  /** The thread that it continues; undefined: it begins one. */
  readonly thread: string | undefined
  /** Nobody knows what the thread has spent. */
  readonly asksSpent?: boolean
}

/** A `codex exec` that runs: one turn. */
export interface ExecProcess {
  /** The version of Codex, such as `0.166.0`. */
  readonly version: string
  /** What its thread had spent before, as Codex has written it down; undefined where nobody asked, or knows. */
  readonly spent: unknown
  /** Its events, as many at once as came at once. They end when it is gone. */
  readonly events: Stream.Stream<ReadonlyArray<ExecDecoded>>
  /** Waits for the end. */
  readonly exit: Effect.Effect<AgentExit>
}

/** Starts turns. */
export class ExecLauncher extends Context.Service<
  ExecLauncher,
  {
    /** Whether turns can be started, without starting one. */
    readonly check: (request: ExecRequest) => Effect.Effect<void, LaunchFailed>
    /** Starts a turn. It is interrupted, and gone with all it started, when the scope is closed. */
    readonly launch: (request: ExecTurnRequest) => Effect.Effect<ExecProcess, LaunchFailed, Scope.Scope>
  }
>()("@agentwire/bridge/ExecLauncher") {}

/** The launcher of the real program. */
export const execLauncher = (options: CodexLauncherOptions = {}): Layer.Layer<ExecLauncher> =>
  Layer.succeed(ExecLauncher, {
    check: (request) => Effect.asVoid(programOf(options, request)),
    launch: (request) => launch(options, request)
  })

const programOf = (options: CodexLauncherOptions, request: ExecRequest) =>
  sessionProgram(options, request, (chosen, version) => execProblem(chosen, version, request.hasPolicy))

const launch = (
  options: CodexLauncherOptions,
  request: ExecTurnRequest
): Effect.Effect<ExecProcess, LaunchFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { asksSpent = false, cwd, options: chosen, prompt, thread } = request
    const found = yield* programOf(options, request)
    const { env, program, version } = found
    const spent = asksSpent && thread !== undefined ? yield* spentBefore(thread, env) : undefined
    const images = yield* tempFiles(
      prompt.images.map((image, index) => ({
        name: imageName(image, index),
        content: Buffer.from(image.data, "base64")
      }))
    )
    const [schema] = yield* tempFiles(fileOf("schema.json", chosen.jsonSchema && JSON.stringify(chosen.jsonSchema)))
    const [systemPrompt] = yield* tempFiles(fileOf("instructions.md", chosen.systemPrompt))
    const args = [...found.args, ...execArguments(chosen, cwd, { images, schema, systemPrompt }, thread)]
    const tap = options.tap?.({ version, transport: "stdio", argv: [program, ...args] })
    const spoke = yield* firstStartIn(env).turn
    // After SIGINT it writes down that the turn was interrupted, so that the model knows with the next one.
    const process = yield* startProcess({ program, args, cwd, env }, "sigint", { ...options, tap })
    process.stdout.once("close", () =>
      process.giveUp("It closed its standard output and did not end, so it was killed.")
    )
    const said = Buffer.from(prompt.text)
    tap?.data("host", "stdin", said)
    process.stdin.end(said)
    const { maxLineBytes } = options
    const decoder = execCodec.decoder(maxLineBytes === undefined ? {} : { maxLineBytes })
    const events = Stream.fromAsyncIterable<Uint8Array, unknown>(process.stdout, (cause) => cause).pipe(
      Stream.mapEffect((chunk) => {
        tap?.data("agent", "stdout", chunk)
        return Effect.as(spoke, decoder.push(chunk))
      }),
      // A pipe that breaks is followed by the end of the process, and that is what counts.
      Stream.catchCause(() => Stream.empty),
      Stream.concat(Stream.sync(() => decoder.end()))
    )
    return { version, spent, events, exit: process.exit }
  })

const fileOf = (name: string, content: string | undefined) => (content === undefined ? [] : [{ name, content }])
