/**
 * The dialect claude-app-server as a face of the bridge: JSON-RPC 2.0 with threads, turns and approvals in words of its own,
 * in front of the same sessions as all other faces.
 */
import * as App from "@agentwire/protocol/claudeappserver"
import { type Channel, makePeer, type Peer, Refusal, type Request } from "@agentwire/protocol/jsonrpc"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type SessionChoices, Sessions } from "../../session/Sessions.ts"
import { type Client, handlers } from "./Handlers.ts"
import type { ClaudeAppServerOptions } from "./Options.ts"

/** A server of clients that speak the dialect. */
export interface ClaudeAppServer {
  /** Serves a client until it is gone. What it began goes on without it. */
  readonly serve: (channel: Channel) => Effect.Effect<void, never, Sessions>
}

/** A server without clients yet. */
export const makeClaudeAppServer = (options: ClaudeAppServerOptions): ClaudeAppServer => ({
  serve: (channel) => serveClient(channel, options)
})

const serveClient = (channel: Channel, options: ClaudeAppServerOptions): Effect.Effect<void, never, Sessions> =>
  Effect.scoped(
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const scope = yield* Effect.scope
      const followed = new Map<string, Scope.Closeable>()
      const afterwards = new WeakMap<Request, Array<Effect.Effect<void>>>()
      let choices: SessionChoices = {}
      let isGreeted = false

      const handle = (request: Request): Effect.Effect<unknown, Refusal> =>
        Effect.gen(function* () {
          const read = App.readRequest(request.method, request.params)
          if (Result.isFailure(read)) return yield* new Refusal(read.failure)
          const asked = read.success
          if (!isGreeted && asked.method !== "initialize")
            return yield* new Refusal({ code: -32600, message: "Not initialized" })
          isGreeted = true
          const rest: Array<Effect.Effect<void>> = []
          afterwards.set(request, rest)
          return yield* handlers(asked, client, (effect) => void rest.push(effect))
        }).pipe(Effect.provideService(Sessions, sessions))

      const peer: Peer = yield* makePeer(channel, {
        handle,
        answered: (request) => Effect.forEach(afterwards.get(request) ?? [], (effect) => effect, { discard: true })
      })

      const client: Client = {
        options,
        choices: () => choices,
        choose: (chosen) => {
          choices = chosen
        },
        notify: ({ method, params }) => Effect.ignore(peer.notify(method, params)),
        follow: (session) =>
          Effect.gen(function* () {
            if (followed.has(session.threadId)) return
            const own = yield* Scope.fork(scope)
            followed.set(session.threadId, own)
            const { seq, situation } = yield* Effect.orDie(session.log.moment())
            let cursor = App.initialClaudeApp(session.threadId, situation)
            yield* session.log.read(seq).pipe(
              Stream.runForEach((entry) => {
                const [next, told] = App.writeClaudeApp(cursor, entry)
                cursor = next
                return Effect.forEach(told, client.notify, { discard: true })
              }),
              // The thread is closed: who follows it may resume it.
              Effect.ignore,
              Effect.ensuring(Effect.sync(() => followed.delete(session.threadId))),
              Effect.forkIn(own)
            )
          }),
        following: () => [...followed.keys()],
        now: Effect.map(Clock.currentTimeMillis, (now) => new Date(now).toISOString())
      }
      yield* peer.closed
    })
  )
