/**
 * The dialect `claude-app-server`: the same sessions for clients that speak JSON-RPC 2.0 in words of its own. Approvals are
 * notifications, which a request answers; everybody who follows the thread may, and the first answer counts.
 */
import * as Dialect from "@agentwire/protocol/claudeappserver"
import { type Channel, errorCodes, makePeer, type Peer, Refusal, type Request } from "@agentwire/protocol/jsonrpc"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { Session } from "../../session/Session.ts"
import { Sessions } from "../../session/Sessions.ts"
import { lastAnswers } from "./Connection.ts"
import type { AppServerOptions } from "./Shared.ts"
import { newId } from "./ThreadIds.ts"

type Handlers = {
  readonly [M in Dialect.RequestMethod]: (
    params: Dialect.ParamsOf<M>
  ) => Effect.Effect<Dialect.ResultOf<M>, Refusal, Sessions>
}

/** What is refused, with the words of whoever refuses it. */
const refuse = ({ message }: { readonly message: string }): Refusal =>
  new Refusal({ code: errorCodes.invalidRequest, message })

const noThread = (threadId: string): Refusal => refuse({ message: `There is no thread ${threadId}.` })
const noTurn = refuse({ message: "No turn is open on this thread." })

const isMode = Schema.is(Dialect.PermissionMode)

