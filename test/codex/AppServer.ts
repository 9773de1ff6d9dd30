/** A real `codex app-server` with a scripted model, asked by our own peer; all lines of both sides are kept. */
import { type ClientMethod, type ParamsOf, type ResultOf, type Side, schemaVersion } from "@agentwire/protocol/codex"
import {
  lineChannel,
  makePeer,
  type Notice,
  type Notification,
  type Refusal,
  type Request,
  type RequestFailed
} from "@agentwire/protocol/jsonrpc"
import type { Done } from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { makeCodexHome } from "../../packages/fixtures/src/codex/Home.ts"
import { installCodex } from "../../packages/fixtures/src/codex/InstallCodex.ts"
import { type ResponsesReply, startResponses } from "../../packages/fixtures/src/codex/Responses.ts"
import { CliProcess } from "../../packages/fixtures/src/Process.ts"

/** A line, and who said it. */
export interface Line {
  readonly from: Side
  readonly text: string
}

/** A running server. */
export interface AppServer {
  readonly cwd: string
  readonly lines: ReadonlyArray<Line>
  readonly notices: ReadonlyArray<Notice>
  readonly ask: <M extends ClientMethod>(method: M, params: ParamsOf<M>) => Effect.Effect<ResultOf<M>, RequestFailed>
  /** Waits for a notification, unless it came already. */
  readonly heard: (method: string, matches?: (params: unknown) => boolean) => Effect.Effect<unknown>
}

/** How a test answers the server's requests. */
export type Answer = (request: Request) => Effect.Effect<unknown, Refusal>

/** Starts the server and says hello. It is gone with its scope, and so is its home. */
export const startAppServer = (
  replies: ReadonlyArray<ResponsesReply>,
  handle: Answer
): Effect.Effect<AppServer, RequestFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const released = <A>(make: () => Promise<A>, release: (made: A) => Promise<unknown>) =>
      Effect.acquireRelease(Effect.promise(make), (made) => Effect.promise(() => release(made)))
    const model = yield* released(
      () => startResponses(replies),
      ({ close }) => close()
    )
    const home = yield* released(
      () => makeCodexHome(model.url),
      ({ remove }) => remove()
    )
    const { args, program } = yield* Effect.promise(() => installCodex(schemaVersion))
    const chunks = yield* Queue.unbounded<Uint8Array, Done>()
    const lines: Array<Line> = []
    const events = {
      onData: (channel: string, chunk: Buffer) => void (channel === "stdout" && Queue.offerUnsafe(chunks, chunk)),
      onClose: () => undefined,
      onExit: () => undefined,
      onEnd: () => void Queue.endUnsafe(chunks)
    }
    const process = yield* released(
      async () => new CliProcess({ program, args: [...args, "app-server"], cwd: home.cwd, env: home.env }, events),
      (started) => {
        started.closeInput()
        return started.end(5000)
      }
    )
    const notices: Array<Notice> = []
    const said: Array<Notification> = []
    const waiting = new Set<() => void>()
    const { incoming, send } = lineChannel(Stream.fromQueue(chunks), (text) => Effect.sync(() => process.write(text)))
    const kept = (from: Side) => (text: string) => Effect.sync(() => void lines.push({ from, text: text.trimEnd() }))
    const peer = yield* makePeer(
      {
        incoming: Stream.tap(incoming, kept("server")),
        send: (text) => Effect.andThen(kept("client")(text), send(text))
      },
      {
        writesVersion: false,
        handle,
        noticed: (notice) => Effect.sync(() => void notices.push(notice)),
        notified: (notification) =>
          Effect.sync(() => {
            said.push(notification)
            for (const look of waiting) look()
          })
      }
    )
    const ask = (method: string, params: unknown) => peer.request(method, params) as Effect.Effect<never, RequestFailed>
    const heard: AppServer["heard"] = (method, matches = () => true) =>
      Effect.gen(function* () {
        const found = yield* Deferred.make<unknown>()
        const look = (): void => {
          const one = said.find((each) => each.method === method && matches(each.params))
          if (one !== undefined) Deferred.doneUnsafe(found, Effect.succeed(one.params))
        }
        waiting.add(look)
        look()
        return yield* Deferred.await(found)
      })
    const server: AppServer = { cwd: home.cwd, lines, notices, ask, heard }
    const capabilities = { experimentalApi: true, requestAttestation: false }
    yield* server.ask("initialize", { clientInfo: { name: "agentwire", title: null, version: "0.0.0" }, capabilities })
    yield* peer.notify("initialized")
    return server
  })
