/** What `agentwire serve` does: a server of agents, until it is stopped. */
import type { ProtobufEncode } from "@agentwire/bridge/agui"
import {
  type ExtensionChoice,
  Extensions,
  layerExtensions,
  layerGatewayExtensions,
  loadExtensionFile
} from "@agentwire/bridge/extension"
import { HttpServer, type HttpServerOptions } from "@agentwire/bridge/http"
import { layerObservability } from "@agentwire/bridge/observe"
import { makeWorkingFolders, type Sessions } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import { codexPrompts, demoPrompts } from "../demo/Turns.ts"
import type { RuntimeKind } from "../runtime/Runtimes.ts"
import { version } from "../Version.ts"
import type { ServeFailed } from "./Advice.ts"
import { agentKinds } from "./AgentKinds.ts"
import { findAgents } from "./Agents.ts"
import { freePort } from "./FreePort.ts"
import { greeting, greetingJson } from "./Greeting.ts"
import type { RuntimeName } from "./OptionWords.ts"
import { type Page, type PageSettings, readPage } from "./Page.ts"
import { policyOf } from "./Policy.ts"
import { protobufEncode } from "./Protobuf.ts"
import {
  appServerOf,
  askingRuntime,
  documentsOf,
  endTapes,
  layerSessions,
  runUntilStopped,
  tapesOf,
  whenAborted
} from "./Running.ts"
import type { ServeOptions } from "./ServeOptions.ts"
import type { BridgeTapes } from "./Tapes.ts"

/** Serves until somebody stops it. */
export const serveUntilStopped = (options: ServeOptions, console: Console): Promise<ExitCode> => {
  const tapes = tapesOf(options, console)
  return runUntilStopped(
    options,
    console,
    (stop) => untilStopped(options, tapes, stop, console),
    () => endTapes(tapes)
  )
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
    const port = yield* portOf(options, console)
    const rules = yield* policyOf(options)
    const extensions = options.extensions === undefined ? [] : yield* loadExtensionFile(options.extensions)
    const own = { ...options, cwd, port }
    const what = options.source._tag === "Demo" ? demoWords : agents.what
    const doors = { extensions, what, page, protobuf, asking: askingRuntime(options.source) }
    const server = layerDoors(own, doors).pipe(
      Layer.provide(layerObservability),
      Layer.provide(layerSessions(own, rules)),
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

/** The port that was chosen, or a free one. */
export const portOf = (options: ServeOptions, console: Console): Effect.Effect<number> =>
  Effect.promise(async () => {
    if (options.portIsChosen) return options.port
    const port = await freePort(options)
    if (port !== options.port) console.err(`Port ${options.port} is taken: this is on ${port}.`)
    return port
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

/** What the doors of a bridge are besides its options. */
export interface Doors {
  readonly extensions: ReadonlyArray<ExtensionChoice>
  /** What is served, for people. */
  readonly what: string
  readonly page: Page | undefined
  readonly protobuf: ProtobufEncode | undefined
  /** The kind of agents that clients of the app-server speak to; undefined: none that can be asked. */
  readonly asking: RuntimeKind | undefined
  /** How the process is that has the sessions, where that is another one. */
  readonly runtimeHealth?: NonNullable<HttpServerOptions["runtimeHealth"]>
}

/** Everything that clients come to, in front of the sessions of this process or another. */
export const layerDoors = (
  options: ServeOptions,
  { asking, extensions, page, protobuf, runtimeHealth, what }: Doors
): Layer.Layer<HttpServer, ServeFailed, Sessions> => {
  const { basePath, token } = options
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
      agent: { version: version(), description: what },
      extensions: running,
      ...(asking !== undefined && { appServer: appServerOf(options, asking) }),
      gateway: {},
      ...(page !== undefined && { page }),
      ...(runtimeHealth !== undefined && { runtimeHealth }),
      ...(basePath !== undefined && { basePath })
    })
  return Layer.unwrap(Effect.map(Extensions, server)).pipe(
    Layer.provide(layerGatewayExtensions),
    Layer.provide(layerExtensions({ extensions, ...documentsOf(options) }))
  )
}
