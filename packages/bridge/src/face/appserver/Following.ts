/**
 * A client that follows a thread: a cursor on its log, and the questions that the client was asked.
 *
 * Everybody who follows is asked the same. The first answer wins; the others are told that theirs is not needed any more.
 * A client that goes takes no question with it: it stays open for the others, or until its time is over.
 */
import * as AppServer from "@agentwire/protocol/appserver"
import type { Peer, RequestId } from "@agentwire/protocol/jsonrpc"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { Session } from "../../session/Session.ts"
import type { Client, Follow } from "./Call.ts"
import { wireIdOf } from "./ThreadIds.ts"

/** A question that the client was asked. */
interface Asked {
  readonly id: RequestId
  readonly waiting: Fiber.Fiber<void>
}

/** A question is open for as long as its session lets it be: the connection itself sets no limit. */
const noLimit = "10000 days"

/** Where who follows a thread from now on begins. */
const beginning = (session: Session): Effect.Effect<readonly [from: number, cursor: AppServer.AppServerCursor]> => {
  const options = { threadId: wireIdOf(session.threadId), cwd: session.cwd }
  return session.log.moment().pipe(
    Effect.map(
      ({ seq, situation, transcript }) => [seq, AppServer.initialAppServer(options, situation, transcript)] as const
    ),
    // A log that cannot be read says so to whoever reads it.
    Effect.orElseSucceed(
      () => [session.log.next(), AppServer.initialAppServer(options, session.log.situation())] as const
    )
  )
}

/** Follows a thread from now on, until the scope is closed. What waits for an answer is asked at once. */
export const startFollowing = (
  session: Session,
  client: Client,
  peer: Peer
): Effect.Effect<Follow, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const threadId = wireIdOf(session.threadId)
    const telling = Semaphore.makeUnsafe(1)
    const asked = new Map<string, Asked>()
    const clock = yield* Clock.Clock
    const [from, first] = yield* beginning(session)
    let cursor = first

    /** Asks the client, and passes its answer on. What it cannot answer, and what makes no sense, allows nothing. */
    const ask = ({ method, params, request }: AppServer.Ask): Effect.Effect<void> =>
      Effect.gen(function* () {
        let id: RequestId | undefined
        const answering = peer.request(method, params, { limit: noLimit, named: (given) => (id = given) }).pipe(
          Effect.map((result): AppServer.AnswerOutcome => ({ result })),
          Effect.catchIf(
            ({ reason }) => reason === "REFUSED",
            ({ message }): Effect.Effect<AppServer.AnswerOutcome> => Effect.succeed({ error: { message } })
          ),
          Effect.flatMap((outcome) =>
            Effect.gen(function* () {
              const open = (yield* session.waiting).find((each) => each.request.id === request)
              if (open !== undefined) yield* session.answer(request, AppServer.readAnswer(open.request, outcome))
            })
          ),
          // The client is gone, or somebody else was first.
          Effect.ignore
        )
        const waiting = yield* Effect.forkIn(answering, scope, { startImmediately: true })
        if (id !== undefined) asked.set(request, { id, waiting })
      })

    const resolve = ({ request, threadId }: AppServer.Resolved): Effect.Effect<void> =>
      Effect.gen(function* () {
        const question = asked.get(request)
        if (question === undefined) return
        asked.delete(request)
        yield* Fiber.interrupt(question.waiting)
        yield* client.notify("serverRequest/resolved", { threadId, requestId: question.id })
      })

    const tell = (out: AppServer.AppServerOut): Effect.Effect<void> => {
      switch (out._tag) {
        case "Notification":
          // The agent's name for a thread is one of several, and all clients are told of whichever it has: `Titles.ts`.
          return out.method === "thread/name/updated" ? Effect.void : client.notify(out.method, out.params)
        case "Ask": {
          if (out.method !== "item/tool/call") return ask(out)
          const name = client.shared.tools.askedOf(session.threadId, out.params.tool, client)
          return name === undefined ? Effect.void : ask({ ...out, params: { ...out.params, ...name } })
        }
        case "Resolved":
          return resolve(out)
      }
    }

    const advance = (write: (cursor: AppServer.AppServerCursor) => AppServer.AppServerWritten): Effect.Effect<void> =>
      telling.withPermits(1)(
        Effect.suspend(() => {
          const [next, outs] = write(cursor)
          cursor = next
          return Effect.forEach(outs, tell, { discard: true })
        })
      )

    yield* Effect.forkIn(
      advance((before) => AppServer.openQuestions(before, clock.currentTimeMillisUnsafe())).pipe(
        Effect.andThen(
          Stream.runForEach(session.log.read(from), (entry) =>
            advance((before) => AppServer.writeAppServer(before, entry))
          )
        ),
        // The thread is closed, or cannot be read any more: who follows is told, and may resume it.
        Effect.ignore,
        Effect.andThen(client.notify("thread/status/changed", { threadId, status: { type: "notLoaded" } })),
        Effect.andThen(client.notify("thread/closed", { threadId }))
      ),
      scope
    )
    return { session, hold: Effect.asVoid(telling.take(1)), release: Effect.asVoid(telling.release(1)) }
  })
