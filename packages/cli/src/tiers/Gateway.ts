/** What `agentwire gateway` does: the doors in front of the sessions of a runtime, until it is stopped. */
import { type ExtensionChoice, loadExtensionFile } from "@agentwire/bridge/extension"
import { HttpServer, type HttpServerOptions, type Listening } from "@agentwire/bridge/http"
import {
  type LinkAddress,
  type LinkClient,
  layerRemoteSessions,
  makeLinkClient,
  placeWords
} from "@agentwire/bridge/link"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import type { RuntimeKind } from "../runtime/Runtimes.ts"
import type { ServeFailed } from "../serve/Advice.ts"
import { greeting, greetingJson } from "../serve/Greeting.ts"
import { readPage } from "../serve/Page.ts"
import { protobufEncode } from "../serve/Protobuf.ts"
import { runUntilStopped, whenAborted } from "../serve/Running.ts"
import { layerDoors, portOf } from "../serve/Serve.ts"
import type { ServeOptions } from "../serve/ServeOptions.ts"
import { version } from "../Version.ts"

/** The options of the command. */
export interface GatewayOptions extends ServeOptions {
  readonly link: LinkAddress
}

/** Serves until somebody stops it. */
export const runGateway = (options: GatewayOptions, console: Console): Promise<ExitCode> =>
  runUntilStopped(options, console, (stop) =>
    // Waiting for a runtime ends with the command, too.
    Effect.raceFirst(
      untilStopped(options, stop, console),
      whenAborted(stop).pipe(Effect.andThen(Effect.sleep(graceMillis)))
    )
  )

/** How long doors may take to close before the command ends without them. */
const graceMillis = 5000

/** How long a runtime may take before it is said that there is none. */
const patienceMillis = 300

/** The link, once there is a runtime. */
const meet = (options: GatewayOptions, stop: AbortSignal, console: Console) =>
  Effect.gen(function* () {
    const words = `No runtime is at ${placeWords(options.link.place)} yet. This waits for one: start it with \`agentwire runtime\`.`
    yield* Effect.forkScoped(
      Effect.delay(
        Effect.sync(() => isMet || console.err(words)),
        patienceMillis
      )
    )
    let isMet = false
    const link = makeLinkClient({ address: options.link, program: `agentwire ${version()}` })
    const found = yield* Effect.raceFirst(link, Effect.as(whenAborted(stop), undefined))
    isMet = true
    return found
  })

const untilStopped = (options: GatewayOptions, stop: AbortSignal, console: Console) =>
  Effect.gen(function* () {
    const extensions = options.extensions === undefined ? [] : yield* loadExtensionFile(options.extensions)
    const link = yield* meet(options, stop, console)
    if (link === undefined) return
    yield* serve(options, link, extensions, stop, console)
  })

const serve = (
  options: GatewayOptions,
  link: LinkClient,
  extensions: ReadonlyArray<ExtensionChoice>,
  stop: AbortSignal,
  console: Console
): Effect.Effect<void, ServeFailed> =>
  Effect.gen(function* () {
    const { agent: what, agents, asks, cwd } = link.runtime()
    const protobuf = yield* Effect.promise(() => protobufEncode())
    const { basePath = "" } = options
    const page = options.page
      ? readPage({ basePath, agents: agents.map(({ kind, name }) => ({ kind, name, suggestions: [] })) })
      : undefined
    const port = yield* portOf(options, console)
    const own = { ...options, cwd, port, approvals: asks ? options.approvals : ("deny" as const) }
    const doors = {
      extensions,
      what,
      page,
      protobuf,
      asking: askingKind(agents[0]?.kind),
      runtimeHealth: healthOf(link)
    }
    yield* Effect.gen(function* () {
      const server = yield* HttpServer
      yield* Effect.promise(() =>
        console.out((options.json ? greetingJson : greeting)({ ...own, url: server.url, what }))
      )
      yield* Effect.annotateLogs(Effect.log("listening"), { url: server.url })
      yield* Effect.forkScoped(tell(link, server, extensions.length))
      yield* whenAborted(stop)
      yield* Effect.log("stopping")
    }).pipe(Effect.scoped, Effect.provide(layerDoors(own, doors).pipe(Layer.provide(layerRemoteSessions(link)))))
    yield* Effect.log("stopped")
  })

/** The agents that can be asked about what they do: clients of the app-server count on it. */
const askingKind = (kind: string | undefined): RuntimeKind | undefined =>
  kind === "claude" || kind === "codex" ? kind : undefined

/** How often the runtime is told how this gateway is. */
const reportEvery = "2 seconds"

const tell = (link: LinkClient, { connections, url }: Listening, extensions: number): Effect.Effect<never> =>
  Effect.gen(function* () {
    const clients = yield* connections
    const report = { url, clients, extensions, memory: process.memoryUsage.rss() }
    yield* Effect.ignore(link.call("report", report))
  }).pipe(Effect.andThen(Effect.sleep(reportEvery)), Effect.forever)

const healthOf = (link: LinkClient): NonNullable<HttpServerOptions["runtimeHealth"]> =>
  Effect.sync(() => {
    const state = link.state()
    const { program } = link.runtime()
    return state._tag === "Up"
      ? { reachable: true, program }
      : { reachable: false, program, since: state.since, why: state.why }
  })