/** The modes of the dialect that ask about less than its default. */
const asksLess: ReadonlySet<string> = new Set(["acceptEdits", "bypassPermissions"])

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Serves a client of the dialect until it is gone. What it began goes on without it. */
export const serveDialect = (channel: Channel, options: AppServerOptions): Effect.Effect<void, never, Sessions> =>
  Effect.scoped(
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const scope = yield* Effect.scope
      const follows = new Map<string, Scope.Closeable>()
      /** Nothing is told while a request is being answered: what follows from it comes after the answer. */
      const telling = Semaphore.makeUnsafe(1)
      const held = new Set<Request>()
      let greeting: Dialect.ParamsOf<"initialize"> | undefined
      let peer: Peer | undefined

      const tell = ({ method, params }: Dialect.Notification): Effect.Effect<void> =>
        Effect.ignore(peer?.notify(method, params) ?? Effect.void)

      /** Follows a thread from now on. */
      const follow = (session: Session): Effect.Effect<void> =>
        Effect.gen(function* () {
          const before = follows.get(session.threadId)
          if (before !== undefined) yield* Scope.close(before, Exit.void)
          const own = yield* Scope.fork(scope)
          follows.set(session.threadId, own)
          let cursor = Dialect.initialClaudeApp(session.threadId, session.log.situation())
          yield* session.log.read(session.log.next()).pipe(
            Stream.runForEach((entry) =>
              telling.withPermits(1)(
                Effect.suspend(() => {
                  const [next, told] = Dialect.writeClaudeApp(cursor, entry)
                  cursor = next
                  return Effect.forEach(told, tell, { discard: true })
                })
              )
            ),
            Effect.ignore,
            Effect.forkIn(own)
          )
        })

      const find = (threadId: string): Effect.Effect<Session, Refusal> =>
        Effect.flatMap(Effect.mapError(sessions.find(threadId), refuse), (session) =>
          session === undefined ? Effect.fail(noThread(threadId)) : Effect.succeed(session)
        )

      /** The mode that applies: a client may choose one that asks more, and any where the operator lets it. */
      const own = options.agent?.permissionMode ?? "default"
      const modeOf = (wanted: string = own): string =>
        options.sessionOptions?.includes("permissionMode") === true || (wanted === "default" && asksLess.has(own))
          ? wanted
          : own

      const entriesOf = (session: Session) =>
        session.log.read(0).pipe(Stream.take(session.log.next()), Stream.runCollect, Effect.mapError(refuse))

      const handlers: Handlers = {
        initialize: (params) =>
          Effect.sync(() => {
            greeting = params
            return { server: { name: "claude-app-server", version: options.version ?? "0.0.0" }, capabilities: {} }
          }),
        "thread/start": ({ cwd = greeting?.cwd, permission_mode = greeting?.permission_mode }) =>
          Effect.gen(function* () {
            const threadId = newId(yield* Clock.currentTimeMillis)
            const mode = modeOf(permission_mode)
            const choices = {
              ...(cwd !== undefined && { cwd }),
              ...(mode !== own && { agent: { permissionMode: mode } })
            }
            const session = yield* Effect.mapError(sessions.create(threadId, choices), refuse)
            yield* follow(session)
            return {
              thread_id: threadId,
              created_at: timeOf(session.createdAt),
              // The operator's may be one that the dialect has no word for.
              ...(isMode(mode) && { permission_mode: mode })
            }
          }),
        "thread/resume": ({ thread_id }) =>
          Effect.gen(function* () {
            const session = yield* find(thread_id)
            const turns = Dialect.turnsOf(thread_id, yield* entriesOf(session))
            yield* follow(session)
            return { thread_id, turns, cwd: session.cwd, created_at: timeOf(session.createdAt) }
          }),
        "thread/fork": ({ at_turn_id, thread_id }) =>
          Effect.gen(function* () {
            const source = yield* find(thread_id)
            const last =
              at_turn_id === undefined
                ? undefined
                : Dialect.turnsOf(thread_id, yield* entriesOf(source)).find(({ turn_id }) => turn_id === at_turn_id)
            if (at_turn_id !== undefined && last === undefined)
              return yield* refuse({ message: `There is no turn ${at_turn_id}.` })
            const after = last?.items.map(({ id }) => id).reverse()
            const threadId = newId(yield* Clock.currentTimeMillis)
            const request = { threadId, ...(after !== undefined && { target: { after } }) }
            const forked = yield* Effect.mapError(sessions.fork(thread_id, request), refuse)
            if (forked === undefined) return yield* noThread(thread_id)
            yield* follow(forked)
            return { thread_id: threadId, forked_from: thread_id, created_at: timeOf(forked.createdAt) }
          }),
        "turn/start": ({ content, model, thread_id }) =>
          Effect.gen(function* () {
            const session = yield* find(thread_id)
            if (!follows.has(thread_id)) yield* follow(session)
            if (model !== undefined)
              yield* Effect.mapError(Effect.andThen(session.start, session.set({ model })), refuse)
            const id = newId(yield* Clock.currentTimeMillis)
            const prompt = { type: "prompt" as const, said: [{ id, content }] }
            const { situation } = yield* session
              .submit(() => Result.succeed({ ticket: id, answers: [], results: [], tools: [], prompt }))
              .pipe(Effect.mapError(refuse))
            return { turn_id: Dialect.turnName(situation.turns + 1) }
          }),
        "turn/steer": ({ content, thread_id }) =>
          Effect.gen(function* () {
            const session = yield* find(thread_id)
            const id = newId(yield* Clock.currentTimeMillis)
            const { turn } = yield* Effect.mapError(session.steer({ ticket: id, said: [{ id, content }] }), refuse)
            return { turn_id: Dialect.turnName(turn) }
          }),
        "turn/interrupt": ({ thread_id }) =>
          Effect.gen(function* () {
            const session = yield* find(thread_id)
            const { turn, turns } = session.log.situation()
            if (turn === undefined) return yield* noTurn
            yield* session.stop()
            return { turn_id: Dialect.turnName(turns), status: "interrupted" as const }
          }),
        "model/list": () =>
          Effect.succeed({ models: ["default", "opus", "sonnet", "haiku"].map((id) => ({ id, name: id })) }),
        "skills/list": () => Effect.succeed({ skills: Dialect.skills }),
        "app/list": () => Effect.succeed({ apps: [] }),
        "approval/respond": (params) =>
          Effect.gen(function* () {
            for (const threadId of follows.keys()) {
              const session = yield* find(threadId)
              const open = (yield* session.waiting).find(({ request }) => request.id === params.request_id)
              if (open === undefined) continue
              yield* Effect.mapError(session.answer(params.request_id, Dialect.readApproval(params)), refuse)
              return {}
            }
            return yield* refuse({ message: "No approval with this id waits for an answer." })
          })
      }

      const handle = (request: Request): Effect.Effect<unknown, Refusal> =>
        Effect.suspend((): Effect.Effect<unknown, Refusal, Sessions> => {
          if (greeting === undefined && request.method !== "initialize")
            return Effect.fail(refuse({ message: "Say initialize first." }))
          const read = Dialect.readRequest(request.method, request.params)
          if (Result.isFailure(read)) return Effect.fail(new Refusal(read.failure))
          // A method and its params are one row of the table by the type of what was read.
          const handler = handlers[read.success.method] as (
            params: unknown
          ) => Effect.Effect<unknown, Refusal, Sessions>
          return Effect.andThen(
            Effect.map(telling.take(1), () => held.add(request)),
            handler(read.success.params)
          )
        }).pipe(Effect.provideService(Sessions, sessions))

      peer = yield* makePeer(channel, {
        handle,
        lastAnswers,
        answered: (request) =>
          Effect.suspend(() => {
            if (!held.delete(request)) return Effect.void
            const greet = tell({ method: "initialized", params: { server: "claude-app-server" } })
            return Effect.andThen(telling.release(1), request.method === "initialize" ? greet : Effect.void)
          })
      })
      yield* peer.closed
    })
  )
