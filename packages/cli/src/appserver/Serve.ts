/** What `agentwire app-server` does: one agent or many behind Codex's protocol, until it is stopped. */
import { listenOnUnixSocket, makeAppServer, makeSocketDoor, streamChannel } from "@agentwire/bridge/appserver"
import { HttpServer } from "@agentwire/bridge/http"
import { layerObservability } from "@agentwire/bridge/observe"
import { makeWorkingFolders } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { ExitCode, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { oneOf } from "../OptionValue.ts"
import { exitLike } from "../record/Recorder.ts"
import type { RuntimeKind } from "../runtime/Runtimes.ts"
import { adviceOn, type ServeFailed } from "../serve/Advice.ts"
import { findAgents } from "../serve/Agents.ts"
import { tokenVariable } from "../serve/OptionWords.ts"
import { policyOf } from "../serve/Policy.ts"
import { appServerOf, askingRuntime, layerDiary, layerSessions, tapesOf, whenAborted } from "../serve/Running.ts"
import { type ServeOptions, serveOptions } from "../serve/ServeOptions.ts"
import { stopSignal } from "../serve/StopSignal.ts"
import type { BridgeTapes } from "../serve/Tapes.ts"
import { runAsCodex } from "./AsCodex.ts"
import { dialects } from "./Dialect.ts"
import { type Listening, listeningOf } from "./Listen.ts"
import { writeCodexShim } from "./Shim.ts"

/** Serves, or writes the executable that does. */
export const serveApp = async (input: Input, console: Console): Promise<ExitCode> => {
  const shim = input.values["shim"]
  if (shim === "") throw new UsageFailure("--shim takes a folder.")
  if (typeof shim === "string") {
    console.out(writeCodexShim(shim, input))
    return 0
  }
  if (input.values["as-codex"] === true) {
    const { positionals, ...rest } = input
    return runAsCodex(positionals, { input: rest, console, serve: (own) => runAppServer(own, console) })
  }
  return runAppServer(input, console)
}

/** What the command line says. */
interface Options extends ServeOptions {
  readonly dialect: (typeof dialects)[number]
  readonly asking: RuntimeKind
}

const protocolOf = ({ asking, dialect, ...options }: Options) => ({ ...appServerOf(options, asking), dialect })

const ignored = (): void => undefined

/** What to do about failures where `serve` has other options. */
const advice = { PORT_IN_USE: "--listen ws://127.0.0.1:0 takes any that is free." } as const

const runAppServer = async (input: Input, console: Console): Promise<ExitCode> => {
  const dialect = oneOf<(typeof dialects)[number]>("dialect", dialects, stringIn(input, "dialect")) ?? "codex"
  const [stray] = input.positionals
  if (stray !== undefined && !stray.startsWith("-"))
    throw new UsageFailure(`app-server takes no "${stray}". Flags for claude itself go after \`--\`.`)
  const listening = listeningOf(input)
  const serving = serveOptions(withAddress(input, listening), process.env)
  const asking = askingRuntime(serving.source)
  if (asking === undefined)
    throw new UsageFailure("codex exec asks nobody, which these clients count on. --runtime codex asks.")
  const options: Options = {
    dialect,
    asking,
    ...serving,
    // Whoever speaks this protocol can be asked.
    approvals: "interrupt"
  }
  const stop = stopSignal((code) => process.exit(code))
  process.stderr.on("error", ignored)
  process.stdout.on("error", ignored)
  const tapes = tapesOf(options, console)
  try {
    const ended = await Effect.runPromise(
      untilStopped(options, listening, tapes, stop.signal, console).pipe(
        Effect.scoped,
        Effect.provide(layerDiary(options, console)),
        Effect.result
      )
    )
    if (Result.isSuccess(ended)) return 0
    throw new Failure(adviceOn(ended.failure, options, advice), { cause: ended.failure })
  } finally {
    const { stuck } = (await tapes?.end()) ?? { stuck: false }
    if (stuck) await exitLike({ code: 0, signal: null }, stuck)
    stop.forget()
    process.stderr.off("error", ignored)
    process.stdout.off("error", ignored)
    // A client that keeps its end open must not keep this process.
    process.stdin.destroy()
  }
}

const stringIn = ({ values }: Input, name: string): string | undefined => {
  const value = values[name]
  return typeof value === "string" ? value : undefined
}

/** The address of a WebSocket, as `serve` takes one. */
const withAddress = (input: Input, listening: Listening): Input =>
  listening._tag === "WebSocket"
    ? { ...input, values: { ...input.values, host: listening.host, port: String(listening.port) } }
    : input

const untilStopped = (
  options: Options,
  listening: Listening,
  tapes: BridgeTapes | undefined,
  stop: AbortSignal,
  console: Console
): Effect.Effect<void, ServeFailed> =>
  Effect.gen(function* () {
    const cwd = yield* Effect.flatMap(makeWorkingFolders(options.roots), ({ resolve }) => resolve(options.cwd))
    const agents = yield* findAgents(options.source, tapes?.tapOf)
    const own = { ...options, cwd }
    const sessions = layerSessions(own, yield* policyOf(options)).pipe(Layer.provide(agents.layer))
    const served = {
      Stdio: () =>
        Effect.gen(function* () {
          const server = yield* makeAppServer(protocolOf(own))
          yield* server.serve(streamChannel(process.stdin, process.stdout))
        }).pipe(
          // What a client does not take must not keep this process: nothing more is said to it.
          Effect.raceFirst(Effect.tap(whenAborted(stop), () => Effect.sync(() => process.stdout.destroy()))),
          Effect.scoped,
          Effect.provide(sessions)
        ),
      Unix: (path: string) =>
        Effect.gen(function* () {
          const server = yield* makeAppServer(protocolOf(own))
          const { limits } = options
          yield* listenOnUnixSocket(path, yield* makeSocketDoor(server, { access: "file", limits }))
          tell(console, options, agents.what, `unix://${path}`)
          yield* whenAborted(stop)
        }).pipe(Effect.scoped, Effect.provide(sessions)),
      WebSocket: () =>
        Effect.gen(function* () {
          const { url } = yield* HttpServer
          tell(console, options, agents.what, url.replace(/^http/, "ws"))
          yield* whenAborted(stop)
        }).pipe(Effect.provide(layerSocketServer(own).pipe(Layer.provide(sessions))))
    }
    yield* Effect.logDebug("serving")
    yield* listening._tag === "Unix" ? served.Unix(listening.path) : served[listening._tag]()
  })

const layerSocketServer = (options: Options) =>
  HttpServer.layer({
    approvals: options.approvals,
    limits: options.limits,
    host: options.host,
    port: options.port,
    sessionOptions: options.sessionOptions,
    access: {
      token: options.token === undefined ? "none" : Redacted.make(options.token),
      allowedOrigins: options.origins,
      allowedHosts: options.hosts
    },
    appServer: protocolOf(options),
    // As Codex: who starts a server asks there whether it is ready.
    page: new Map(["/readyz", "/healthz"].map((path) => [path, ready] as const))
  }).pipe(Layer.provide(layerObservability))

const ready = { _tag: "File", contentType: "text/plain; charset=utf-8", body: "ok\n", headers: {} } as const

/** Where it listens, for people or for a program. */
const tell = (console: Console, { isNew, json, token }: ServeOptions, what: string, url: string): void => {
  const isSocket = url.startsWith("ws")
  if (json) {
    console.out(
      JSON.stringify({
        url,
        token: isSocket && isNew ? token : null,
        auth: isSocket && token !== undefined,
        agent: what
      })
    )
    return
  }
  const remote = `codex --remote ${url}`
  console.out(
    [
      `agentwire serves ${what} to clients of Codex.`,
      "",
      `  Listens at  ${url}`,
      ...(isSocket && isNew ? [`  Token       ${token}`] : []),
      `  Codex TUI   ${isSocket && token !== undefined ? `${tokenVariable}=… ${remote} --remote-auth-token-env ${tokenVariable}` : remote}`,
      "",
      "Ctrl-C ends it."
    ].join("\n")
  )
}
