/** What `agentwire runtime` does: it has sessions, for gateways, until it is stopped. */
import { type LinkAddress, placeWords, serveLink } from "@agentwire/bridge/link"
import { layerObservability } from "@agentwire/bridge/observe"
import { makeWorkingFolders } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import type { ServeFailed } from "../serve/Advice.ts"
import { findAgents } from "../serve/Agents.ts"
import { policyOf } from "../serve/Policy.ts"
import { endTapes, layerSessions, runUntilStopped, tapesOf, whenAborted } from "../serve/Running.ts"
import type { ServeOptions } from "../serve/ServeOptions.ts"
import type { BridgeTapes } from "../serve/Tapes.ts"
import { version } from "../Version.ts"
import { drain } from "./Drain.ts"

/** The options of the command. */
export interface RuntimeOptions extends ServeOptions {
  readonly link: LinkAddress
  /** How long turns may take to end, in seconds. */
  readonly drain: number
  /** How a gateway of this runtime is started. */
  readonly gateway: string
}

/** Has sessions until somebody stops it. */
export const runRuntime = (options: RuntimeOptions, console: Console): Promise<ExitCode> => {
  const tapes = tapesOf(options, console)
  return runUntilStopped(
    options,
    console,
    (stop) => untilStopped(options, tapes, stop, console),
    () => endTapes(tapes)
  )
}

const untilStopped = (
  options: RuntimeOptions,
  tapes: BridgeTapes | undefined,
  stop: AbortSignal,
  console: Console
): Effect.Effect<void, ServeFailed> =>
  Effect.gen(function* () {
    const cwd = yield* Effect.flatMap(makeWorkingFolders(options.roots), ({ resolve }) => resolve(options.cwd))
    const agents = yield* findAgents(options.source, tapes?.tapOf)
    const own = { ...options, cwd }
    const sessions = layerObservability.pipe(
      Layer.provide(layerSessions(own, yield* policyOf(options))),
      Layer.provide(agents.layer)
    )
    yield* Effect.gen(function* () {
      const server = yield* serveLink({
        address: options.link,
        program: `agentwire ${version()}`,
        agent: agents.what,
        cwd,
        asks: options.approvals !== "deny"
      })
      const place = placeWords(server.place)
      yield* Effect.promise(() =>
        console.out(options.json ? greetingJson(agents.what, cwd, place) : greeting(options, agents.what, cwd, place))
      )
      yield* Effect.annotateLogs(Effect.log("listening"), { place })
      yield* whenAborted(stop)
      server.drain()
      yield* drain(options.drain, console.err)
      yield* Effect.log("stopping")
    }).pipe(Effect.scoped, Effect.provide(sessions))
    yield* Effect.log("stopped")
  })

const greetingJson = (agent: string, cwd: string, link: string): string =>
  JSON.stringify({ link, agent, cwd, pid: process.pid })

const greeting = ({ gateway }: RuntimeOptions, agent: string, cwd: string, place: string): string =>
  [
    `agentwire has sessions of ${agent} in ${cwd}.`,
    "",
    `  Link        ${place}`,
    `  Gateway     ${gateway}`,
    "",
    "Ctrl-C ends it: turns may end first. A second one does not wait for them."
  ].join("\n")
