/**
 * The runtime's end of the link: it listens, lets in who knows its secret, and does what it is asked with its own sessions.
 * Gateways come and go; what they have asked to be done is done once, and what they read they ask for.
 */
import { randomUUID } from "node:crypto"
import type { Socket } from "node:net"
import { errorCodes, makePeer, type Notification, Refusal, type Request } from "@agentwire/protocol/jsonrpc"
import { isRecord } from "@agentwire/protocol/wire"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { weightOf } from "../eventloop/Weight.ts"
import { Sessions } from "../session/Sessions.ts"
import { makeCallBook } from "./CallBook.ts"
import { makeHandlers } from "./Handlers.ts"
import { Enter, Hello, versionProblem, versionsOf, type Welcome } from "./Hello.ts"
import { makeInstances } from "./Instances.ts"
import { LinkRefused } from "./LinkErrors.ts"
import { type Looks, makeLooks } from "./Looks.ts"
import { features, isMethod, rowOf } from "./Methods.ts"
import { makeNews } from "./News.ts"
import { type LinkAddress, type LinkPlace, makePrivate } from "./Place.ts"
import { refusalCodes } from "./RefusalCodes.ts"
import { isProof, makeSecret, nonce, proofOf } from "./Secret.ts"
import { linkSocket, listenAt, maxMessageBytes } from "./Socket.ts"
import type { GatewayReport, LinkStatus } from "./Values.ts"

/** What a runtime says of itself, and its limits. */
export interface LinkServerOptions {
  readonly address: LinkAddress
  /** The program and its version, for people. */
  readonly program: string
  /** What it serves, for people. */
  readonly agent: string
  /** The folder of sessions that name none. */
  readonly cwd: string
  /** Whether people are asked what agents may do. */
  readonly asks: boolean
  /** How many may be connected at a time. Default 32. */
  readonly maxConnections?: number
  /** How long a gateway may be gone before what it waits for is given up. Default a minute. */
  readonly patience?: Duration.Input
}

/** A runtime that listens. */
export interface LinkServer {
  readonly place: LinkPlace
  /** No new work is taken from now on: answers are, so that turns can end. */
  readonly drain: () => void
  readonly status: Effect.Effect<LinkStatus>
}

/** How long a stranger may take to prove itself. */
const strangerLimit = 5000

/** How many requests of a gateway are handled at once: most of them wait for something to happen. */
const maxHandled = 4096

/** A gateway that is in. */
interface Attached {
  readonly enter: Enter
  readonly program: string
  readonly link: number
  readonly at: number
  report: GatewayReport | undefined
}

