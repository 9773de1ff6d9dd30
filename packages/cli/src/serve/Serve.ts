/** What `agentwire serve` does: a server of agents, until it is stopped. */
import type { ProtobufEncode } from "@agentwire/bridge/agui"
import {
  type ExtensionChoice,
  Extensions,
  layerExtensions,
  layerGatewayExtensions,
  loadExtensionFile
} from "@agentwire/bridge/extension"
import { HttpServer } from "@agentwire/bridge/http"
import { layerObservability } from "@agentwire/bridge/observe"
import { makeWorkingFolders } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import { codexPrompts, demoPrompts } from "../demo/Turns.ts"
import { Failure } from "../Failure.ts"
import { exitLike } from "../record/Recorder.ts"
import { version } from "../Version.ts"
import { adviceOn, type ServeFailed } from "./Advice.ts"
import { agentKinds } from "./AgentKinds.ts"
import { findAgents } from "./Agents.ts"
import { freePort } from "./FreePort.ts"
import { greeting, greetingJson } from "./Greeting.ts"
import type { RuntimeName } from "./OptionWords.ts"
import { type Page, type PageSettings, readPage } from "./Page.ts"
import { policyOf, type SessionPolicy } from "./Policy.ts"
import { protobufEncode } from "./Protobuf.ts"
import { appServerOf, askingRuntime, documentsOf, layerDiary, layerSessions, tapesOf, whenAborted } from "./Running.ts"
import type { ServeOptions } from "./ServeOptions.ts"
import { stopSignal } from "./StopSignal.ts"
import type { BridgeTapes } from "./Tapes.ts"

/** Serves until somebody stops it. */
export const serveUntilStopped = async (options: ServeOptions, console: Console): Promise<ExitCode> => {
  // What is left of the agents then is ended by their guards.
  const stop = stopSignal((code) => process.exit(code))
  // A terminal that was closed takes no more lines; the agents are to end in order all the same.
  process.stderr.on("error", ignored)
  const tapes = tapesOf(options, console)
  try {
    return await runServer(options, tapes, stop.signal, console)
  } finally {
    const { stuck } = (await tapes?.end()) ?? { stuck: false }
    if (stuck) await exitLike({ code: 0, signal: null }, stuck)
    stop.forget()
    process.stderr.off("error", ignored)
  }
}

const ignored = (): void => undefined

const runServer = async (
  options: ServeOptions,
  tapes: BridgeTapes | undefined,
  stop: AbortSignal,
  console: Console
): Promise<ExitCode> => {
  const ended = await Effect.runPromise(
    untilStopped(options, tapes, stop, console).pipe(
      Effect.scoped,
      Effect.provide(layerDiary(options, console)),
      Effect.result
    )
  )
  if (Result.isSuccess(ended)) return 0
  throw new Failure(adviceOn(ended.failure, options), { cause: ended.failure })
}

const untilStopped = (
  options: ServeOptions,
  tapes: BridgeTapes | undefined,
  stop: AbortSignal,
  console: Console
): Effect.Effect<void, ServeFailed> =>
  Effect.gen(function* () {
    // Said now, and not to the first client.
    const cwd = yield* Effect.flatMap(makeWorkingFolders(options.roots), ({ resolve }) => resolve(options.cwd))
    const agents = yield* findAgents(options.source, tapes?.tapOf)
    const protobuf = yield* Effect.promise(() => protobufEncode())
    const page = options.page ? readPage(pageSettings(options, yield* agents.kinds)) : undefined
    const port = options.portIsChosen ? options.port : yield* Effect.promise(() => freePort(options))
    if (port !== options.port) console.err(`Port ${options.port} is taken: this is on ${port}.`)
    const rules = yield* policyOf(options)
    const extensions = options.extensions === undefined ? [] : yield* loadExtensionFile(options.extensions)
    const server = layerServer({ ...options, cwd, port }, rules, extensions, agents.what, page, protobuf).pipe(
      Layer.provide(agents.layer)
    )
    yield* Effect.gen(function* () {
      const { url } = yield* HttpServer
      yield* Effect.promise(() =>
        console.out((options.json ? greetingJson : greeting)({ ...options, cwd, url, what: agents.what }))
      )
      yield* Effect.annotateLogs(Effect.log("listening"), { url })
      yield* whenAborted(stop)
      yield* Effect.log("stopping")
    }).pipe(Effect.provide(server))
    yield* Effect.log("stopped")
  })

const demoWords = "demo agent: recorded sessions; use `npm start -- --cli claude` for a live one"

const pageSettings = ({ basePath = "", source }: ServeOptions, kinds: ReadonlyArray<RuntimeName>): PageSettings => ({
  basePath,
  agents: kinds.map((kind) => ({
    kind,
    name: agentKinds[kind].title,
    suggestions: source._tag === "Demo" ? demoSuggestions[agentKinds[kind].program] : []
  }))
})

const demoSuggestions = { claude: demoPrompts, codex: codexPrompts }

const layerServer = (
  options: ServeOptions,
  policy: SessionPolicy,
  extensions: ReadonlyArray<ExtensionChoice>,
  what: string,
  page: Page | undefined,
  protobuf: ProtobufEncode | undefined
) => {
  const { basePath, token } = options
  const asking = askingRuntime(options.source)
  const server = (running: Extensions["Service"]) =>
    HttpServer.layer({
      approvals: options.approvals,
      limits: options.limits,
      sse: protobuf === undefined ? {} : { protobuf },
      host: options.host,
      port: options.port,
      sessionOptions: options.sessionOptions,
      access: {
        token: token === undefined ? "none" : Redacted.make(token),
        allowedOrigins: options.origins,
        allowedHosts: options.hosts
      },
      agent: { version: version(), description: options.source._tag === "Demo" ? demoWords : what },
      extensions: running,
      ...(asking !== undefined && { appServer: appServerOf(options, asking) }),
      gateway: {},
      ...(page !== undefined && { page }),
      ...(basePath !== undefined && { basePath })
    })
  return Layer.unwrap(Effect.map(Extensions, server)).pipe(
    Layer.provide(layerGatewayExtensions),
    Layer.provide(layerExtensions({ extensions, ...documentsOf(options) })),
    Layer.provide(layerObservability),
    Layer.provide(layerSessions(options, policy))
  )
}
