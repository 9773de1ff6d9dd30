/**
 * Starts the real Claude Code CLI: finds it, checks what was asked for, and speaks to it over stdio or WebSocket.
 */
import { statSync } from "node:fs"
import * as Claude from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { ProcessOptions } from "../../process/AgentProcess.ts"
import type { AgentTap, TappedProcess } from "../../process/AgentTap.ts"
import type { GuardedCommand } from "../../process/OrphanWatchdog.ts"
import { type Agent, AgentLauncher, LaunchFailed, type LaunchRequest } from "./Agent.ts"
import { cliArguments, type Wire } from "./CliArguments.ts"
import { type CliFinderOptions, type FoundCli, findCli } from "./CliFinder.ts"
import { agentEnvironment, ownVariables } from "./Environment.ts"
import type { InboxLimits } from "./Inbox.ts"
import { optionProblem } from "./OptionSupport.ts"
import { projectsFolder } from "./SessionFolder.ts"
import type { SocketLineLimits } from "./SocketLine.ts"
import { makeSocketServer, type SocketServer } from "./SocketServer.ts"
import { startStdioAgent } from "./StdioAgent.ts"
import { startWebSocketAgent } from "./WebSocketAgent.ts"

/** How the CLI is started. */
export interface CliLauncherOptions extends Omit<ProcessOptions, "tap">, Omit<CliFinderOptions, "env"> {
  /** Makes the tap that sees the raw bytes of a process that is about to start. */
  readonly tap?: (process: TappedProcess) => AgentTap
  /**
   * `auto` is stdio, which every version has. `ws` and `hybrid`, in which the CLI hears over a WebSocket and posts what it
   * says, need 2.1.120 or before. Default `auto`.
   */
  readonly transport?: "auto" | "stdio" | "ws" | "hybrid"
  /** Added to the agent's environment. */
  readonly env?: Readonly<Record<string, string>>
  /** What the agent's environment is made from. Default: the environment of the bridge. */
  readonly inherit?: Readonly<Record<string, string | undefined>>
  /** How much may wait in either direction, and how long a CLI may stay away from its WebSocket. */
  readonly limits?: InboxLimits & SocketLineLimits
  /** How long a CLI may take to connect to its WebSocket, in milliseconds. Default 30,000. */
  readonly connectLimitMs?: number
}

/** The launcher of the real CLI. */
export const cliLauncher = (options: CliLauncherOptions = {}): Layer.Layer<AgentLauncher> =>
  Layer.effect(
    AgentLauncher,
    Effect.map(makeSocketServer(frameLimit(options)), (server) => ({
      launch: (request) => endUnlessLaunched(launch(options, server, request)),
      projects: projectsFolder(agentEnvironment(options.env, options.inherit))
    }))
  )

const frameLimit = ({ limits: { maxLineBytes } = {} }: CliLauncherOptions) =>
  maxLineBytes === undefined ? {} : { maxFrameBytes: maxLineBytes }

const launch = (
  options: CliLauncherOptions,
  server: SocketServer,
  request: LaunchRequest
): Effect.Effect<Agent, LaunchFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const env = agentEnvironment({ ...options.env, ...ownVariables(request.options) }, options.inherit)
    if (!isFolder(request.cwd))
      return yield* new LaunchFailed({
        code: "CWD_MISSING",
        message: `The working folder ${request.cwd} does not exist. Make it, or choose another one.`
      })
    // Asked in the environment of the bridge's owner: what a session brings must not choose the program.
    const cli = yield* findCli({ ...options, env: agentEnvironment(options.env, options.inherit) })
    const problem = optionProblem(request, cli.version)
    if (problem !== undefined) return yield* problem
    const command = (wire: Wire) => commandOf(cli, request, wire, env)
    const tapped = (transport: TappedProcess["transport"], { args, program }: GuardedCommand) => ({
      ...options,
      tap: options.tap?.({ version: cli.version, transport, argv: [program, ...args] })
    })
    if (options.transport !== "ws" && options.transport !== "hybrid") {
      const start = command({ _tag: "Stdio" })
      return yield* startStdioAgent(start, cli.version, tapped("stdio", start))
    }
    const { assumed, value: accepted } = Claude.lookup("sdkUrl", cli.version)
    if (!accepted && !assumed)
      return yield* new LaunchFailed({ code: "TRANSPORT_UNSUPPORTED", message: noWebSocket(cli.version) })
    const posts = options.transport === "hybrid"
    const posting = Claude.lookup("sdkUrlPosts", cli.version)
    if (posts && posting.value === "no" && !posting.assumed)
      return yield* new LaunchFailed({ code: "TRANSPORT_UNSUPPORTED", message: noPosts(cli.version) })
    return yield* startWebSocketAgent(
      server,
      request.sessionKey,
      (url) => command({ _tag: "WebSocket", url }),
      cli.version,
      { ...tapped("ws", command({ _tag: "WebSocket", url: "" })), posts }
    )
  })

/** Whatever a failed launch has started is ended at once, not when the caller's scope closes. */
const endUnlessLaunched = <A, E>(launching: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Scope.Scope)
    return yield* Scope.provide(launching, scope).pipe(
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
    )
  })

const noWebSocket = (version: string): string =>
  `Claude Code ${version} refuses --sdk-url to loopback (2.1.120 is the last that accepts it). Use the transport stdio.`

const noPosts = (version: string): string =>
  `Claude Code ${version} does not post what it says. Use the transport ws or stdio.`

const commandOf = (
  { args, program, version }: FoundCli,
  request: LaunchRequest,
  wire: Wire,
  env: Readonly<Record<string, string>>
): GuardedCommand => ({ program, args: [...args, ...cliArguments(request, version, wire)], cwd: request.cwd, env })

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