/** Listens until the scope is closed. */
export const serveLink = (options: LinkServerOptions): Effect.Effect<LinkServer, LinkRefused, Sessions | Scope.Scope> =>
  Effect.gen(function* () {
    const { address, maxConnections = 32, program } = options
    const sessions = yield* Sessions
    const boot = randomUUID()
    const startedAt = yield* Clock.currentTimeMillis
    const secret = yield* Effect.try({
      try: () => {
        makePrivate(address.folder)
        return makeSecret(address.folder)
      },
      catch: (cause) =>
        new LinkRefused({
          code: "LINK_FAILED",
          message: `The secret of the link cannot be kept: ${cause instanceof Error ? cause.message : String(cause)}.`
        })
    })
    const book = yield* makeCallBook(options.patience)
    const instances = yield* makeInstances(sessions, boot)
    const news = yield* makeNews(sessions)
    const attached = new Set<Attached>()
    let draining = false
    let connections = 0

    const status: Effect.Effect<LinkStatus> = Effect.gen(function* () {
      const open = yield* instances.open
      const byStatus: Record<string, number> = {}
      for (const each of yield* sessions.statuses) byStatus[each] = (byStatus[each] ?? 0) + 1
      let questions = 0
      for (const session of open) questions += (yield* session.waiting).length
      return {
        runtime: {
          program,
          link: versionsOf(program).link,
          pid: process.pid,
          startedAt,
          memory: process.memoryUsage.rss(),
          agent: options.agent,
          cwd: options.cwd,
          draining
        },
        gateways: [...attached]
          .filter(({ enter }) => enter.serves)
          .map(({ at, enter, link, program, report }) => ({ program, link, pid: enter.pid, attachedAt: at, report })),
        sessions: { open: open.length, byStatus, questions }
      }
    })
    const handlers = makeHandlers({ sessions, instances, news, status, isDraining: () => draining })

    const refuse = (code: number, message: string): Effect.Effect<never, Refusal> =>
      Effect.fail(new Refusal({ code, message }))

    /** One connection, until it ends. */
    const serve = (socket: Socket): Effect.Effect<void> =>
      Effect.gen(function* () {
        const link = linkSocket(socket)
        const own = nonce()
        let stranger: typeof Hello.Type | undefined
        let known: { readonly attached: Attached; readonly looks: Looks } | undefined
        const timer = setTimeout(() => known ?? link.destroy(), strangerLimit)
        yield* Effect.addFinalizer(() => Effect.sync(() => clearTimeout(timer)))

        const meet = (params: unknown): Effect.Effect<unknown, Refusal> => {
          const hello = decodeHello(params)
          if (Result.isFailure(hello))
            return refuse(
              refusalCodes.version,
              "This is the link of an agentwire runtime, and what came is no greeting."
            )
          const problem = versionProblem(hello.success, versionsOf(program))
          if (problem !== undefined) return refuse(refusalCodes.version, problem)
          stranger = hello.success
          const proof = proofOf(secret, "runtime", own, stranger.nonce)
          return Effect.succeed({ ...versionsOf(program), nonce: own, proof })
        }

        const letIn = (params: unknown): Effect.Effect<Welcome, Refusal> =>
          Effect.gen(function* () {
            const enter = decodeEnter(params)
            if (stranger === undefined || known !== undefined || Result.isFailure(enter))
              return yield* refuse(refusalCodes.secret, "Say hello first.")
            if (!isProof(enter.success.proof, proofOf(secret, "gateway", stranger.nonce, own)))
              return yield* refuse(refusalCodes.secret, "The secret is another one.")
            const gateway: Attached = {
              enter: enter.success,
              program: stranger.program,
              link: stranger.link,
              at: yield* Clock.currentTimeMillis,
              report: undefined
            }
            link.trust()
            known = { attached: gateway, looks }
            attached.add(gateway)
            book.enter(gateway.enter.id)
            if (gateway.enter.serves) yield* Effect.log(`A gateway is attached: ${gateway.program}.`)
            const { agentName, agents } = sessions
            const { agent, asks, cwd } = options
            const { link: version } = versionsOf(program)
            return { boot, pid: process.pid, program, link: version, features, agentName, agents, agent, cwd, asks }
          })

        const answer = ({ method, params }: Request): Effect.Effect<unknown, Refusal> => {
          if (known === undefined) return refuse(refusalCodes.secret, "Prove first who you are.")
          if (!isMethod(method)) return refuse(errorCodes.methodNotFound, `This runtime has no ${method}.`)
          const row = rowOf(method)
          const { answered, args, call } = isRecord(params) ? params : {}
          const read = Schema.decodeUnknownResult(row.params)(args)
          if (Result.isFailure(read)) return refuse(errorCodes.invalidParams, `${method}: ${read.failure.message}`)
          const { attached: gateway, looks } = known
          const report = (said: GatewayReport): void => {
            gateway.report = said
          }
          const asking = { looks, report }
          const handler = handlers[method] as (
            params: unknown,
            asking: object
          ) => Effect.Effect<unknown, { readonly message: string }>
          const work = handler(read.success, asking)
          const isOnce = row.once === true && typeof call === "number" && typeof answered === "number"
          const doing = isOnce
            ? book.once({ gateway: gateway.enter.id, call, answered, waits: row.waits === true }, work)
            : work
          return doing.pipe(
            Effect.mapError(
              (failure) =>
                new Refusal({
                  code: refusalCodes.failed,
                  message: failure.message,
                  data: Schema.encodeUnknownSync(row.failure)(failure)
                })
            ),
            Effect.flatMap((result) =>
              weightOf(result) > maxMessageBytes / 2
                ? refuse(refusalCodes.tooLarge, `The answer to ${method} is too large to be told.`)
                : Effect.succeed(result)
            )
          )
        }

        const handle = (request: Request): Effect.Effect<unknown, Refusal> => {
          if (request.method === "hello") return meet(request.params)
          return request.method === "enter" ? letIn(request.params) : answer(request)
        }

        const notified = ({ method, params }: Notification): Effect.Effect<void> => {
          const call = method === "cancel" && isRecord(params) ? params["call"] : undefined
          return typeof call === "number" && known !== undefined
            ? book.cancel(known.attached.enter.id, call)
            : Effect.void
        }

        const looks = yield* makeLooks()
        const peer = yield* makePeer(link.channel, {
          handle,
          notified,
          maxHandled,
          cancels: ({ method, params }) =>
            method === "drop" && isRecord(params) && typeof params["id"] === "number" ? params["id"] : undefined,
          noticed: (notice) =>
            notice._tag === "HandlerBroke"
              ? Effect.logError(`What a gateway asked broke: ${notice.method}.`, notice.cause)
              : Effect.void
        })
        yield* peer.closed
        if (known !== undefined) {
          const { enter, program: who } = known.attached
          attached.delete(known.attached)
          yield* book.leave(enter.id)
          if (enter.serves) yield* Effect.log(`A gateway is gone: ${who}.`)
        }
      }).pipe(
        Effect.scoped,
        Effect.ensuring(
          Effect.sync(() => {
            connections--
            socket.destroy()
          })
        )
      )

    const run = yield* FiberSet.makeRuntime<never>()
    const place = yield* listenAt(address.place, (socket) => {
      if (++connections <= maxConnections) return void run(serve(socket))
      connections--
      socket.destroy()
    })
    return {
      place,
      drain: () => {
        draining = true
      },
      status
    }
  })

const decodeHello = Schema.decodeUnknownResult(Hello)
const decodeEnter = Schema.decodeUnknownResult(Enter)
